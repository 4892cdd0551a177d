//! Control flow as blocks with branches.
//!
//! `stablehlo.while` would say the same, but what IREE 3.13 makes of it on the way (`scf.while`) crashes
//! its conversion to streams when a round does not use everything that it is handed.

use super::{
    emit::{Emitter, Result, Tensor},
    error::LowerCause,
    register::{Register, Width},
};
use iree_abi::{DType, TensorType};
use iree_dialects::{
    cf::{self, Successor},
    prelude::*,
};

/// Where a value is that a block hands to another, and its type.
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
            Self::Tensor(ty) => emitter.tensor_type(ty),
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
                let ty = ty.clone();
                Handed::Tensor(emitter.with_sizes(Tensor { value, ty })?)
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
}

impl<'c, 'b> Handed<'c, 'b> {
    fn value(&self, emitter: &Emitter<'c, 'b>, width: Width) -> Result<Value<'c, 'b>> {
        match self {
            Self::Tensor(tensor) => Ok(tensor.value),
            Self::Register(register) => register.handed(emitter, width),
        }
    }

    fn number(&self) -> Option<DType> {
        match self {
            Self::Tensor(_) => None,
            Self::Register(register) => Some(register.dtype),
        }
    }
}

/// What a branch hands to a block.
fn values<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    arguments: &[Handed<'c, 'b>],
) -> Result<Vec<Value<'c, 'b>>> {
    let width = Width::of(arguments.iter().map(Handed::number));
    let values = arguments
        .iter()
        .map(|argument| argument.value(emitter, width));
    values.collect()
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
    let arguments = values(emitter, arguments)?;
    let successor = Successor {
        block,
        arguments: &arguments,
    };
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
    let arguments = values(emitter, arguments)?;
    let successors = blocks.map(|block| Successor {
        block,
        arguments: &arguments,
    });
    let operation = cf::conditional_branch(
        emitter.context,
        condition.value,
        successors,
        emitter.location,
    )?;
    emitter.block.append_operation(operation);
    Ok(())
}
