use crate::ffi::Plain;
use half::{bf16, f16};
use iree_abi::{DType, DTypeClass};
use num_complex::Complex;
use std::fmt;

/// A Rust type that is the type of an array's elements.
///
/// Implemented for `bool`, the integers from 8 to 64 bits, `f16`, `bf16`, `f32`, `f64`,
/// `Complex<f32>` and `Complex<f64>`.
#[allow(private_bounds)]
pub trait Element:
    Plain + Copy + Default + PartialEq + fmt::Debug + fmt::Display + Send + Sync + 'static
{
    /// The type in the language.
    const DTYPE: DType;
}

macro_rules! elements {
    ($($ty:ty: $dtype:ident,)*) => {$(
        impl Element for $ty {
            const DTYPE: DType = DType::$dtype;
        }
    )*};
}

elements! {
    bool: Bool,
    i8: I8,
    i16: I16,
    i32: I32,
    i64: I64,
    u8: U8,
    u16: U16,
    u32: U32,
    u64: U64,
    f16: F16,
    bf16: BF16,
    f32: F32,
    f64: F64,
    Complex<f32>: C64,
    Complex<f64>: C128,
}

/// How IREE classes an element type; the upper byte of its code. The lower ones are the bits.
mod kind {
    pub(super) const INTEGER: u32 = 0x10;
    pub(super) const SIGNED: u32 = 0x11;
    pub(super) const UNSIGNED: u32 = 0x12;
    pub(super) const BOOLEAN: u32 = 0x13;
    pub(super) const IEEE: u32 = 0x21;
    pub(super) const BRAIN: u32 = 0x22;
    pub(super) const COMPLEX: u32 = 0x23;
}

/// IREE's code of an element type.
pub(crate) const fn code_of(dtype: DType) -> u32 {
    let kind = match dtype {
        DType::BF16 => kind::BRAIN,
        _ => match dtype.class() {
            DTypeClass::Bool => kind::BOOLEAN,
            // MLIR's integers have no sign, and so have the arrays that programs return.
            DTypeClass::Signed => kind::INTEGER,
            DTypeClass::Unsigned => kind::UNSIGNED,
            DTypeClass::Float => kind::IEEE,
            DTypeClass::Complex => kind::COMPLEX,
        },
    };
    (kind << 24) | (dtype.size() as u32 * 8)
}

/// The element type that IREE has for one between modules: it has no integers without a sign there.
pub(crate) const fn stored_dtype(dtype: DType) -> DType {
    match dtype {
        DType::U8 => DType::I8,
        DType::U16 => DType::I16,
        DType::U32 => DType::I32,
        DType::U64 => DType::I64,
        other => other,
    }
}

/// The element type with this code; integers without a sign count as signed.
pub(crate) fn dtype_of(code: u32) -> Option<DType> {
    let code = match code >> 24 {
        kind::SIGNED => (kind::INTEGER << 24) | (code & 0x00ff_ffff),
        _ => code,
    };
    DType::ALL.into_iter().find(|dtype| code_of(*dtype) == code)
}

/// Whether an array with this code can be read as elements of the type.
pub(crate) fn is_stored_as(dtype: DType, code: u32) -> bool {
    match dtype.class() {
        DTypeClass::Signed | DTypeClass::Unsigned => {
            let same_size = code & 0x00ff_ffff == code_of(dtype) & 0x00ff_ffff;
            let own = code_of(dtype) == code || dtype_of(code) == Some(dtype);
            own || same_size && code >> 24 == kind::INTEGER
        }
        _ => code_of(dtype) == code,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_read_back() {
        for dtype in DType::ALL {
            assert_eq!(dtype_of(code_of(dtype)), Some(dtype));
            assert!(is_stored_as(dtype, code_of(dtype)));
        }
        assert_eq!(dtype_of(0x2400_0008), None);
    }

    #[test]
    fn integers_without_a_sign_are_read_either_way() {
        assert!(is_stored_as(DType::U8, 0x1000_0008));
        assert!(is_stored_as(DType::I8, 0x1100_0008));
        assert!(!is_stored_as(DType::I8, 0x1200_0008));
        assert!(!is_stored_as(DType::I16, 0x1000_0008));
        assert!(!is_stored_as(DType::F32, 0x1000_0020));
    }
}
