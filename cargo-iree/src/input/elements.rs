//! Elements as texts.

use half::{bf16, f16};
use iree_abi::DType;
use num_complex::Complex;
use std::str::FromStr;

/// Reads and makes the elements of one type.
pub(super) struct Elements {
    /// Appends an element in the byte order of this machine.
    pub(super) read: fn(&str, &mut Vec<u8>) -> bool,
    /// Appends the element nearest to a number.
    pub(super) near: fn(f64, &mut Vec<u8>),
}

fn parse<T: FromStr, const N: usize>(
    text: &str,
    bytes: &mut Vec<u8>,
    encode: fn(T) -> [u8; N],
) -> bool {
    let element = text.parse().map(encode);
    element.is_ok_and(|element| {
        bytes.extend(element);
        true
    })
}

macro_rules! number {
    ($ty:ty, $convert:expr) => {
        Elements {
            read: |text, bytes| parse(text, bytes, <$ty>::to_ne_bytes),
            near: |value, bytes| bytes.extend(<$ty>::to_ne_bytes($convert(value))),
        }
    };
}

macro_rules! complex {
    ($ty:ty) => {
        Elements {
            read: |text, bytes| {
                let value = text.parse::<Complex<$ty>>();
                value.is_ok_and(|Complex { re, im }| {
                    bytes.extend(re.to_ne_bytes());
                    bytes.extend(im.to_ne_bytes());
                    true
                })
            },
            near: |value, bytes| {
                bytes.extend((value as $ty).to_ne_bytes());
                bytes.extend((0.0 as $ty).to_ne_bytes());
            },
        }
    };
}

impl Elements {
    /// Those of a type; `None` for one that this tool does not know.
    pub(super) fn of(dtype: DType) -> Option<Self> {
        Some(match dtype {
            DType::Bool => Self {
                read: |text, bytes| {
                    let truth = match text {
                        "true" | "1" => 1,
                        "false" | "0" => 0,
                        _ => return false,
                    };
                    bytes.push(truth);
                    true
                },
                near: |value, bytes| bytes.push(u8::from(value > 0.0)),
            },
            DType::I8 => number!(i8, |value| value as i8),
            DType::I16 => number!(i16, |value| value as i16),
            DType::I32 => number!(i32, |value| value as i32),
            DType::I64 => number!(i64, |value| value as i64),
            DType::U8 => number!(u8, |value| value as u8),
            DType::U16 => number!(u16, |value| value as u16),
            DType::U32 => number!(u32, |value| value as u32),
            DType::U64 => number!(u64, |value| value as u64),
            DType::F16 => number!(f16, f16::from_f64),
            DType::BF16 => number!(bf16, bf16::from_f64),
            DType::F32 => number!(f32, |value| value as f32),
            DType::F64 => number!(f64, |value| value),
            DType::C64 => complex!(f32),
            DType::C128 => complex!(f64),
            _ => return None,
        })
    }
}
