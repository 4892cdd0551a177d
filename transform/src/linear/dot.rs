//! Contractions, transposed: a contraction of the cotangent with the other operand.

use super::Linear;
use crate::{builder::Builder, error::Result};
use iree_abi::TensorType;
use iree_dsl_ir::{
    ValueId,
    op::{DotGeneral, Op},
};

/// A contraction of a tensor with a kept one.
#[derive(Clone, Debug)]
pub(crate) struct Contraction {
    op: DotGeneral,
    pub(crate) kept: ValueId,
    /// Which operand the tensor is.
    operand: Operand,
}

#[derive(Clone, Copy, Debug)]
enum Operand {
    First,
    Second,
}

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

impl Linear {
    /// The map as a contraction, if it is one.
    pub(crate) fn contraction(&self) -> Option<Contraction> {
        match self {
            Self::DotLeft { op, rhs } => Some(Contraction::of_first(op, *rhs)),
            Self::DotRight { op, lhs } => Some(Contraction::of_second(op, *lhs)),
            _ => None,
        }
    }
}

impl Contraction {
    pub(super) fn of_first(op: &DotGeneral, kept: ValueId) -> Self {
        Self {
            op: op.clone(),
            kept,
            operand: Operand::First,
        }
    }

    pub(super) fn of_second(op: &DotGeneral, kept: ValueId) -> Self {
        Self {
            op: op.clone(),
            kept,
            operand: Operand::Second,
        }
    }

    /// The cotangent of the tensor, which has this type.
    pub(super) fn transpose(
        &self,
        builder: &mut Builder,
        ty: &TensorType,
        cotangent: ValueId,
    ) -> Result<ValueId> {
        self.sum(builder, ty, [cotangent, self.kept], 0)
    }

    /// The sum of the cotangents of the tensor, which has this type, in all iterations: of what they keep and of their
    /// cotangents, both along new first axes.
    pub(crate) fn transpose_all(
        &self,
        builder: &mut Builder,
        ty: &TensorType,
        [cotangents, kept]: [ValueId; 2],
    ) -> Result<ValueId> {
        self.sum(builder, ty, [cotangents, kept], 1)
    }

    /// Contracts a cotangent with what is kept, and sums over as many new first axes of both.
    fn sum(
        &self,
        builder: &mut Builder,
        ty: &TensorType,
        [cotangent, kept]: [ValueId; 2],
        over: usize,
    ) -> Result<ValueId> {
        let dtype = builder.ty(cotangent)?.dtype;
        let kept = builder.convert(kept, dtype)?;
        let rank = builder.shape(kept)?.rank().saturating_sub(over);
        let (own, other) = self.sides(ty.shape.rank(), rank);
        let batch = own.batch.len();
        // In the cotangent, the free axes of the kept operand come behind the batch, and behind those of the tensor if it is
        // the first operand.
        let first = match self.operand {
            Operand::First => batch + own.free().len(),
            Operand::Second => batch,
        };
        let free = other.free();
        let behind = |axes: &[usize]| axes.iter().map(|axis| axis + over).collect::<Vec<_>>();
        let summed = |axes: &[usize]| [Vec::from_iter(0..over), behind(axes)].concat();
        let op = DotGeneral {
            batch: (behind(&Vec::from_iter(0..batch)), behind(other.batch)),
            contract: (
                summed(&Vec::from_iter(first..first + free.len())),
                summed(&free),
            ),
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

    /// The tensor's side, and that of what is kept, which have these ranks.
    fn sides(&self, own: usize, other: usize) -> (Side<'_>, Side<'_>) {
        let (batch, contract) = (&self.op.batch, &self.op.contract);
        let (first, second) = (
            |rank| Side {
                rank,
                batch: &batch.0,
                contract: &contract.0,
            },
            |rank| Side {
                rank,
                batch: &batch.1,
                contract: &contract.1,
            },
        );
        match self.operand {
            Operand::First => (first(own), second(other)),
            Operand::Second => (second(own), first(other)),
        }
    }
}
