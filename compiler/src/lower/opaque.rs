//! Values that IREE cannot see through while it compiles.

use super::{
    emit::{Emitter, Result, Tensor},
    error::LowerCause,
    global, reduce,
    register::Register,
    slice, types,
    vm::Vm,
};
use iree_abi::{DType, DTypeClass, Extent, Shape, TensorType};
use iree_dialects::{
    attributes, bufferization,
    iree_tensor_ext::{ComputeBarrierEndOperation, ComputeBarrierStartOperation},
    prelude::*,
    stablehlo::ComparisonDirection,
    tensor, util,
};
use iree_dsl_ir::{
    Scalar,
    op::{ReduceKind, Slice},
};

/// The same tensor, of which IREE knows nothing else until it has compiled all. The host waits for it, and it begins a buffer. IREE
/// refuses constants behind it that are not the same everywhere.
pub(super) fn barrier<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    tensor: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    if emitter.is_contained {
        return Ok(tensor.clone());
    }
    global::in_storage(emitter, tensor, |stored| {
        let value = hidden(emitter, stored.value)?;
        emitter.with_sizes(Tensor { value, ..stored })
    })
}

/// The same tensor, which IREE has in memory before it computes anything of it: nothing is fused, and no reshape moves, across.
/// When dispatches are made, nothing is left of that, so that the host waits for nothing, as it does for what is behind a
/// [`barrier`].
pub(super) fn unfused<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    tensor: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    if emitter.is_contained {
        return Ok(tensor.clone());
    }
    let (context, location) = (emitter.context, emitter.location);
    global::in_storage(emitter, tensor, |stored| {
        let sizes = emitter.unknown(&stored.ty.shape)?;
        let end = ComputeBarrierEndOperation::builder(context, location)
            .value(stored.value)
            .value_dims(&sizes)
            .result(emitter.tensor_type(&stored.ty)?)
            .discardable_attribute(DISTINCT, distinct(context)?)
            .append_to(&emitter.block)?;
        let start = ComputeBarrierStartOperation::builder(context, location)
            .value(end.result()?)
            .value_dims(&sizes)
            .result(emitter.tensor_type(&stored.ty)?)
            .append_to(&emitter.block)?;
        let value = start.result()?;
        emitter.with_sizes(Tensor { value, ..stored })
    })
}

/// What tells equal operations apart, of which MLIR would make one. Of what is behind one of them IREE fuses more into one
/// dispatch, and may then have some of it before what it is computed from.
const DISTINCT: &str = "iree_dsl.distinct";

/// Another value of [`DISTINCT`] each time.
fn distinct(context: &Context) -> Result<Attribute<'_>> {
    Ok(attributes::parse(context, "distinct[0]<unit>")?)
}

/// Memory for a tensor of known sizes on the stack of a dispatch, which no other tensor gets.
pub(super) fn kept<'c, 'b>(emitter: &Emitter<'c, 'b>, ty: Type<'c>) -> Result<Value<'c, 'b>> {
    let kept = bufferization::AllocTensorOperation::builder(emitter.context, emitter.location)
        .dynamic_sizes(&[])
        .result(ty)
        .append_to(&emitter.block)?;
    Ok(kept.result()?)
}

/// The same tensor in memory on the stack of a dispatch.
pub(super) fn written<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    tensor: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    global::in_storage(emitter, tensor, |stored| {
        let place = kept(emitter, emitter.tensor_type(&stored.ty)?)?;
        let value = copied(emitter, stored.value, place)?;
        Ok(Tensor { value, ..stored })
    })
}

/// A tensor of a dispatch, written over another one.
pub(super) fn copied<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    value: Value<'c, 'b>,
    over: Value<'c, 'b>,
) -> Result<Value<'c, 'b>> {
    let (context, location) = (emitter.context, emitter.location);
    let copied = bufferization::MaterializeInDestinationOperation::builder(context, location)
        .source(value)
        .dest(over)
        .result(over.r#type())
        .append_to(&emitter.block)?
        .result()?;
    copied.ok_or(LowerCause::Lost("the result of a copy"))
}

/// Memory for what a dispatch returns, of known sizes, which no other tensor gets.
pub(super) fn returned<'c, 'b>(emitter: &Emitter<'c, 'b>, ty: Type<'c>) -> Result<Value<'c, 'b>> {
    let empty = tensor::EmptyOperation::builder(emitter.context, emitter.location)
        .dynamic_sizes(&[])
        .result(ty)
        .discardable_attribute(DISTINCT, distinct(emitter.context)?)
        .append_to(&emitter.block)?;
    Ok(empty.result()?)
}

/// The same value.
pub(super) fn hidden<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    value: Value<'c, 'b>,
) -> Result<Value<'c, 'b>> {
    if emitter.is_contained {
        return Ok(value);
    }
    let results = util::OptimizationBarrierOperation::builder(emitter.context, emitter.location)
        .operands(&[value])
        .append_to(&emitter.block)?
        .results()?;
    let value = results.first().copied();
    value.ok_or(LowerCause::Lost("the result of a barrier"))
}

/// Does nothing, which IREE keeps until it has compiled all else.
pub(super) fn mark(emitter: &Emitter<'_, '_>) -> Result<()> {
    util::OptimizationBarrierOperation::builder(emitter.context, emitter.location)
        .operands(&[])
        .append_to(&emitter.block)?;
    Ok(())
}

/// Has IREE leave the factors of all products of a function as they lie in memory: it looks for attributes of this name, and
/// where there is one, it packs what else has one. It knows it on any operation.
pub(super) fn unpacked(emitter: &Emitter<'_, '_>) -> Result<()> {
    util::OptimizationBarrierOperation::builder(emitter.context, emitter.location)
        .operands(&[])
        .discardable_attribute("iree.opt.data_tiling", Attribute::unit(emitter.context))
        .append_to(&emitter.block)?;
    Ok(())
}

/// The same tensor in a buffer of its own.
pub(super) fn copy<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    tensor: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    own(emitter, &barrier(emitter, tensor)?)
}

/// The same tensor as a part of what computes it, in a buffer of its own. Nothing that computes the same becomes one
/// with it, and IREE does not compute it again where it needs a copy.
pub(super) fn own<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    tensor: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    barrier(emitter, &identity(emitter, tensor)?)
}

/// The same tensor, computed by a dispatch that reads nothing else of what it is computed from.
pub(super) fn apart<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    tensor: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    identity(emitter, &unfused(emitter, tensor)?)
}

/// The same numbers, computed: combined with a number that changes nothing and that IREE does not know.
pub(super) fn identity<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    tensor: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    if emitter.is_contained || !types::has_elements(&tensor.ty) {
        return Ok(tensor.clone());
    }
    let neutral = neutral_numbers(emitter, &tensor.ty)?;
    match tensor.dtype() {
        DType::Bool => emitter.or(tensor, &neutral),
        _ => emitter.add(tensor, &neutral),
    }
}

/// Numbers of a type that change nothing and that IREE does not know.
fn neutral_numbers<'c, 'b>(emitter: &Emitter<'c, 'b>, ty: &TensorType) -> Result<Tensor<'c, 'b>> {
    let mut neutral = neutral(emitter, ty.dtype.real())?;
    if ty.dtype.is_complex() {
        neutral = emitter.complex(&neutral, &neutral, ty.dtype)?;
    }
    match ty.shape == Shape::default() {
        true => Ok(neutral),
        false => emitter.broadcast(&neutral, &ty.shape, &[]),
    }
}

/// The number that changes nothing, of a type that is not complex.
fn neutral<'c, 'b>(emitter: &Emitter<'c, 'b>, dtype: DType) -> Result<Tensor<'c, 'b>> {
    // Adding 0 would lose the sign of -0.
    let bits = match dtype {
        DType::F16 | DType::BF16 => i16::MIN.into(),
        DType::F32 => i32::MIN.into(),
        DType::F64 => i64::MIN,
        _ => 0,
    };
    unknown(emitter, dtype, bits)
}

/// A complex number everywhere, from its bytes, which IREE does not know.
pub(super) fn filled<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    bytes: &[u8],
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    let (re, im) = bytes.split_at(bytes.len() / 2);
    let part = |bytes: &[u8]| unknown(emitter, ty.dtype.real(), bits(bytes));
    let number = emitter.complex(&part(re)?, &part(im)?, ty.dtype)?;
    emitter.broadcast(&number, &ty.shape, &[])
}

/// The bits of a number, with the sign of an integer that has as many.
fn bits(bytes: &[u8]) -> i64 {
    let bits = bytes.iter().rev();
    let bits = bits.fold(0_u64, |bits, byte| (bits << 8) | u64::from(*byte));
    match bytes.len() {
        4 => i64::from((bits as u32).cast_signed()),
        _ => bits.cast_signed(),
    }
}

/// The number of these bits, of a type that is not complex, from a register. Of a tensor behind a barrier IREE would make
/// a buffer in each call, and wait for it.
fn unknown<'c, 'b>(emitter: &Emitter<'c, 'b>, dtype: DType, bits: i64) -> Result<Tensor<'c, 'b>> {
    let integer = match dtype {
        DType::F16 | DType::BF16 => DType::I16,
        DType::F32 => DType::I32,
        DType::F64 => DType::I64,
        _ => dtype,
    };
    let bits = Vm(emitter).constant(integer, bits)?;
    let register = Register {
        value: hidden(emitter, bits)?,
        dtype: integer,
    };
    let number = register.tensor(emitter)?;
    match dtype.class() {
        DTypeClass::Float => emitter.bitcast_convert(&number, dtype),
        _ => Ok(number),
    }
}

/// The same numbers, which IREE computes after others: as if it depended on whether there is something but zeros in these.
pub(super) fn after<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    tensor: &Tensor<'c, 'b>,
    others: &[Tensor<'c, 'b>],
) -> Result<Tensor<'c, 'b>> {
    if emitter.is_contained {
        return Ok(tensor.clone());
    }
    let truth = IntegerType::new(emitter.context, 1).into();
    let never = Vm(emitter).number(truth, 0)?;
    let never = Register {
        value: hidden(emitter, never)?,
        dtype: DType::Bool,
    };
    let mut mask = never.tensor(emitter)?;
    for other in others {
        mask = emitter.and(&mask, &has_number(emitter, other)?)?;
    }
    if tensor.ty.shape != Shape::default() {
        mask = emitter.broadcast(&mask, &tensor.ty.shape, &[])?;
    }
    // What is computed of the tensor itself may be equal to it, of zeros for example, and IREE would see that.
    let others = neutral_numbers(emitter, &tensor.ty)?;
    emitter.select(&mask, &others, tensor)
}

/// Whether a tensor has numbers other than zero, of those that are looked at: the first, if it is known that there is one.
fn has_number<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    tensor: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    let looked_at = match tensor.ty.shape.known() {
        Some(_) => first(emitter, tensor)?,
        None => tensor.clone(),
    };
    let real = match looked_at.dtype().is_complex() {
        true => emitter.real(&looked_at)?,
        false => looked_at,
    };
    let zero = emitter.splat(Scalar::zero(real.dtype()), &real.ty)?;
    let is_number = emitter.compare(ComparisonDirection::NotEqual, &real, &zero)?;
    let axes: Vec<_> = (0..is_number.ty.shape.rank()).collect();
    let any = types::scalar(DType::Bool);
    reduce::reduce(emitter, ReduceKind::Any, &is_number, &axes, &any)
}

/// The first element of a tensor that has some.
fn first<'c, 'b>(emitter: &Emitter<'c, 'b>, tensor: &Tensor<'c, 'b>) -> Result<Tensor<'c, 'b>> {
    let rank = tensor.ty.shape.rank();
    let op = Slice {
        start: vec![Extent::from(0); rank],
        limit: vec![Extent::from(1); rank],
        stride: vec![1; rank],
    };
    let ty = TensorType::new(tensor.dtype(), vec![1; rank].as_slice());
    slice::lower(emitter, &op, tensor, &ty)
}

/// A complex number of two parts that may be matrix products: IREE would fuse it into them, and then
/// fails on the tiles of data tiling.
pub(super) fn complex<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    re: &Tensor<'c, 'b>,
    im: &Tensor<'c, 'b>,
    dtype: DType,
) -> Result<Tensor<'c, 'b>> {
    emitter.complex(&unfused(emitter, re)?, &unfused(emitter, im)?, dtype)
}
