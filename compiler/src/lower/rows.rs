//! Rows of a table, looked up.
//!
//! Element by element, IREE reads a row as it reads numbers that lie anywhere. As `iree_linalg_ext.gather` it copies it.

use super::{
    emit::{Emitter, Result, Tensor},
    error::LowerCause,
    global, index, types,
};
use crate::machine::Machine;
use iree_abi::{DType, Dim, Shape, TensorType};
use iree_dialects::{iree_linalg_ext, prelude::*, tensor};
use iree_dsl_ir::op::Gather;

/// How many elements a row has at least, to be worth a copy.
const LEAST: i128 = 16;

/// Whether whole rows of known size are looked up, on a processor.
pub(super) fn are_looked_up(machine: Machine, op: &Gather, table: &TensorType) -> bool {
    let row = table.shape.dims().get(1..).unwrap_or_default();
    let size = Shape::new(row.to_vec()).element_count();
    let size = size.and_then(|size| size.known());
    let is_copied = table.dtype != DType::Bool && !table.dtype.is_complex();
    op.axes == [0] && is_copied && !machine.is_gpu && size.is_some_and(|size| size >= LEAST)
}

/// The rows at some places, which are moved into the table.
pub(super) fn lower<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    table: &Tensor<'c, 'b>,
    places: &Tensor<'c, 'b>,
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    let list = index::listed(emitter, places, places.ty.shape.rank())?;
    let (all, row) = table
        .ty
        .shape
        .dims()
        .split_first()
        .ok_or(LowerCause::Lost("an axis"))?;
    let list = index::moved_inside(emitter, &list, all)?;
    let stored = global::cast(emitter, table.clone(), &types::stored(&table.ty))?;
    let count = list.ty.shape.dims().first().cloned();
    let dims: Vec<Dim> = count.into_iter().chain(row.iter().cloned()).collect();
    let rows = TensorType::new(stored.dtype(), Shape::new(dims));
    let output = tensor::EmptyOperation::builder(emitter.context, emitter.location)
        .dynamic_sizes(&emitter.unknown(&rows.shape)?)
        .result(emitter.tensor_type(&rows)?)
        .append_to(&emitter.block)?
        .result()?;
    let results = iree_linalg_ext::GatherOperation::builder(emitter.context, emitter.location)
        .source(stored.value)
        .indices(list.value)
        .output(output)
        .dimension_map(DenseI64ArrayAttribute::new(emitter.context, &[0]))
        .results(&[emitter.tensor_type(&rows)?])
        .append_to(&emitter.block)?
        .results()?;
    let value = results.first().copied();
    let value = value.ok_or(LowerCause::Lost("the result of a lookup"))?;
    let rows = Tensor { value, ty: rows };
    let found = emitter.reshape(&rows, &ty.shape)?;
    global::cast(emitter, found, ty)
}
