//! Control flow as blocks with branches.
//!
//! `stablehlo.while` would say the same, but what IREE 3.13 makes of it on the way (`scf.while`) crashes
//! its conversion to streams when a round does not use everything that it is handed.

use super::{
    emit::{Emitter, Result, Tensor},
    error::LowerCause,
    global, opaque,
    register::{Register, Width},
    types,
    vm::Vm,
};
use iree_abi::{DType, TensorType};
use iree_dialects::{
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

impl Kind {
    fn mlir<'c>(&self, emitter: &Emitter<'c, '_>, width: Width) -> Result<Type<'c>> {
        match self {
            Self::Tensor(ty) => emitter.tensor_type(&types::stored(ty)),
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
                let stored = types::stored(ty);
                let stored = emitter.with_sizes(Tensor { value, ty: stored })?;
                Handed::Tensor(global::cast(emitter, stored, ty)?)
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
                let stored = types::stored(&tensor.ty);
                Ok(global::cast(emitter, tensor.clone(), &stored)?.value)
            }
            Self::Register(register) => register.handed(emitter, width),
        }
    }

    fn kind(&self) -> Kind {
        match self {
            Self::Tensor(tensor) => Kind::Tensor(tensor.ty.clone()),
            Self::Register(register) => Kind::Register(register.dtype),
        }
    }
}

/// How a branch hands on what may be in one buffer.
///
/// IREE keeps tensors that it computes together in one buffer, which a branch then hands on several times. The
/// last time that a branch names a buffer, IREE 3.13 moves it out of its register, even if that is also the
/// register that an argument before takes it from, which then is nothing. The same goes for what says when the
/// buffer is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// No more than one tensor.
    Once,
    /// All are named a second time, in cases of a switch that are never taken: it is there that IREE moves.
    Twice,
    /// Each tensor is in a buffer of its own, for which the machine waits. IREE has no switches with tensors
    /// of sizes that it does not know.
    Apart,
}

impl Way {
    /// The way to hand on values of these kinds.
    pub(super) fn of(kinds: &[Kind]) -> Self {
        let tensors: Vec<_> = kinds.iter().filter_map(Kind::tensor).collect();
        match tensors.iter().all(|ty| ty.shape.known().is_some()) {
            _ if tensors.len() < 2 => Self::Once,
            true => Self::Twice,
            false => Self::Apart,
        }
    }
}

/// What a branch hands to a block, and the way.
fn values<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    arguments: &[Handed<'c, 'b>],
) -> Result<(Vec<Value<'c, 'b>>, Way)> {
    let kinds: Vec<_> = arguments.iter().map(Handed::kind).collect();
    let width = Width::of(kinds.iter().map(Kind::number));
    let values = arguments
        .iter()
        .map(|argument| argument.value(emitter, width));
    Ok((values.collect::<Result<_>>()?, Way::of(&kinds)))
}

/// Appends an empty block behind the one that an emitter appends to, and returns it with its arguments.
pub(super) fn append_block<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    kinds: &[Kind],
) -> Result<(BlockRef<'c, 'b>, Vec<Handed<'c, 'b>>)> {
    let width = Width::of(kinds.iter().map(Kind::number));
    let mlir = kinds.iter().map(|kind| kind.mlir(emitter, width));
    let mlir = mlir.collect::<Result<Vec<_>>>()?;
    let arguments: Vec<_> = mlir.iter().map(|ty| (*ty, emitter.location)).collect();
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
        kind.handed(&inside, value.into(), width)
    };
    let arguments = kinds.iter().enumerate().map(argument);
    let arguments = arguments.collect::<Result<_>>()?;
    Ok((block, arguments))
}

/// Ends a block by going on in another.
pub(super) fn branch<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    block: BlockRef<'c, 'b>,
    arguments: &[Handed<'c, 'b>],
) -> Result<()> {
    let (arguments, way) = values(emitter, arguments)?;
    let successor = Successor {
        block,
        arguments: &arguments,
    };
    if way == Way::Twice {
        let zero = Vm(emitter).number(flag_type(emitter), 0)?;
        return switch_twice(emitter, zero, &[successor]);
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
    arguments: &[Handed<'c, 'b>],
) -> Result<()> {
    let (arguments, way) = values(emitter, arguments)?;
    let [then, otherwise] = blocks.map(|block| Successor {
        block,
        arguments: &arguments,
    });
    let condition = condition.value;
    if way == Way::Twice {
        let flag = Vm(emitter).extend_unsigned(condition, flag_type(emitter))?;
        return switch_twice(emitter, flag, &[otherwise, then]);
    }
    let successors = [then, otherwise];
    let operation =
        cf::conditional_branch(emitter.context, condition, successors, emitter.location)?;
    emitter.block.append_operation(operation);
    Ok(())
}

fn flag_type<'c>(emitter: &Emitter<'c, '_>) -> Type<'c> {
    IntegerType::new(emitter.context, 32).into()
}

/// Ends a block by going on in the one that a flag says.
fn switch_twice<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    flag: Value<'c, 'b>,
    successors: &[Successor<'_, 'c, 'b>],
) -> Result<()> {
    let (never, _) = append_block(emitter, &[])?;
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
