//! Elements of constants as text: `true`, `-3`, `0.5`, `inf`, `(1.0, -2.0)`, and the bits `0x7fc00001`
//! of what has no such form.

use crate::{Constant, ConstantData, Scalar};
use half::{bf16, f16};
use iree_abi::DType;

/// The most elements that are written one by one.
const WRITTEN_ONE_BY_ONE: usize = 256;

/// The data of a constant.
pub(crate) fn print_data(constant: &Constant) -> String {
    let (dtype, size) = (constant.ty.dtype, constant.ty.dtype.size());
    match &constant.data {
        ConstantData::Splat(bytes) if bytes.len() == size => {
            format!("splat {}", print_element(bytes, dtype))
        }
        ConstantData::Splat(bytes) => format!("splat bytes {}", print_bytes(bytes)),
        ConstantData::Dense(bytes)
            if bytes.len().is_multiple_of(size) && bytes.len() / size <= WRITTEN_ONE_BY_ONE =>
        {
            let elements: Vec<_> = bytes
                .chunks_exact(size)
                .map(|element| print_element(element, dtype))
                .collect();
            format!("[{}]", elements.join(", "))
        }
        ConstantData::Dense(bytes) => format!("bytes {}", print_bytes(bytes)),
    }
}

fn print_bytes(bytes: &[u8]) -> String {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("\"{digits}\"")
}

/// Reads what [`print_bytes`] wrote between the quotes.
pub(super) fn parse_bytes(digits: &str) -> Option<Vec<u8>> {
    let digits = digits.as_bytes();
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    let byte = |pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    digits.chunks_exact(2).map(byte).collect()
}

fn print_element(bytes: &[u8], dtype: DType) -> String {
    if dtype.is_complex() {
        let (re, im) = bytes.split_at(bytes.len() / 2);
        let part = |bytes| print_element(bytes, dtype.real());
        return format!("({}, {})", part(re), part(im));
    }
    let text = as_number(bytes, dtype).unwrap_or_default();
    if parse_element(&text, dtype).as_deref() == Some(bytes) {
        text
    } else {
        let digits: String = bytes.iter().rev().map(|b| format!("{b:02x}")).collect();
        format!("0x{digits}")
    }
}

fn as_number(bytes: &[u8], dtype: DType) -> Option<String> {
    Some(match dtype {
        DType::Bool => (bytes == [1]).to_string(),
        DType::I8 => i8::from_le_bytes(bytes.try_into().ok()?).to_string(),
        DType::I16 => i16::from_le_bytes(bytes.try_into().ok()?).to_string(),
        DType::I32 => i32::from_le_bytes(bytes.try_into().ok()?).to_string(),
        DType::I64 => i64::from_le_bytes(bytes.try_into().ok()?).to_string(),
        DType::U8 => u8::from_le_bytes(bytes.try_into().ok()?).to_string(),
        DType::U16 => u16::from_le_bytes(bytes.try_into().ok()?).to_string(),
        DType::U32 => u32::from_le_bytes(bytes.try_into().ok()?).to_string(),
        DType::U64 => u64::from_le_bytes(bytes.try_into().ok()?).to_string(),
        DType::F16 => format!("{:?}", f16::from_le_bytes(bytes.try_into().ok()?).to_f32()),
        DType::BF16 => format!("{:?}", bf16::from_le_bytes(bytes.try_into().ok()?).to_f32()),
        DType::F32 => format!("{:?}", f32::from_le_bytes(bytes.try_into().ok()?)),
        DType::F64 => format!("{:?}", f64::from_le_bytes(bytes.try_into().ok()?)),
        _ => return None,
    })
}

/// The little-endian bytes of an element of a type that is not complex.
pub(super) fn parse_element(text: &str, dtype: DType) -> Option<Vec<u8>> {
    if let Some(digits) = text.strip_prefix("0x") {
        let mut bytes = parse_bytes(digits)?;
        bytes.reverse();
        return (bytes.len() == dtype.size()).then_some(bytes);
    }
    let scalar = match text {
        "true" => Scalar::Bool(true),
        "false" => Scalar::Bool(false),
        _ if dtype.is_float() => Scalar::Float(text.parse().ok()?),
        _ => Scalar::Integer(text.parse().ok()?),
    };
    scalar.encode(dtype).ok()
}
