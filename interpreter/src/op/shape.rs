//! The same elements with other axes.

use super::Operands;
use crate::{
    Cause, Tensor,
    tensor::{each, from_elements},
};
use iree_dsl_ir::op::{Broadcast, Transpose};
use ndarray::{Axis, IxDyn};

/// Puts axes of 1 where the operand has none, and repeats along these.
pub(super) fn broadcast(op: &Broadcast, operands: &Operands<'_>) -> Result<Tensor, Cause> {
    let [operand] = operands.exactly()?;
    let shape = operands.shape()?;
    let mut spread = vec![1; shape.len()];
    for (axis, size) in op.axes.iter().zip(operand.shape()) {
        *spread.get_mut(*axis).ok_or(Cause::Lost("an axis"))? = *size;
    }
    let sizes = || Cause::Sizes {
        expected: shape.to_vec(),
        found: spread.clone(),
    };
    each!(operand, array => {
        let spread = array.to_shape(spread.as_slice()).map_err(|_| sizes())?;
        let repeated = spread.broadcast(shape).ok_or_else(sizes)?;
        Ok(Tensor::from(repeated))
    })
}

pub(super) fn reshape(operands: &Operands<'_>) -> Result<Tensor, Cause> {
    let [operand] = operands.exactly()?;
    let shape = operands.shape()?;
    if operand.len() != shape.iter().product() {
        return Err(Cause::Sizes {
            expected: shape.to_vec(),
            found: operand.shape().to_vec(),
        });
    }
    each!(operand, array => from_elements(shape, array.iter().copied().collect()))
}

pub(super) fn transpose(op: &Transpose, operands: &Operands<'_>) -> Result<Tensor, Cause> {
    let [operand] = operands.exactly()?;
    if op.permutation.len() != operand.shape().len() {
        return Err(Cause::Lost("an axis"));
    }
    let axes = IxDyn(&op.permutation);
    Ok(each!(operand, array => Tensor::from(array.clone().permuted_axes(axes))))
}

pub(super) fn reverse(axes: &[usize], operands: &Operands<'_>) -> Result<Tensor, Cause> {
    let [operand] = operands.exactly()?;
    let rank = operand.shape().len();
    if axes.iter().any(|axis| *axis >= rank) {
        return Err(Cause::Lost("an axis"));
    }
    Ok(each!(operand, array => {
        let mut turned = array.view();
        axes.iter().for_each(|axis| turned.invert_axis(Axis(*axis)));
        Tensor::from(turned)
    }))
}
