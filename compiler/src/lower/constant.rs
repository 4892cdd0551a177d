use super::{error::LowerCause, types};
use iree_abi::{DType, DTypeClass};
use iree_dialects::prelude::*;
use iree_dsl_ir::{Constant, ConstantData};

/// The elements of a constant as an attribute of its type.
pub(super) fn attribute<'c>(
    context: &'c Context,
    constant: &Constant,
    location: Location<'c>,
) -> Result<Attribute<'c>, LowerCause> {
    let ty = types::tensor(context, &constant.ty, location)?;
    Ok(match &constant.data {
        ConstantData::Splat(bytes) if types::has_elements(&constant.ty) => {
            let element = element_text(bytes, constant.ty.dtype);
            attributes::parse(context, &format!("dense<{element}> : {ty}"))?
        }
        ConstantData::Splat(_) => attributes::parse(context, &format!("dense<> : {ty}"))?,
        ConstantData::Dense(bytes) if bytes.is_empty() => {
            attributes::parse(context, &format!("dense<> : {ty}"))?
        }
        ConstantData::Dense(bytes) => {
            attributes::dense_elements(ty, &native_order(bytes, constant.ty.dtype))?.into()
        }
    })
}

/// A real number as an attribute, from its bytes.
pub(super) fn number<'c>(
    context: &'c Context,
    bytes: &[u8],
    dtype: DType,
) -> Result<Attribute<'c>, LowerCause> {
    let element = element_text(bytes, dtype);
    let text = match dtype {
        DType::Bool => element,
        _ => format!("{element} : {}", types::element(context, dtype)?),
    };
    Ok(attributes::parse(context, &text)?)
}

/// The real and the imaginary part of a complex constant, which IREE computes. It crashes on elements of
/// 128 bits, and refuses those of 64 where they fill a buffer.
/// Defect `constant-of-complex-doubles`.
pub(super) fn parts(constant: &Constant) -> Option<(Constant, Constant)> {
    let dtype = constant.ty.dtype;
    if !dtype.is_complex() || !types::has_elements(&constant.ty) {
        return None;
    }
    let size = dtype.real().size();
    let part = |index| Constant {
        ty: types::with_dtype(&constant.ty, dtype.real()),
        data: match &constant.data {
            ConstantData::Splat(bytes) => ConstantData::Splat(every_second(bytes, size, index)),
            ConstantData::Dense(bytes) => ConstantData::Dense(every_second(bytes, size, index)),
        },
    };
    Some((part(0), part(1)))
}

/// Every second number of a size, from the first or the second on.
fn every_second(bytes: &[u8], size: usize, first: usize) -> Vec<u8> {
    let numbers = bytes.chunks(size);
    numbers.skip(first).step_by(2).flatten().copied().collect()
}

/// The bytes of each number in the order of this machine.
fn native_order(bytes: &[u8], dtype: DType) -> Vec<u8> {
    if cfg!(target_endian = "little") {
        return bytes.to_vec();
    }
    let numbers = bytes.chunks(dtype.real().size());
    numbers
        .flat_map(|number| number.iter().rev().copied())
        .collect()
}

/// One element in MLIR's syntax: real numbers as their bits, which are exact.
fn element_text(bytes: &[u8], dtype: DType) -> String {
    if dtype.is_complex() {
        let (re, im) = bytes.split_at(bytes.len() / 2);
        let part = |bytes| element_text(bytes, dtype.real());
        return format!("({}, {})", part(re), part(im));
    }
    let bits = bytes
        .iter()
        .rev()
        .fold(0_u64, |bits, byte| (bits << 8) | u64::from(*byte));
    match dtype.class() {
        DTypeClass::Bool => (bits != 0).to_string(),
        DTypeClass::Signed => sign_extend(bits, bytes.len()).to_string(),
        DTypeClass::Unsigned => bits.to_string(),
        DTypeClass::Float | DTypeClass::Complex => {
            format!("0x{bits:0width$X}", width = 2 * bytes.len())
        }
    }
}

fn sign_extend(bits: u64, size: usize) -> i64 {
    let unused = 64_u32.saturating_sub(8 * size as u32);
    (bits.cast_signed() << unused) >> unused
}
