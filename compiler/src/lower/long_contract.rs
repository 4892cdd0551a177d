//! Products of matrices and vectors that add up so many numbers that `f32` does not hold what each of them adds.

use super::{
    Machine,
    contract::{self, accumulator},
    emit::{Emitter, Result, Tensor},
    error::LowerCause,
    long, opaque, reduce, types,
};
use iree_abi::{DType, DTypeClass, Dim, Shape, TensorType};
use iree_dsl_ir::op::{DotGeneral, ReduceKind};

/// How such a product is computed.
pub(super) enum Long {
    /// As a tensor of products, which is reduced.
    Reduced,
    /// With numbers of another type.
    Wide(DType),
    /// As so many products, which are added up.
    Parts(usize),
}

impl Long {
    /// How a product is computed that has the type `ty`, if it is long. One of matrices along an axis whose size is
    /// not known is not: it would take twice as long.
    pub(super) fn of(
        op: &DotGeneral,
        lhs: &TensorType,
        rhs: &TensorType,
        ty: &TensorType,
    ) -> Option<Self> {
        let wide = long::multiplied_in(ty.dtype, lhs, &op.contract.0);
        if lhs.dtype.is_integer() || wide == accumulator(ty.dtype) {
            return None;
        }
        let is_known = lhs.shape.known().is_some() && rhs.shape.known().is_some();
        let [left, right] = op.vectors(&lhs.shape, &rhs.shape);
        let is_matrix = ty.dtype.class() == DTypeClass::Float && is_known && !left && !right;
        match long::parts(lhs, &op.contract.0) {
            _ if is_known && left && right && op.contract.0.len() == lhs.shape.rank() => {
                Some(Self::Reduced)
            }
            Some(parts) if is_matrix && !long::is_small(ty) => Some(Self::Parts(parts)),
            _ if left || right || is_matrix || long::is_small(ty) => Some(Self::Wide(wide)),
            _ => None,
        }
    }

    pub(super) fn lower<'c, 'b>(
        self,
        emitter: &Emitter<'c, 'b>,
        machine: Machine,
        op: &DotGeneral,
        (lhs, rhs): (&Tensor<'c, 'b>, &Tensor<'c, 'b>),
        ty: &TensorType,
    ) -> Result<Tensor<'c, 'b>> {
        if let Some((op, lhs, rhs)) = along_one(emitter, op, (lhs, rhs))? {
            let way = Self::of(&op, &lhs.ty, &rhs.ty, ty).unwrap_or(self);
            let (lhs, rhs) = match way {
                Self::Wide(_) => (
                    opaque::unfused(emitter, &lhs)?,
                    opaque::unfused(emitter, &rhs)?,
                ),
                Self::Reduced | Self::Parts(_) => (lhs, rhs),
            };
            return way.lower(emitter, machine, &op, (&lhs, &rhs), ty);
        }
        let dtype = match self {
            Self::Wide(dtype) => dtype,
            _ => accumulator(ty.dtype),
        };
        let wide = types::with_dtype(ty, dtype);
        let product = match self {
            Self::Reduced => {
                let lhs = reduce::widened(emitter, lhs, dtype)?;
                let rhs = reduce::widened(emitter, rhs, dtype)?;
                let rhs = contract::turned(emitter, &rhs, order(op))?;
                let products = emitter.multiply(&lhs, &rhs)?;
                let axes: Vec<_> = (0..lhs.ty.shape.rank()).collect();
                reduce::accumulate(emitter, ReduceKind::Sum, &products, &axes, &wide)?
            }
            Self::Wide(dtype) => {
                let lhs = reduce::widened(emitter, lhs, dtype)?;
                let rhs = reduce::widened(emitter, rhs, dtype)?;
                let op = DotGeneral {
                    dtype,
                    ..op.clone()
                };
                contract::lower(emitter, machine, &op, (&lhs, &rhs), &wide)?
            }
            Self::Parts(parts) => in_parts(emitter, machine, op, (lhs, rhs), (&wide, parts))?,
        };
        reduce::narrowed(emitter, &product, ty.dtype)
    }
}

/// A product of matrices of known sizes that is long along several axes, as one along a single axis, if they follow each other: that
/// can be divided into parts. What is widened behind a reshape is not widened in the dispatch of the product, which then takes twice
/// as long, hence the barriers.
fn along_one<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &DotGeneral,
    (lhs, rhs): (&Tensor<'c, 'b>, &Tensor<'c, 'b>),
) -> Result<Option<contract::Merged<'c, 'b>>> {
    let is_known = lhs.ty.shape.known().is_some() && rhs.ty.shape.known().is_some();
    let are_matrices = op.vectors(&lhs.ty.shape, &rhs.ty.shape) == [false, false];
    match is_known && are_matrices {
        true => contract::merged(emitter, op, (lhs, rhs)),
        false => Ok(None),
    }
}

/// For each axis of the left factor, all of which are added up, that of the right one.
fn order(op: &DotGeneral) -> Vec<usize> {
    let mut pairs: Vec<_> = op.contract.0.iter().zip(&op.contract.1).collect();
    pairs.sort();
    pairs.into_iter().map(|(_, axis)| *axis).collect()
}

/// The sum of the products of parts, which are a batch of products.
fn in_parts<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    machine: Machine,
    op: &DotGeneral,
    (lhs, rhs): (&Tensor<'c, 'b>, &Tensor<'c, 'b>),
    (ty, parts): (&TensorType, usize),
) -> Result<Tensor<'c, 'b>> {
    let (lhs, left) = divided(emitter, lhs, &op.batch.0, &op.contract.0, parts)?;
    let (rhs, right) = divided(emitter, rhs, &op.batch.1, &op.contract.1, parts)?;
    let op = DotGeneral {
        batch: (left.0, right.0),
        contract: (left.1, right.1),
        dtype: ty.dtype,
    };
    let dims = [&[Dim::Static(parts)], ty.shape.dims()].concat();
    let products = TensorType::new(ty.dtype, Shape::new(dims));
    let products = contract::lower(emitter, machine, &op, (&lhs, &rhs), &products)?;
    reduce::accumulate(emitter, ReduceKind::Sum, &products, &[0], ty)
}

/// Axes of a factor: those of the batch, and those that are added up.
type Roles = (Vec<usize>, Vec<usize>);

/// A factor with the axis that is added up as two, and its axes of the batch and of the sum.
fn divided<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    factor: &Tensor<'c, 'b>,
    batch: &[usize],
    summed: &[usize],
    parts: usize,
) -> Result<(Tensor<'c, 'b>, Roles)> {
    let lost = || LowerCause::Lost("the axis of a sum");
    let summed = *summed.first().ok_or_else(lost)?;
    let mut dims = factor.ty.shape.dims().to_vec();
    let size = dims.get_mut(summed).ok_or_else(lost)?;
    *size = Dim::Static(size.known().ok_or_else(lost)? / parts);
    dims.insert(summed, Dim::Static(parts));
    let moved = batch.iter().map(|axis| axis + usize::from(*axis > summed));
    let batch = std::iter::once(summed).chain(moved).collect();
    let factor = emitter.reshape(factor, &Shape::new(dims))?;
    Ok((factor, (batch, vec![summed + 1])))
}
