//! I. Murray, "Differentiation of the Cholesky decomposition", 2016, and M. B. Giles, "An extended collection of matrix
//! derivative results for forward and reverse mode algorithmic differentiation", 2008.

use super::{Context, Dual, exactly};
use crate::{
    builder::Builder,
    error::{Error, Result},
    linear::Linear,
    tape::{Input, NodeId},
};
use iree_abi::{DType, TensorType};
use iree_dsl_ir::{
    ValueId,
    op::{CompareOp, DotGeneral, Matrices, Solve, Transpose},
};

const LOWER: Solve = Solve::of(Matrices::Lower, false);

/// L̇ = L Φ(L⁻¹ Ȧ L⁻ᴴ), where Φ takes the lower triangle and half of the diagonal. One half of the matrix is read, but both have a
/// part in the derivative, as if they were always equal.
pub(super) fn factor(
    context: &mut Context,
    operands: &[Dual],
    result: ValueId,
) -> Result<Option<NodeId>> {
    let [matrix] = exactly(operands)?;
    let Some(tangent) = matrix.tangent else {
        return Ok(None);
    };
    let narrow = context.builder.ty(result)?;
    let tangent = widened(context, tangent)?;
    let result = wide(&mut context.builder, result)?;
    let ty = context.builder.ty(result)?;
    let other = turned(context, &ty, tangent)?;
    let other = conjugate(context, &ty, other)?;
    let sum = context.add(Some(tangent), Some(other))?;
    let sum = sum.ok_or(Error::Lost("a tangent"))?;
    let solve = |matrices| Linear::Solve {
        op: LOWER,
        matrices,
    };
    let left = context.same(solve(result), sum)?;
    let left = turned(context, &ty, left)?;
    let conjugated = context.builder.conjugate(result)?;
    let both = context.same(solve(conjugated), left)?;
    let both = turned(context, &ty, both)?;
    // Half of the sum of both halves is their mean.
    let half = triangle(&mut context.builder, &ty, Matrices::Lower, [0.5, 0.25])?;
    let half = context.scale(both, half)?;
    let op = product(&ty)?;
    let change = context.same(Linear::DotRight { op, lhs: result }, half)?;
    converted(context, change, narrow).map(Some)
}

/// Ẋ = A⁻¹ (Ḃ - Ȧ X).
pub(super) fn solution(
    context: &mut Context,
    op: Solve,
    operands: &[Dual],
    result: ValueId,
) -> Result<Option<NodeId>> {
    let [matrix, right] = exactly(operands)?;
    let narrow = context.builder.ty(result)?;
    let matrices = wide(&mut context.builder, matrix.primal)?;
    let moved = match matrix.tangent {
        Some(tangent) => {
            let tangent = widened(context, tangent)?;
            let result = wide(&mut context.builder, result)?;
            let moved = product_with(context, op, tangent, result)?;
            Some(context.same(Linear::Negate, moved)?)
        }
        None => None,
    };
    let right = right.tangent.map(|tangent| widened(context, tangent));
    let Some(right) = context.add(right.transpose()?, moved)? else {
        return Ok(None);
    };
    let change = context.same(Linear::Solve { op, matrices }, right)?;
    converted(context, change, narrow).map(Some)
}

/// Numbers of 16 bits as `f32`, which what is between may be too large for.
fn wide(builder: &mut Builder, value: ValueId) -> Result<ValueId> {
    match builder.ty(value)?.dtype.size() {
        2 => builder.convert(value, DType::F32),
        _ => Ok(value),
    }
}

/// The same of a tangent.
fn widened(context: &mut Context, tangent: NodeId) -> Result<NodeId> {
    let ty = context.tape.ty(tangent)?;
    match ty.dtype.size() {
        2 => converted(context, tangent, TensorType::new(DType::F32, ty.shape)),
        _ => Ok(tangent),
    }
}

/// A tangent as one of an element type.
fn converted(context: &mut Context, tangent: NodeId, ty: TensorType) -> Result<NodeId> {
    match context.tape.ty(tangent)?.dtype == ty.dtype {
        true => Ok(tangent),
        false => Ok(context.apply(Linear::Convert(ty.dtype), tangent, ty)),
    }
}

/// The product of the part of matrices that counts, or of its transpose, with what is kept.
fn product_with(
    context: &mut Context,
    op: Solve,
    matrices: NodeId,
    rhs: ValueId,
) -> Result<NodeId> {
    let ty = context.tape.ty(matrices)?;
    let diagonal = if op.matrices.is_unit() { 0.0 } else { 1.0 };
    let mut part = matrices;
    if op.matrices != Matrices::General {
        let counts = triangle(&mut context.builder, &ty, op.matrices, [1.0, diagonal])?;
        part = context.scale(part, counts)?;
    }
    if op.transposed {
        part = turned(context, &ty, part)?;
    }
    let op = product(&ty)?;
    let ty = context.builder.ty(rhs)?;
    Ok(context.apply(Linear::DotLeft { op, rhs }, part, ty))
}

/// The last two axes exchanged.
fn turned(context: &mut Context, ty: &TensorType, matrices: NodeId) -> Result<NodeId> {
    let (rows, columns) = axes(ty)?;
    let mut permutation: Vec<_> = (0..rows).collect();
    permutation.extend([columns, rows]);
    context.same(Linear::Permute(Transpose { permutation }), matrices)
}

/// The number with the other imaginary part, which only real factors go through.
fn conjugate(context: &mut Context, ty: &TensorType, numbers: NodeId) -> Result<NodeId> {
    if !ty.dtype.is_complex() {
        return Ok(numbers);
    }
    let part = TensorType::new(ty.dtype.real(), ty.shape.clone());
    let real = context.apply(Linear::Real, numbers, part.clone());
    let imaginary = context.apply(Linear::Imag, numbers, part);
    let negative = context.same(Linear::Negate, imaginary)?;
    let inputs = vec![Input::Node(real), Input::Node(negative)];
    let span = context.builder.span;
    Ok(context
        .tape
        .apply(Linear::Complex, inputs, ty.clone(), span))
}

/// Products of matrices in a batch.
fn product(ty: &TensorType) -> Result<DotGeneral> {
    let (rows, columns) = axes(ty)?;
    Ok(DotGeneral {
        batch: ((0..rows).collect(), (0..rows).collect()),
        contract: (vec![columns], vec![rows]),
        dtype: ty.dtype,
    })
}

/// The axes of rows and columns.
fn axes(ty: &TensorType) -> Result<(usize, usize)> {
    let rank = ty.shape.rank();
    let rows = rank
        .checked_sub(2)
        .ok_or(Error::Lost("the axes of a matrix"))?;
    Ok((rows, rows + 1))
}

/// Matrices with a number off the diagonal and one on it in a triangle, and zeros elsewhere.
fn triangle(
    builder: &mut Builder,
    ty: &TensorType,
    matrices: Matrices,
    [off, on]: [f64; 2],
) -> Result<ValueId> {
    let (rows, columns) = axes(ty)?;
    let (row, column) = (
        builder.iota(&ty.shape, rows)?,
        builder.iota(&ty.shape, columns)?,
    );
    let relation = match matrices.is_lower() {
        true => CompareOp::Greater,
        false => CompareOp::Less,
    };
    let is_off = builder.compare(relation, row, column)?;
    let is_on = builder.compare(CompareOp::Equal, row, column)?;
    let (off, on, zero) = (
        builder.splat(off, ty)?,
        builder.splat(on, ty)?,
        builder.zeros(ty)?,
    );
    let rest = builder.select(is_on, on, zero)?;
    builder.select(is_off, off, rest)
}
