use std::{error::Error, fmt, str::FromStr};

/// The type of one element of a tensor.
///
/// # Examples
///
/// ```
/// use iree_abi::DType;
///
/// assert_eq!("bf16".parse(), Ok(DType::BF16));
/// assert_eq!(DType::C64.size(), 8);
/// assert_eq!(DType::C64.to_string(), "Complex<f32>");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum DType {
    /// `bool`, one byte in memory.
    Bool,
    /// `i8`.
    I8,
    /// `i16`.
    I16,
    /// `i32`.
    I32,
    /// `i64`.
    I64,
    /// `u8`.
    U8,
    /// `u16`.
    U16,
    /// `u32`.
    U32,
    /// `u64`.
    U64,
    /// IEEE 754 half precision, `half::f16`.
    F16,
    /// The upper half of an `f32`, `half::bf16`.
    BF16,
    /// `f32`.
    F32,
    /// `f64`.
    F64,
    /// `Complex<f32>`, two `f32`.
    C64,
    /// `Complex<f64>`, two `f64`.
    C128,
}

/// The arithmetic family of a [`DType`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DTypeClass {
    /// Truth values.
    Bool,
    /// Two's complement integers.
    Signed,
    /// Integers without a sign.
    Unsigned,
    /// IEEE 754 numbers and bfloat16.
    Float,
    /// Pairs of floating-point numbers.
    Complex,
}

impl DType {
    /// Every element type, in declaration order.
    pub const ALL: [Self; 15] = [
        Self::Bool,
        Self::I8,
        Self::I16,
        Self::I32,
        Self::I64,
        Self::U8,
        Self::U16,
        Self::U32,
        Self::U64,
        Self::F16,
        Self::BF16,
        Self::F32,
        Self::F64,
        Self::C64,
        Self::C128,
    ];

    /// The name in the language, which is the name of the Rust type.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::I8 => "i8",
            Self::I16 => "i16",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::F16 => "f16",
            Self::BF16 => "bf16",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::C64 => "Complex<f32>",
            Self::C128 => "Complex<f64>",
        }
    }

    /// The size of one element in host memory, in bytes.
    pub const fn size(self) -> usize {
        match self {
            Self::Bool | Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 | Self::F16 | Self::BF16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 | Self::C64 => 8,
            Self::C128 => 16,
        }
    }

    /// The arithmetic family.
    pub const fn class(self) -> DTypeClass {
        match self {
            Self::Bool => DTypeClass::Bool,
            Self::I8 | Self::I16 | Self::I32 | Self::I64 => DTypeClass::Signed,
            Self::U8 | Self::U16 | Self::U32 | Self::U64 => DTypeClass::Unsigned,
            Self::F16 | Self::BF16 | Self::F32 | Self::F64 => DTypeClass::Float,
            Self::C64 | Self::C128 => DTypeClass::Complex,
        }
    }

    /// Whether this is a signed or unsigned integer type.
    pub const fn is_integer(self) -> bool {
        matches!(self.class(), DTypeClass::Signed | DTypeClass::Unsigned)
    }

    /// Whether this is a real floating-point type.
    pub const fn is_float(self) -> bool {
        matches!(self.class(), DTypeClass::Float)
    }

    /// Whether this is a complex type.
    pub const fn is_complex(self) -> bool {
        matches!(self.class(), DTypeClass::Complex)
    }

    /// The type of the real and imaginary part of a complex type; the type itself otherwise.
    pub const fn real(self) -> Self {
        match self {
            Self::C64 => Self::F32,
            Self::C128 => Self::F64,
            other => other,
        }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for DType {
    type Err = ParseDTypeError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|dtype| dtype.name() == name)
            .ok_or(ParseDTypeError)
    }
}

/// A name is not the name of an element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseDTypeError;

impl fmt::Display for ParseDTypeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("not the name of an element type")
    }
}

impl Error for ParseDTypeError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for dtype in DType::ALL {
            assert_eq!(dtype.name().parse(), Ok(dtype));
        }
        assert_eq!("f8".parse::<DType>(), Err(ParseDTypeError));
    }

    #[test]
    fn complex_is_two_reals() {
        for dtype in DType::ALL.into_iter().filter(|dtype| dtype.is_complex()) {
            assert_eq!(dtype.size(), 2 * dtype.real().size());
        }
    }
}
