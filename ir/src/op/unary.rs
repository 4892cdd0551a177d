use super::{
    InferError, Op, RegionType, arity,
    family::Family,
    properties::{Cost, Properties},
};
use crate::text::{Printer, ReadResult, Reader};
use iree_abi::{DType, DTypeClass, TensorType};
use std::fmt;

/// One number from one number, at each place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UnaryOp {
    /// The absolute value; of a complex number, a real one. Numbers with a sign.
    Abs,
    /// The number with the other sign; integers wrap. Numbers with a sign.
    Negate,
    /// The complement of each bit; of `bool`, the other value. Integers and `bool`.
    Not,
    /// The next integer downwards. Real numbers.
    Floor,
    /// The nearest integer, the even one of two. Real numbers.
    RoundTiesEven,
    /// The square root. Real and complex numbers.
    Sqrt,
    /// The cubic root. Real numbers.
    Cbrt,
    /// *e* to the power of the number. Real and complex numbers.
    Exp,
    /// Two to the power of the number. Real numbers.
    Exp2,
    /// *e* to the power of the number, less one, precise near zero. Real and complex numbers.
    ExpM1,
    /// The natural logarithm. Real and complex numbers.
    Ln,
    /// The natural logarithm of one more than the number, precise near zero. Real and complex numbers.
    Ln1p,
    /// The logarithm to the base 2. Real numbers.
    Log2,
    /// The logarithm to the base 10. Real numbers.
    Log10,
    /// The sine. Real and complex numbers.
    Sin,
    /// The cosine. Real and complex numbers.
    Cos,
    /// The hyperbolic sine. Real numbers.
    Sinh,
    /// The hyperbolic cosine. Real numbers.
    Cosh,
    /// The hyperbolic tangent. Real and complex numbers.
    Tanh,
    /// The inverse of the hyperbolic sine. Real numbers.
    Asinh,
    /// The inverse of the hyperbolic cosine. Real numbers.
    Acosh,
    /// The inverse of the hyperbolic tangent. Real numbers.
    Atanh,
    /// 1 / (1 + e⁻ˣ). Real and complex numbers.
    Sigmoid,
    /// The error function. Real numbers.
    Erf,
    /// One less the error function, precise for large numbers. Real numbers.
    Erfc,
    /// The inverse of the error function. Real numbers.
    ErfInv,
    /// The logarithm of the absolute value of the gamma function. Real numbers.
    Lgamma,
    /// The derivative of the logarithm of the gamma function. Real numbers.
    Digamma,
    /// The second derivative of the logarithm of the gamma function. Real numbers.
    Trigamma,
    /// The number of bits that are set. Integers.
    CountOnes,
    /// The number of bits before the first that is set. Integers.
    LeadingZeros,
    /// The real part. Complex numbers.
    Real,
    /// The imaginary part. Complex numbers.
    Imag,
    /// The same numbers, which count as constants in derivatives. Every element type.
    StopGradient,
    /// The same numbers. What is computed of them is computed again where it is computed of the operand too. Every element type.
    Barrier,
}

impl UnaryOp {
    /// Every operation of the family.
    pub const ALL: &[Self] = &[
        Self::Abs,
        Self::Negate,
        Self::Not,
        Self::Floor,
        Self::RoundTiesEven,
        Self::Sqrt,
        Self::Cbrt,
        Self::Exp,
        Self::Exp2,
        Self::ExpM1,
        Self::Ln,
        Self::Ln1p,
        Self::Log2,
        Self::Log10,
        Self::Sin,
        Self::Cos,
        Self::Sinh,
        Self::Cosh,
        Self::Tanh,
        Self::Asinh,
        Self::Acosh,
        Self::Atanh,
        Self::Sigmoid,
        Self::Erf,
        Self::Erfc,
        Self::ErfInv,
        Self::Lgamma,
        Self::Digamma,
        Self::Trigamma,
        Self::CountOnes,
        Self::LeadingZeros,
        Self::Real,
        Self::Imag,
        Self::StopGradient,
        Self::Barrier,
    ];

    /// The name in the text form.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Abs => "abs",
            Self::Negate => "negate",
            Self::Not => "not",
            Self::Floor => "floor",
            Self::RoundTiesEven => "round_ties_even",
            Self::Sqrt => "sqrt",
            Self::Cbrt => "cbrt",
            Self::Exp => "exp",
            Self::Exp2 => "exp2",
            Self::ExpM1 => "exp_m1",
            Self::Ln => "ln",
            Self::Ln1p => "ln_1p",
            Self::Log2 => "log2",
            Self::Log10 => "log10",
            Self::Sin => "sin",
            Self::Cos => "cos",
            Self::Sinh => "sinh",
            Self::Cosh => "cosh",
            Self::Tanh => "tanh",
            Self::Asinh => "asinh",
            Self::Acosh => "acosh",
            Self::Atanh => "atanh",
            Self::Sigmoid => "sigmoid",
            Self::Erf => "erf",
            Self::Erfc => "erfc",
            Self::ErfInv => "erf_inv",
            Self::Lgamma => "lgamma",
            Self::Digamma => "digamma",
            Self::Trigamma => "trigamma",
            Self::CountOnes => "count_ones",
            Self::LeadingZeros => "leading_zeros",
            Self::Real => "real",
            Self::Imag => "imag",
            Self::StopGradient => "stop_gradient",
            Self::Barrier => "barrier",
        }
    }

    /// The element type of the result; `None` if it is not defined for an operand of this one.
    fn result(self, dtype: DType) -> Option<DType> {
        use DTypeClass::{Bool, Complex, Float, Signed, Unsigned};
        let class = dtype.class();
        let (is_defined, result) = match self {
            Self::Abs => (matches!(class, Signed | Float | Complex), dtype.real()),
            Self::Real | Self::Imag => (matches!(class, Complex), dtype.real()),
            Self::Negate => (!matches!(class, Bool | Unsigned), dtype),
            Self::Not => (matches!(class, Bool | Signed | Unsigned), dtype),
            Self::CountOnes | Self::LeadingZeros => (matches!(class, Signed | Unsigned), dtype),
            Self::StopGradient | Self::Barrier => (true, dtype),
            Self::Sqrt
            | Self::Exp
            | Self::ExpM1
            | Self::Ln
            | Self::Ln1p
            | Self::Sin
            | Self::Cos
            | Self::Tanh
            | Self::Sigmoid => (matches!(class, Float | Complex), dtype),
            Self::Floor
            | Self::RoundTiesEven
            | Self::Cbrt
            | Self::Exp2
            | Self::Log2
            | Self::Log10
            | Self::Sinh
            | Self::Cosh
            | Self::Asinh
            | Self::Acosh
            | Self::Atanh
            | Self::Erf
            | Self::Erfc
            | Self::ErfInv
            | Self::Lgamma
            | Self::Digamma
            | Self::Trigamma => (matches!(class, Float), dtype),
        };
        is_defined.then_some(result)
    }

    /// How long it takes.
    pub const fn cost(self) -> Cost {
        match self {
            Self::Abs | Self::Negate | Self::Not | Self::Floor | Self::RoundTiesEven => {
                Cost::Elementwise
            }
            Self::Real | Self::Imag => Cost::Elementwise,
            Self::StopGradient | Self::Barrier => Cost::Elementwise,
            Self::Sqrt | Self::Cbrt | Self::Exp | Self::Exp2 | Self::ExpM1 => Cost::Transcendental,
            Self::Ln | Self::Ln1p | Self::Log2 | Self::Log10 => Cost::Transcendental,
            Self::Sin | Self::Cos | Self::Sinh | Self::Cosh | Self::Tanh => Cost::Transcendental,
            Self::Asinh | Self::Acosh | Self::Atanh | Self::Sigmoid => Cost::Transcendental,
            Self::Erf | Self::Erfc | Self::ErfInv => Cost::Transcendental,
            Self::Lgamma | Self::Digamma | Self::Trigamma => Cost::Transcendental,
            // Machines may lack an instruction for it.
            Self::CountOnes | Self::LeadingZeros => Cost::Transcendental,
        }
    }

    pub(super) fn infer(self, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
        let [operand] = arity::exactly(operands)?;
        let dtype = self.result(operand.dtype);
        let dtype = dtype.ok_or(InferError::DType {
            operation: self.name(),
            dtype: operand.dtype,
        })?;
        Ok(vec![TensorType::new(dtype, operand.shape.clone())])
    }
}

impl<'a> Family<'a> for UnaryOp {
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
            Some(op) => text.bare(Op::Unary(op)),
            None => Ok(None),
        }
    }
}
