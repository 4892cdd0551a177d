//! Control flow as blocks with branches.
//!
//! `stablehlo.while` would say the same, but what IREE 3.13 makes of it on the way (`scf.while`) crashes
//! its conversion to streams when a round does not use everything that it is handed.

use super::{
    emit::{Emitter, Result, Tensor},
    error::LowerCause,
};
use iree_abi::TensorType;
use iree_dialects::{
    cf::{self, Successor},
    prelude::*,
    tensor,
};

/// Appends an empty block behind the one that an emitter appends to, and returns it with its arguments.
pub(super) fn append_block<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    types: &[TensorType],
) -> Result<(BlockRef<'c, 'b>, Vec<Tensor<'c, 'b>>)> {
    let mlir = types.iter().map(|ty| emitter.tensor_type(ty));
    let mlir = mlir.collect::<Result<Vec<_>>>()?;
    let arguments: Vec<_> = mlir.iter().map(|ty| (*ty, emitter.location)).collect();
    let region = emitter.block.parent_region();
    let region = region.ok_or(LowerCause::Lost("the region of a block"))?;
    let block = region.append_block(Block::new(&arguments));
    let inside = Emitter {
        block,
        ..emitter.clone()
    };
    let argument = |(index, ty): (usize, &TensorType)| {
        let value = block.argument(index);
        let value = value.map_err(|_| LowerCause::Lost("the argument of a block"))?;
        inside.with_sizes(Tensor {
            value: value.into(),
            ty: ty.clone(),
        })
    };
    let arguments = types
        .iter()
        .enumerate()
        .map(argument)
        .collect::<Result<_>>()?;
    Ok((block, arguments))
}

/// Ends a block by going on in another.
pub(super) fn branch<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    block: BlockRef<'c, 'b>,
    arguments: &[Tensor<'c, 'b>],
) -> Result<()> {
    let arguments: Vec<_> = arguments.iter().map(|argument| argument.value).collect();
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
    condition: &Tensor<'c, 'b>,
    blocks: [BlockRef<'c, 'b>; 2],
    arguments: &[Tensor<'c, 'b>],
) -> Result<()> {
    let element = tensor::ExtractOperation::builder(emitter.context, emitter.location)
        .tensor(condition.value)
        .result(Type::from(IntegerType::new(emitter.context, 1)))
        .indices(&[])
        .append_to(&emitter.block)?
        .result()?;
    let arguments: Vec<_> = arguments.iter().map(|argument| argument.value).collect();
    let successors = blocks.map(|block| Successor {
        block,
        arguments: &arguments,
    });
    let operation = cf::conditional_branch(emitter.context, element, successors, emitter.location)?;
    emitter.block.append_operation(operation);
    Ok(())
}
