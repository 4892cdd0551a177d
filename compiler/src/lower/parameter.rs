//! Values that archives supply when a module is loaded.

use super::{
    emit::{Emitter, Result, Tensor},
    slice,
};
use iree_abi::{DType, Dim, Extent, Shape, TensorType};
use iree_dialects::{
    flow,
    prelude::{Attribute, Context, StringAttribute, Type, attributes},
};
use iree_dsl_ir::{ParameterName, op::Slice};

/// What IREE asks the host for, as a value of this type.
pub(super) fn attribute<'c>(
    context: &'c Context,
    name: &ParameterName,
    ty: Type<'c>,
) -> Result<Attribute<'c>> {
    let text = |text: &str| StringAttribute::new(context, text).to_string();
    let (scope, key) = (text(&name.scope), text(&name.key));
    let text = format!("#flow.parameter.named<{scope}::{key}> : {ty}");
    Ok(attributes::parse(context, &text)?)
}

/// Whether the real and imaginary parts are asked for as an axis of their own: IREE crashes on elements of
/// 128 bits.
pub(super) fn comes_in_parts(ty: &TensorType) -> bool {
    ty.dtype == DType::C128
}

/// Complex numbers from their parts, which alternate in the archive.
pub(super) fn from_parts<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    name: &ParameterName,
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    let mut dims = ty.shape.dims().to_vec();
    dims.push(Dim::Static(2));
    let parts = TensorType::new(ty.dtype.real(), Shape::new(dims));
    let result = emitter.tensor_type(&parts)?;
    let value = flow::TensorConstantOperation::builder(emitter.context, emitter.location)
        .value(attribute(emitter.context, name, result)?)
        .result(result)
        .append_to(&emitter.block)?
        .result()?;
    let parts = Tensor { value, ty: parts };
    let (re, im) = (part(emitter, &parts, 0)?, part(emitter, &parts, 1)?);
    emitter.complex(&re, &im, ty.dtype)
}

/// One index of the last axis.
fn part<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    parts: &Tensor<'c, 'b>,
    index: usize,
) -> Result<Tensor<'c, 'b>> {
    let Some((_, dims)) = parts.ty.shape.dims().split_last() else {
        return Ok(parts.clone());
    };
    let mut start = vec![Extent::from(0); dims.len()];
    let mut limit: Vec<_> = dims.iter().filter_map(Dim::extent).collect();
    start.push(Extent::from(index));
    limit.push(Extent::from(index + 1));
    let stride = vec![1; start.len()];
    let slice = Slice {
        start,
        limit,
        stride,
    };
    let mut kept = dims.to_vec();
    kept.push(Dim::Static(1));
    let ty = |dims| TensorType::new(parts.ty.dtype, Shape::new(dims));
    let column = slice::lower(emitter, &slice, parts, &ty(kept))?;
    emitter.reshape(&column, &Shape::new(dims.to_vec()))
}
