use half::{bf16, f16};
use iree_abi::{DType, DTypeClass, TensorType, to_odd_f32, to_odd_f64};

/// A tensor known while building.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Constant {
    /// Its type; every dimension is static.
    pub ty: TensorType,
    /// Its elements.
    pub data: ConstantData,
}

/// The elements of a [`Constant`], each in the little-endian bytes of its type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ConstantData {
    /// The same element everywhere.
    Splat(Vec<u8>),
    /// Every element, last axis fastest.
    Dense(Vec<u8>),
}

impl Constant {
    /// The integer that it has everywhere.
    pub fn as_integer(&self) -> Option<i128> {
        let bytes = match &self.data {
            ConstantData::Splat(bytes) => bytes,
            ConstantData::Dense(bytes) if self.ty.shape.rank() == 0 => bytes,
            ConstantData::Dense(_) => return None,
        };
        let dtype = self.ty.dtype;
        let is_negative =
            dtype.class() == DTypeClass::Signed && bytes.last().is_some_and(|byte| *byte > 127);
        let mut wide = [if is_negative { 255 } else { 0 }; 16];
        wide.get_mut(..bytes.len())?.copy_from_slice(bytes);
        dtype.is_integer().then(|| i128::from_le_bytes(wide))
    }
}

/// A number known while building, before it has an element type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Integer(i128),
    /// A real number.
    Float(f64),
}

/// The element type has no such value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfRange;

impl Scalar {
    /// The number zero of a type, or false.
    pub const fn zero(dtype: DType) -> Self {
        match dtype {
            DType::Bool => Self::Bool(false),
            _ => Self::Integer(0),
        }
    }

    /// The number as one element of a type, in little-endian bytes. Integers become floating-point
    /// numbers where the type asks for them; nothing else is converted.
    ///
    /// # Errors
    ///
    /// If the number does not fit: an integer outside the range, a fraction for an integer type, a
    /// finite number that would become infinite, a number for `bool` or a truth value for a number.
    pub fn encode(self, dtype: DType) -> Result<Vec<u8>, OutOfRange> {
        match self {
            Self::Bool(value) if dtype == DType::Bool => Ok(vec![u8::from(value)]),
            Self::Integer(value) if dtype.is_integer() => encode_integer(value, dtype),
            Self::Integer(_) | Self::Float(_) => self.encode_float(dtype),
            Self::Bool(_) => Err(OutOfRange),
        }
    }

    /// The nearest number of a floating-point type, or of the parts of a complex one, as a number of `f64`, which
    /// has them all.
    pub fn nearest(self, dtype: DType) -> f64 {
        // Rounded once where another rounding follows, so that both are one.
        let (wide, exact) = match self {
            Self::Bool(value) => (f64::from(u8::from(value)), f64::from(u8::from(value))),
            Self::Integer(value) => (to_odd_f64(value), value as f64),
            Self::Float(value) => (value, value),
        };
        match dtype.real() {
            DType::F16 => f16::from_f32(to_odd_f32(wide)).to_f64(),
            DType::BF16 => bf16::from_f32(to_odd_f32(wide)).to_f64(),
            DType::F32 => f64::from(wide as f32),
            _ => exact,
        }
    }

    fn encode_float(self, dtype: DType) -> Result<Vec<u8>, OutOfRange> {
        let nearest = self.nearest(dtype);
        let bytes = match dtype.real() {
            DType::F16 => f16::from_f64(nearest).to_le_bytes().to_vec(),
            DType::BF16 => bf16::from_f64(nearest).to_le_bytes().to_vec(),
            DType::F32 => (nearest as f32).to_le_bytes().to_vec(),
            DType::F64 => nearest.to_le_bytes().to_vec(),
            _ => return Err(OutOfRange),
        };
        let is_finite = match self {
            Self::Float(value) => value.is_finite(),
            Self::Bool(_) | Self::Integer(_) => true,
        };
        if is_finite && !nearest.is_finite() {
            return Err(OutOfRange);
        }
        if dtype.is_complex() {
            let imaginary = vec![0; bytes.len()];
            return Ok([bytes, imaginary].concat());
        }
        Ok(bytes)
    }
}

fn encode_integer(value: i128, dtype: DType) -> Result<Vec<u8>, OutOfRange> {
    fn bytes<T: TryFrom<i128>, const N: usize>(
        value: i128,
        encode: fn(T) -> [u8; N],
    ) -> Result<Vec<u8>, OutOfRange> {
        let value = T::try_from(value).map_err(|_| OutOfRange)?;
        Ok(encode(value).to_vec())
    }
    match dtype {
        DType::I8 => bytes(value, i8::to_le_bytes),
        DType::I16 => bytes(value, i16::to_le_bytes),
        DType::I32 => bytes(value, i32::to_le_bytes),
        DType::I64 => bytes(value, i64::to_le_bytes),
        DType::U8 => bytes(value, u8::to_le_bytes),
        DType::U16 => bytes(value, u16::to_le_bytes),
        DType::U32 => bytes(value, u32::to_le_bytes),
        DType::U64 => bytes(value, u64::to_le_bytes),
        _ => Err(OutOfRange),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_fit_or_are_refused() {
        assert_eq!(Scalar::Integer(-1).encode(DType::I16), Ok(vec![255, 255]));
        assert_eq!(Scalar::Integer(-1).encode(DType::U16), Err(OutOfRange));
        assert_eq!(Scalar::Integer(300).encode(DType::I8), Err(OutOfRange));
        assert_eq!(Scalar::Integer(1).encode(DType::Bool), Err(OutOfRange));
    }

    #[test]
    fn integers_are_read_back() {
        for (number, dtype) in [(-3, DType::I32), (200, DType::U8), (-1, DType::I8)] {
            let data = ConstantData::Splat(Scalar::Integer(number).encode(dtype).unwrap());
            let ty = TensorType::new(dtype, []);
            assert_eq!(Constant { ty, data }.as_integer(), Some(number));
        }
        let data = ConstantData::Splat(Scalar::Float(1.0).encode(DType::F32).unwrap());
        let ty = TensorType::new(DType::F32, []);
        assert_eq!(Constant { ty, data }.as_integer(), None);
    }

    #[test]
    fn floats_keep_their_value_or_are_refused() {
        assert_eq!(
            Scalar::Float(0.5).encode(DType::F32),
            Ok(0.5_f32.to_le_bytes().to_vec())
        );
        assert_eq!(Scalar::Float(1e6).encode(DType::F16), Err(OutOfRange));
        assert_eq!(Scalar::Float(1.5).encode(DType::I32), Err(OutOfRange));
        assert_eq!(
            Scalar::Float(f64::INFINITY).encode(DType::F16),
            Ok(f16::INFINITY.to_le_bytes().to_vec())
        );
    }

    /// In the middle of two numbers, and a little above, which another type on the way cannot tell from each other.
    #[test]
    fn numbers_are_rounded_once() {
        let bf16 = |x: Scalar| x.encode(DType::BF16);
        let above = |x: f32| {
            Ok(bf16::from_bits(bf16::from_f32(x).to_bits() + 1)
                .to_le_bytes()
                .to_vec())
        };
        assert_eq!(
            bf16(Scalar::Integer(0x4040_0000)),
            bf16(Scalar::Float(2_f64.powi(30)))
        );
        assert_eq!(bf16(Scalar::Integer(0x4040_0001)), above(2_f32.powi(30)));
        let tie = 1.0 + 2_f64.powi(-8);
        assert_eq!(bf16(Scalar::Float(tie)), bf16(Scalar::Float(1.0)));
        assert_eq!(bf16(Scalar::Float(tie.next_up())), above(1.0));
        let half = Scalar::Float((1.0 + 2_f64.powi(-11)).next_up()).encode(DType::F16);
        assert_eq!(
            half,
            Ok(f16::from_bits(f16::ONE.to_bits() + 1)
                .to_le_bytes()
                .to_vec())
        );
        let single = Scalar::Integer((1 << 60) + (1 << 36) + 1).encode(DType::F32);
        assert_eq!(single, Ok(2_f32.powi(60).next_up().to_le_bytes().to_vec()));
    }

    #[test]
    fn complex_numbers_have_no_imaginary_part() {
        let bytes = Scalar::Integer(2).encode(DType::C64);
        assert_eq!(bytes, Ok([2.0_f32.to_le_bytes(), [0; 4]].concat()));
    }
}
