//! Contractions, transposed: a contraction of the cotangent with the other operand.

use crate::{builder::Builder, error::Result};
use iree_abi::TensorType;
use iree_dsl_ir::{
    ValueId,
    op::{DotGeneral, Op},
};

/// One side of a contraction: its rank and its axes.
struct Side<'a> {
    rank: usize,
    batch: &'a [usize],
    contract: &'a [usize],
}

impl Side<'_> {
    fn free(&self) -> Vec<usize> {
        let used = |axis: &usize| self.batch.contains(axis) || self.contract.contains(axis);
        (0..self.rank).filter(|axis| !used(axis)).collect()
    }
}

/// The cotangent of the first operand, of this type.
pub(super) fn left(
    builder: &mut Builder,
    op: &DotGeneral,
    rhs: ValueId,
    ty: &TensorType,
    cotangent: ValueId,
) -> Result<ValueId> {
    let own = Side {
        rank: ty.shape.rank(),
        batch: &op.batch.0,
        contract: &op.contract.0,
    };
    let other = Side {
        rank: builder.shape(rhs)?.rank(),
        batch: &op.batch.1,
        contract: &op.contract.1,
    };
    // Behind the batch and the free axes of the first operand are those of the second.
    let first = op.batch.0.len() + own.free().len();
    side(builder, &own, &other, first, rhs, ty, cotangent)
}

/// The cotangent of the second operand, of this type.
pub(super) fn right(
    builder: &mut Builder,
    op: &DotGeneral,
    lhs: ValueId,
    ty: &TensorType,
    cotangent: ValueId,
) -> Result<ValueId> {
    let own = Side {
        rank: ty.shape.rank(),
        batch: &op.batch.1,
        contract: &op.contract.1,
    };
    let other = Side {
        rank: builder.shape(lhs)?.rank(),
        batch: &op.batch.0,
        contract: &op.contract.0,
    };
    side(builder, &own, &other, op.batch.0.len(), lhs, ty, cotangent)
}

/// Contracts the cotangent, in which the free axes of the kept operand begin at `first`, with that operand.
fn side(
    builder: &mut Builder,
    own: &Side<'_>,
    other: &Side<'_>,
    first: usize,
    kept: ValueId,
    ty: &TensorType,
    cotangent: ValueId,
) -> Result<ValueId> {
    let dtype = builder.ty(cotangent)?.dtype;
    let kept = builder.convert(kept, dtype)?;
    let free = other.free();
    let op = DotGeneral {
        batch: ((0..own.batch.len()).collect(), other.batch.to_vec()),
        contract: ((first..first + free.len()).collect(), free),
        dtype,
    };
    let product = builder.emit(Op::DotGeneral(op), &[cotangent, kept])?;
    // It has the batch, the free axes, and those that were summed, in the order of the kept operand.
    let mut summed: Vec<_> = other.contract.iter().zip(own.contract).collect();
    summed.sort();
    let mut axes = [own.batch, &own.free()].concat();
    axes.extend(summed.into_iter().map(|(_, axis)| *axis));
    let places = (0..own.rank).filter_map(|axis| axes.iter().position(|other| *other == axis));
    let product = builder.transpose(product, places.collect())?;
    builder.convert(product, ty.dtype)
}
