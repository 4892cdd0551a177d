use super::{
    InferError, Op, RegionType, arity,
    family::Family,
    properties::{Cost, Properties},
};
use crate::text::{Printer, ReadResult, Reader};
use iree_abi::{DType, DTypeClass, TensorType};
use std::fmt;

/// One number from two numbers of the same type, at each place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BinaryOp {
    /// The sum; integers wrap. Not `bool`.
    Add,
    /// The difference; integers wrap. Not `bool`.
    Subtract,
    /// The product; integers wrap. Not `bool`.
    Multiply,
    /// The quotient; integers are rounded towards zero, and divided by zero give all ones. Not `bool`.
    Divide,
    /// The remainder with the sign of the dividend; of a division by zero, the dividend. Real numbers
    /// and integers.
    Remainder,
    /// The first to the power of the second. Real numbers.
    Power,
    /// The angle of the point whose coordinates are the second and the first. Real numbers.
    Atan2,
    /// The larger one; NaN if either is. Not complex.
    Maximum,
    /// The smaller one; NaN if either is. Not complex.
    Minimum,
    /// The bits that are set in both. Integers and `bool`.
    And,
    /// The bits that are set in one of them. Integers and `bool`.
    Or,
    /// The bits that are set in exactly one of them. Integers and `bool`.
    Xor,
    /// The bits moved up; past the width, zero. Integers.
    ShiftLeft,
    /// The bits moved down, filled with the sign; past the width, the sign. Integers.
    ShiftRight,
    /// The complex number with this real and that imaginary part. `f32` and `f64`.
    Complex,
}

impl BinaryOp {
    /// Every operation of the family.
    pub const ALL: &[Self] = &[
        Self::Add,
        Self::Subtract,
        Self::Multiply,
        Self::Divide,
        Self::Remainder,
        Self::Power,
        Self::Atan2,
        Self::Maximum,
        Self::Minimum,
        Self::And,
        Self::Or,
        Self::Xor,
        Self::ShiftLeft,
        Self::ShiftRight,
        Self::Complex,
    ];

    /// The name in the text form.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Subtract => "subtract",
            Self::Multiply => "multiply",
            Self::Divide => "divide",
            Self::Remainder => "remainder",
            Self::Power => "power",
            Self::Atan2 => "atan2",
            Self::Maximum => "maximum",
            Self::Minimum => "minimum",
            Self::And => "and",
            Self::Or => "or",
            Self::Xor => "xor",
            Self::ShiftLeft => "shift_left",
            Self::ShiftRight => "shift_right",
            Self::Complex => "complex",
        }
    }

    /// The element type of the result; `None` if it is not defined for operands of this one.
    const fn result(self, dtype: DType) -> Option<DType> {
        use DTypeClass::{Bool, Complex, Float, Signed, Unsigned};
        let class = dtype.class();
        let is_defined = match self {
            Self::Complex => {
                return match dtype {
                    DType::F32 => Some(DType::C64),
                    DType::F64 => Some(DType::C128),
                    _ => None,
                };
            }
            Self::Add | Self::Subtract | Self::Multiply | Self::Divide => !matches!(class, Bool),
            Self::Remainder => !matches!(class, Bool | Complex),
            Self::Power | Self::Atan2 => matches!(class, Float),
            Self::Maximum | Self::Minimum => !matches!(class, Complex),
            Self::And | Self::Or | Self::Xor => matches!(class, Bool | Signed | Unsigned),
            Self::ShiftLeft | Self::ShiftRight => matches!(class, Signed | Unsigned),
        };
        match is_defined {
            true => Some(dtype),
            false => None,
        }
    }

    /// How long it takes.
    pub const fn cost(self) -> Cost {
        match self {
            Self::Add | Self::Subtract | Self::Multiply | Self::Divide => Cost::Elementwise,
            Self::Remainder | Self::Maximum | Self::Minimum | Self::Complex => Cost::Elementwise,
            Self::And | Self::Or | Self::Xor => Cost::Elementwise,
            Self::ShiftLeft | Self::ShiftRight => Cost::Elementwise,
            Self::Power | Self::Atan2 => Cost::Transcendental,
        }
    }

    pub(super) fn infer(self, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
        let ty = arity::same(operands)?;
        let dtype = self.result(ty.dtype);
        let dtype = dtype.ok_or(InferError::DType {
            operation: self.name(),
            dtype: ty.dtype,
        })?;
        Ok(vec![TensorType::new(dtype, ty.shape.clone())])
    }
}

impl<'a> Family<'a> for BinaryOp {
    fn name(self) -> &'static str {
        self.name()
    }

    fn infer(
        self,
        operands: &[TensorType],
        _: &[RegionType],
    ) -> Result<Vec<TensorType>, InferError> {
        self.infer(operands)
    }

    fn properties(self) -> Properties<'a> {
        Properties::elementwise(self.cost())
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.operands()
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        match text.member(Self::ALL, Self::name) {
            Some(op) => text.bare(Op::Binary(op)),
            None => Ok(None),
        }
    }
}
