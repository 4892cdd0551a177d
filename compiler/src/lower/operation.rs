//! Operations with one result.

use super::{
    Lowering, binary, build, compare, contract, convert, convolution, cumulate,
    emit::{Emitter, Result, Tensor},
    error::LowerCause,
    fourier, index, opaque, order, reduce, select, shape, sizes, slice, structure, types, unary,
    window,
};
use iree_abi::TensorType;
use iree_dsl_ir::op::Op;

/// Lowers an operation, whose result has the type `ty`.
pub(super) fn lower<'c, 'b>(
    lowering: &Lowering<'_, 'c>,
    emitter: &Emitter<'c, 'b>,
    op: &Op,
    operands: &[Tensor<'c, 'b>],
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    match (op, operands) {
        (op, _) if !types::has_elements(ty) && !matches!(op, Op::GlobalLoad(_)) => {
            // IREE crashes on some operations on nothing.
            emitter.empty(ty)
        }
        (Op::Constant(op), []) => build::lower_constant(emitter, op),
        (Op::Iota(op), []) => build::lower_iota(emitter, op),
        (Op::Size(op), []) => sizes::lower(emitter, op),
        (Op::GlobalLoad(op), []) => structure::lower_load(lowering, emitter, op),
        (Op::Unary(op), [x]) => unary::lower(emitter, *op, x),
        (Op::Convert(dtype), [x]) => convert::lower(emitter, *dtype, x),
        (Op::Bitcast(dtype), [x]) => emitter.bitcast_convert(x, *dtype),
        (Op::Broadcast(op), [x]) => shape::lower_broadcast(emitter, op, x),
        (Op::Reshape(shape), [x]) => shape::lower_reshape(emitter, shape, x),
        (Op::Transpose(op), [x]) => shape::lower_transpose(emitter, op, x, ty),
        (Op::Reduce(op), [x]) => reduce::lower(emitter, lowering.machine, op, x, ty),
        (Op::DotGeneral(op), [a, b]) => contract::lower(emitter, lowering.machine, op, (a, b), ty),
        (Op::Fourier(op), [x]) => fourier::lower(emitter, *op, x),
        (Op::ReduceWindow(op), [x]) => window::lower_reduction(emitter, op, x, ty),
        (Op::Convolution(op), [x, w]) => {
            convolution::lower(emitter, lowering.machine, op, (x, w), ty)
        }
        (Op::ArgReduce(op), [x]) => reduce::lower_arg(emitter, lowering.machine, op, x, ty),
        (Op::Binary(op), [a, b]) => binary::lower(emitter, *op, a, b),
        (Op::Compare(op), [a, b]) => compare::lower(emitter, *op, a, b),
        (Op::Slice(op), [x]) => slice::lower(emitter, op, x, ty),
        (Op::DynamicSlice(op), [x, starts @ ..]) => {
            slice::lower_dynamic(emitter, op, x, starts, ty)
        }
        (Op::DynamicUpdateSlice, [x, update, starts @ ..]) => {
            slice::lower_dynamic_update(emitter, x, update, starts)
        }
        (Op::Concatenate(axis), operands) => slice::lower_concatenate(emitter, *axis, operands, ty),
        (Op::Reverse(axes), [x]) => {
            shape::lower_reverse(emitter, axes, &read_apart(lowering, emitter, x)?)
        }
        (Op::Gather(op), [x, places @ ..]) => {
            let x = read_apart(lowering, emitter, x)?;
            let places = places.iter().map(|it| read_apart(lowering, emitter, it));
            let places = places.collect::<Result<Vec<_>>>()?;
            index::lower_lookup(emitter, lowering.machine, op, &x, &places, ty)
        }
        (Op::Scatter(op), [x, updates, places @ ..]) => {
            let updates = read_apart(lowering, emitter, updates)?;
            index::lower_scatter(emitter, op, x, &updates, places)
        }
        (Op::ArgSort(op), [x]) => order::lower_sort(emitter, op, x, ty),
        (Op::Cumulate(op), [x]) => cumulate::lower(emitter, op, x),
        (Op::Select, [mask, a, b]) => select::lower(emitter, mask, a, b),
        // Another number of operands, or what has no result or several.
        (Op::Constant(_) | Op::Iota(_) | Op::Size(_) | Op::GlobalLoad(_), _)
        | (Op::Unary(_) | Op::Binary(_) | Op::Compare(_) | Op::Select, _)
        | (Op::Convert(_) | Op::Bitcast(_) | Op::Broadcast(_) | Op::Reshape(_), _)
        | (Op::Transpose(_) | Op::Reverse(_) | Op::Slice(_) | Op::DynamicSlice(_), _)
        | (Op::DynamicUpdateSlice | Op::Pad(_) | Op::Gather(_) | Op::Scatter(_), _)
        | (Op::DotGeneral(_) | Op::Convolution(_) | Op::Fourier(_) | Op::Reduce(_), _)
        | (Op::ReduceWindow(_) | Op::ArgReduce(_) | Op::ArgSort(_) | Op::Cumulate(_), _)
        // These are expanded before.
        | (Op::Cholesky | Op::Solve(_), _)
        | (Op::If | Op::While | Op::Call(_) | Op::Mlir(_) | Op::Import(_), _)
        | (Op::GlobalStore(_) | Op::Trace(_) | Op::Assert(_), _) => {
            Err(LowerCause::Lost("an operand"))
        }
    }
}

/// What is read element by element. IREE 3.13 reads parts of tensors on GPUs as if they were whole tensors, if it takes
/// them in one dispatch with what reads them so. Functions and branches may hand on a part, so that all are apart; of what
/// is in memory anyway nothing is left of that.
/// Defect `part-is-read-as-a-whole`.
fn read_apart<'c, 'b>(
    lowering: &Lowering<'_, 'c>,
    emitter: &Emitter<'c, 'b>,
    tensor: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    match lowering.machine.is_gpu {
        true => opaque::unfused(emitter, tensor),
        false => Ok(tensor.clone()),
    }
}
