//! Control flow as blocks with branches.
//!
//! `stablehlo.while` would say the same, but what IREE 3.13 makes of it on the way (`scf.while`) crashes
//! its conversion to streams when an iteration does not use everything that it is handed.

use super::{
    emit::{Emitter, Result, Tensor},
    error::LowerCause,
    global, opaque,
    register::{Register, Width},
    types,
    vm::Vm,
};
use crate::{legalize::Way, machine::Machine};
use iree_abi::{DType, TensorType};
use iree_dialects::{
    arith::CmpIPredicate,
    cf::{self, Successor},
    prelude::*,
};

/// Where a value is that a block hands to another, and its type. Integers without a sign are handed on as ones
/// with a sign, since IREE 3.13 has no switches with others.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Tensor(TensorType),
    Register(DType),
}

/// A value that a block hands to another.
#[derive(Clone, Debug)]
pub(super) enum Handed<'c, 'b> {
    Tensor(Tensor<'c, 'b>),
    Register(Register<'c, 'b>),
}

/// Which of two sides a block is reached from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Side {
    /// The branch of a condition that holds, or what is before a loop.
    First,
    /// The branch of a condition that does not hold, or an iteration of a loop.
    Second,
}

/// What a block takes.
#[derive(Debug)]
pub(super) struct Parameters {
    pub(super) kinds: Vec<Kind>,
    width: Width,
    /// The way to hand them on.
    pub(super) way: Way,
}

impl Parameters {
    /// Nothing.
    pub(super) const NONE: Self = Self {
        kinds: Vec::new(),
        width: Width::Own,
        way: Way::Once,
    };

    /// What comes from several places to what is after them.
    pub(super) fn of_join(kinds: Vec<Kind>, machine: Machine) -> Self {
        let way = Way::of(kinds.iter().filter_map(Kind::tensor));
        Self {
            kinds,
            width: Width::Apart,
            way: way.on(machine),
        }
    }

    /// What an iteration of a loop without tensors takes from the one before it. All that is read in the iterations is
    /// needed in the next one, so that nothing handed on can take its place.
    pub(super) fn of_counters(kinds: Vec<Kind>) -> Self {
        let width = Width::of(kinds.iter().filter_map(Kind::number));
        Self {
            kinds,
            width,
            way: Way::Once,
        }
    }

    /// The types of what a block takes, and then which side it comes from if there are several.
    fn mlir<'c>(&self, emitter: &Emitter<'c, '_>) -> Result<Vec<Type<'c>>> {
        let kinds = self.kinds.iter().map(|kind| kind.mlir(emitter, self.width));
        let side = (self.width == Width::Apart).then(|| Ok(side_type(emitter)));
        kinds.chain(side).collect()
    }

    fn values<'c, 'b>(
        &self,
        emitter: &Emitter<'c, 'b>,
        arguments: &[Handed<'c, 'b>],
        side: Side,
    ) -> Result<Vec<Value<'c, 'b>>> {
        let values = arguments
            .iter()
            .map(|argument| argument.value(emitter, self.width));
        let side = || Vm(emitter).number(side_type(emitter), side as i64);
        let side = (self.width == Width::Apart).then(side);
        values.chain(side).collect()
    }
}

impl Kind {
    fn mlir<'c>(&self, emitter: &Emitter<'c, '_>, width: Width) -> Result<Type<'c>> {
        match self {
            Self::Tensor(ty) => emitter.tensor_type(&carried(ty)),
            Self::Register(dtype) => Ok(width.register_type(emitter.context, *dtype)),
        }
    }

    /// What is handed to a block that it is a parameter of.
    fn handed<'c, 'b>(
        &self,
        emitter: &Emitter<'c, 'b>,
        value: Value<'c, 'b>,
        width: Width,
    ) -> Result<Handed<'c, 'b>> {
        Ok(match self {
            Self::Tensor(ty) => {
                let taken = Tensor {
                    value,
                    ty: carried(ty),
                };
                let taken = match ty.shape.known() {
                    Some(_) => emitter.reshape_apart(&taken, &types::stored(ty))?,
                    None => emitter.with_sizes(taken)?,
                };
                Handed::Tensor(global::cast(emitter, taken, ty)?)
            }
            Self::Register(dtype) => {
                Handed::Register(Register::taken(emitter, value, *dtype, width)?)
            }
        })
    }

    fn number(&self) -> Option<DType> {
        match self {
            Self::Tensor(_) => None,
            Self::Register(dtype) => Some(*dtype),
        }
    }

    fn tensor(&self) -> Option<&TensorType> {
        match self {
            Self::Tensor(ty) => Some(ty),
            Self::Register(_) => None,
        }
    }
}

impl<'c, 'b> Handed<'c, 'b> {
    fn value(&self, emitter: &Emitter<'c, 'b>, width: Width) -> Result<Value<'c, 'b>> {
        match self {
            Self::Tensor(tensor) => {
                let stored = global::cast(emitter, tensor.clone(), &types::stored(&tensor.ty))?;
                Ok(match tensor.ty.shape.known() {
                    Some(_) => emitter.reshape_apart(&stored, &carried(&tensor.ty))?.value,
                    None => stored.value,
                })
            }
            Self::Register(register) => register.handed(emitter, width),
        }
    }
}

/// The type that a block hands on a tensor as, with one more axis if the sizes are known.
///
/// In IREE, a tensor has the size in bytes that the one had of which it is a part replaced, or that a global
/// had which it was read from, and the size of a global is what was stored last. Where a loop stores what it
/// changes of a global, IREE 3.13 thus does not find out what any of them is, although all say it in their
/// types. Of sizes that it does not know it then gets places in buffers wrong that hold several tensors: where
/// one block hands on the first of a buffer and another a later one, it takes the place of the first for both
/// (`util.align` has no range if that of its operand has no end). A tensor of another shape has the size that
/// its own type says.
fn carried(ty: &TensorType) -> TensorType {
    let stored = types::stored(ty);
    match stored.shape.known() {
        Some(sizes) => TensorType::new(stored.dtype, [&[1], sizes.as_slice()].concat().as_slice()),
        None => stored,
    }
}

/// Appends an empty block behind the one that an emitter appends to, and returns it with its arguments.
pub(super) fn append_block<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    parameters: &Parameters,
) -> Result<(BlockRef<'c, 'b>, Vec<Handed<'c, 'b>>)> {
    let mlir = parameters.mlir(emitter)?.into_iter();
    let arguments: Vec<_> = mlir.map(|ty| (ty, emitter.location)).collect();
    let region = emitter.block.parent_region();
    let region = region.ok_or(LowerCause::Lost("the region of a block"))?;
    let block = region.append_block(Block::new(&arguments));
    let inside = Emitter {
        block,
        ..emitter.clone()
    };
    let argument = |(index, kind): (usize, &Kind)| {
        let value = block.argument(index);
        let value = value.map_err(|_| LowerCause::Lost("the argument of a block"))?;
        kind.handed(&inside, value.into(), parameters.width)
    };
    let arguments = parameters.kinds.iter().enumerate().map(argument);
    let arguments = arguments.collect::<Result<_>>()?;
    Ok((block, arguments))
}

/// Appends the block behind both sides of a condition, or behind a loop and what is before it, and returns it with what it takes.
///
/// Where one tensor is handed on, IREE first has the block wait for that and for others. If the block needs what says when another
/// is there for nothing else, and one side hands that on too, both get one register, and on the other side the wait is lost (see
/// [`Width`]). So the block first asks which side it comes from. Several tensors are handed on by switches, which lose none.
pub(super) fn append_join<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    parameters: &Parameters,
) -> Result<(BlockRef<'c, 'b>, Vec<Handed<'c, 'b>>)> {
    let (block, arguments) = append_block(emitter, parameters)?;
    let has_tensor = parameters.kinds.iter().any(|kind| kind.tensor().is_some());
    if parameters.way == Way::Once && has_tensor {
        let inside = Emitter {
            block,
            ..emitter.clone()
        };
        ask_for_side(&inside)?;
    }
    Ok((block, arguments))
}

/// Fails if the side that a block comes from is none, which IREE cannot know.
fn ask_for_side(emitter: &Emitter<'_, '_>) -> Result<()> {
    let side = emitter.block.argument_count().checked_sub(1);
    let side = side.and_then(|last| emitter.block.argument(last).ok());
    let side = side.ok_or(LowerCause::Lost("the side of a block"))?;
    let side = opaque::hidden(emitter, side.into())?;
    let vm = Vm(emitter);
    let none = vm.number(side_type(emitter), i64::MIN)?;
    let is_one = vm.test(CmpIPredicate::Ne, side, none)?;
    let message = "a block is reached from one of two sides";
    let operation = cf::assert(emitter.context, is_one, message, emitter.location)?;
    emitter.block.append_operation(operation);
    Ok(())
}

/// Ends a block by going on in another.
pub(super) fn branch<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    block: BlockRef<'c, 'b>,
    parameters: &Parameters,
    arguments: &[Handed<'c, 'b>],
    side: Side,
) -> Result<()> {
    let arguments = parameters.values(emitter, arguments, side)?;
    distinguish(emitter, side)?;
    let successor = Successor {
        block,
        arguments: &arguments,
    };
    if parameters.way == Way::Twice {
        let flag = any_flag(emitter)?;
        return switch_twice(emitter, flag, &[successor]);
    }
    let operation = cf::branch(emitter.context, successor, emitter.location)?;
    emitter.block.append_operation(operation);
    Ok(())
}

/// Ends a block by going on in one of two blocks, with the same arguments in either.
pub(super) fn conditional_branch<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    condition: &Register<'c, 'b>,
    blocks: [BlockRef<'c, 'b>; 2],
    parameters: &Parameters,
    arguments: &[Handed<'c, 'b>],
    side: Side,
) -> Result<()> {
    let arguments = parameters.values(emitter, arguments, side)?;
    // Blocks that take nothing from a condition are reached from there only.
    if !parameters.kinds.is_empty() {
        distinguish(emitter, side)?;
    }
    let [then, otherwise] = blocks.map(|block| Successor {
        block,
        arguments: &arguments,
    });
    let condition = condition.value;
    if parameters.way == Way::Twice {
        let flag = Vm(emitter).extend_unsigned(condition, flag_type(emitter))?;
        return switch_twice(emitter, flag, &[otherwise, then]);
    }
    let successors = [then, otherwise];
    let operation =
        cf::conditional_branch(emitter.context, condition, successors, emitter.location)?;
    emitter.block.append_operation(operation);
    Ok(())
}

/// Makes a block different from the one of the other side, by operations of which nothing is left in the end.
///
/// Of two blocks that do the same with other operands and go on in the same block, MLIR makes one that takes the
/// operands, each in its own width. See [`Width`] for what IREE 3.13 makes of that.
fn distinguish(emitter: &Emitter<'_, '_>, side: Side) -> Result<()> {
    let count = match side {
        Side::First => 1,
        Side::Second => 2,
    };
    for _ in 0..count {
        opaque::mark(emitter)?;
    }
    Ok(())
}

fn flag_type<'c>(emitter: &Emitter<'c, '_>) -> Type<'c> {
    IntegerType::new(emitter.context, 32).into()
}

fn side_type<'c>(emitter: &Emitter<'c, '_>) -> Type<'c> {
    IntegerType::new(emitter.context, 64).into()
}

/// 0 or 1, no matter which. It is found in what the block takes, if that is a number, as [`Width::Apart`] wants
/// it: nothing else may be left of a block that only hands on.
fn any_flag<'c, 'b>(emitter: &Emitter<'c, 'b>) -> Result<Value<'c, 'b>> {
    let vm = Vm(emitter);
    let last = emitter.block.argument_count().checked_sub(1);
    let last = last.and_then(|last| emitter.block.argument(last).ok());
    let side = last.filter(|last| last.r#type() == side_type(emitter));
    match side {
        Some(side) => {
            let flag = vm.truncate(side.into(), flag_type(emitter))?;
            vm.and(flag, vm.number(flag_type(emitter), 1)?)
        }
        None => vm.number(flag_type(emitter), 0),
    }
}

/// Ends a block by going on in the one that a flag says.
fn switch_twice<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    flag: Value<'c, 'b>,
    successors: &[Successor<'_, 'c, 'b>],
) -> Result<()> {
    let (never, _) = append_block(emitter, &Parameters::NONE)?;
    let never = Successor {
        block: never,
        arguments: &[],
    };
    let endless = cf::branch(emitter.context, never, emitter.location)?;
    never.block.append_operation(endless);
    // Of a flag that it knows, IREE would make a branch that names its values once.
    let flag = opaque::hidden(emitter, flag)?;
    let cases = [successors, successors].concat();
    let operation = cf::switch(emitter.context, flag, never, &cases, emitter.location)?;
    emitter.block.append_operation(operation);
    Ok(())
}
