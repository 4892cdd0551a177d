//! Arithmetic on tensors that is written as formulas are.

use super::super::{
    emit::{Emitter, Result, Tensor},
    error::LowerCause,
};
use iree_abi::DType;
use iree_dialects::stablehlo::ComparisonDirection;
use iree_dsl_ir::Scalar;
use std::{
    cell::RefCell,
    ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Shl, Sub},
};

/// Where formulas are appended. The first failure is kept until the end, so that operators need no `?`.
pub(super) struct Math<'c, 'b> {
    emitter: Emitter<'c, 'b>,
    failure: RefCell<Option<LowerCause>>,
}

impl<'c, 'b> Math<'c, 'b> {
    /// The tensor that a formula makes of tensors, as one operation on their elements: as many operations, IREE takes a time to
    /// fuse them that grows much faster than their number.
    pub(super) fn formula<const N: usize>(
        emitter: &Emitter<'c, 'b>,
        operands: [&Tensor<'c, 'b>; N],
        formula: impl for<'m, 'x> Fn([Number<'m, 'c, 'x>; N]) -> Number<'m, 'c, 'x>,
    ) -> Result<Tensor<'c, 'b>> {
        if operands.iter().any(|operand| operand.dtype().is_complex()) {
            return Self::written_out(emitter, operands, formula);
        }
        emitter.map(&operands, |inner, elements| {
            let elements = <[&Tensor<'_, '_>; N]>::try_from(elements);
            let elements = elements.map_err(|_| LowerCause::Lost("the operand of a formula"))?;
            Math::written_out(inner, elements, &formula)
        })
    }

    /// The same as many operations.
    fn written_out<const N: usize>(
        emitter: &Emitter<'c, 'b>,
        operands: [&Tensor<'c, 'b>; N],
        formula: impl for<'m> FnOnce([Number<'m, 'c, 'b>; N]) -> Number<'m, 'c, 'b>,
    ) -> Result<Tensor<'c, 'b>> {
        let math = Self {
            emitter: emitter.clone(),
            failure: RefCell::default(),
        };
        let operands = operands.map(|tensor| math.number(Ok(tensor.clone())));
        let result = formula(operands).tensor;
        if let Some(cause) = math.failure.take() {
            return Err(cause);
        }
        result.ok_or(LowerCause::Lost("the result of a formula"))
    }

    fn number(&self, tensor: Result<Tensor<'c, 'b>>) -> Number<'_, 'c, 'b> {
        let tensor = match tensor {
            Ok(tensor) => Some(tensor),
            Err(cause) => {
                self.failure.borrow_mut().get_or_insert(cause);
                None
            }
        };
        Number { math: self, tensor }
    }
}

/// A tensor in a formula; nothing after a failure.
#[derive(Clone)]
pub(super) struct Number<'m, 'c, 'b> {
    math: &'m Math<'c, 'b>,
    tensor: Option<Tensor<'c, 'b>>,
}

/// What may stand beside a number: another one, or a constant that takes its type.
pub(super) trait Operand<'m, 'c, 'b> {
    fn beside(self, other: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b>;
}

impl<'m, 'c, 'b> Operand<'m, 'c, 'b> for Number<'m, 'c, 'b> {
    fn beside(self, _: &Self) -> Self {
        self
    }
}

impl<'m, 'c, 'b> Operand<'m, 'c, 'b> for &Number<'m, 'c, 'b> {
    fn beside(self, _: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
        self.clone()
    }
}

impl<'m, 'c, 'b> Operand<'m, 'c, 'b> for f64 {
    fn beside(self, other: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
        other.constant(Scalar::Float(self))
    }
}

impl<'m, 'c, 'b> Operand<'m, 'c, 'b> for i64 {
    fn beside(self, other: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
        other.constant(Scalar::Integer(self.into()))
    }
}

type Unary<'c, 'b> = fn(&Emitter<'c, 'b>, &Tensor<'c, 'b>) -> Result<Tensor<'c, 'b>>;

type Binary<'c, 'b> =
    fn(&Emitter<'c, 'b>, &Tensor<'c, 'b>, &Tensor<'c, 'b>) -> Result<Tensor<'c, 'b>>;

/// Defines methods that are operations of one operand.
macro_rules! unary {
    ($($name:ident: $operation:ident,)+) => {
        $(pub(super) fn $name(&self) -> Self {
            self.unary(Emitter::$operation)
        })+
    };
}

/// Defines methods that are operations of two operands.
macro_rules! binary {
    ($($name:ident: $operation:ident,)+) => {
        $(pub(super) fn $name(&self, other: impl Operand<'m, 'c, 'b>) -> Self {
            self.binary(other, Emitter::$operation)
        })+
    };
}

/// Defines methods that are comparisons.
macro_rules! compare {
    ($($name:ident: $direction:ident,)+) => {
        $(pub(super) fn $name(&self, other: impl Operand<'m, 'c, 'b>) -> Self {
            self.binary(other, |emitter, lhs, rhs| {
                emitter.compare(ComparisonDirection::$direction, lhs, rhs)
            })
        })+
    };
}

impl<'m, 'c, 'b> Number<'m, 'c, 'b> {
    unary! {
        abs: abs,
        exp: exponential,
        ln: log,
        sqrt: sqrt,
        real: real,
        imag: imag,
        native_exp_m1: exponential_minus_one,
        native_ln_1p: log_plus_one,
    }

    binary! {
        max: maximum,
        min: minimum,
        native_remainder: remainder,
        shift_right: shift_right_logical,
        shift_right_signed: shift_right_arithmetic,
    }

    compare! {
        equals: Equal,
        differs: NotEqual,
        is_less: Less,
        is_greater: Greater,
        is_at_least: GreaterOrEqual,
    }

    fn unary(&self, operation: Unary<'c, 'b>) -> Self {
        let applied = self.tensor.as_ref();
        let applied = applied.map(|tensor| operation(&self.math.emitter, tensor));
        self.of(applied)
    }

    fn binary(&self, other: impl Operand<'m, 'c, 'b>, operation: Binary<'c, 'b>) -> Self {
        let other = other.beside(self);
        let both = self.tensor.as_ref().zip(other.tensor.as_ref());
        let applied = both.map(|(lhs, rhs)| operation(&self.math.emitter, lhs, rhs));
        self.of(applied)
    }

    fn of(&self, tensor: Option<Result<Tensor<'c, 'b>>>) -> Self {
        match tensor {
            Some(tensor) => self.math.number(tensor),
            None => Self {
                math: self.math,
                tensor: None,
            },
        }
    }

    /// A constant of the same type.
    pub(super) fn constant(&self, number: Scalar) -> Self {
        let tensor = self.tensor.as_ref();
        let constant = tensor.map(|tensor| self.math.emitter.splat(number, &tensor.ty));
        self.of(constant)
    }

    /// The same everywhere, in the same type.
    pub(super) fn like(&self, number: impl Operand<'m, 'c, 'b>) -> Self {
        number.beside(self)
    }

    /// The one where this is true, the other elsewhere.
    pub(super) fn choose(&self, on_true: impl Operand<'m, 'c, 'b>, on_false: &Self) -> Self {
        let on_true = on_true.beside(on_false);
        let choices = on_true.tensor.as_ref().zip(on_false.tensor.as_ref());
        let all = self.tensor.as_ref().zip(choices);
        let chosen = all.map(|(mask, (a, b))| self.math.emitter.select(mask, a, b));
        self.of(chosen)
    }

    /// The element type.
    pub(super) fn dtype(&self) -> DType {
        self.tensor.as_ref().map_or(DType::F32, Tensor::dtype)
    }

    /// The format of a floating-point type.
    pub(super) fn format(&self) -> Format {
        match self.dtype().real() {
            DType::F64 => Format::DOUBLE,
            _ => Format::SINGLE,
        }
    }

    /// The same numbers, converted.
    pub(super) fn convert(&self, dtype: DType) -> Self {
        let tensor = self.tensor.as_ref();
        self.of(tensor.map(|tensor| self.math.emitter.convert(tensor, dtype)))
    }

    /// The bits of a floating-point number as an integer with a sign.
    pub(super) fn bits(&self) -> Self {
        self.bitcast(self.format().integer)
    }

    /// The floating-point number of these bits.
    pub(super) fn to_float(&self) -> Self {
        match self.dtype() {
            DType::I64 => self.bitcast(DType::F64),
            _ => self.bitcast(DType::F32),
        }
    }

    fn bitcast(&self, dtype: DType) -> Self {
        let tensor = self.tensor.as_ref();
        self.of(tensor.map(|tensor| self.math.emitter.bitcast_convert(tensor, dtype)))
    }

    /// The complex number with this real and that imaginary part.
    pub(super) fn with_imag(&self, imag: &Self) -> Self {
        self.binary(imag, |emitter, re, im| {
            let dtype = match re.dtype() {
                DType::F64 => DType::C128,
                _ => DType::C64,
            };
            emitter.complex(re, im, dtype)
        })
    }

    /// Whether the sign bit is set.
    pub(super) fn is_negative(&self) -> Self {
        let bits = self.bits();
        bits.is_less(0)
    }

    /// The number with the other sign where a mask says so.
    pub(super) fn negate_where(&self, mask: &Self) -> Self {
        mask.choose(-self, self)
    }

    /// Whether it is neither infinite nor NaN.
    pub(super) fn is_finite(&self) -> Self {
        self.abs().is_less(f64::INFINITY)
    }
}

/// What the bits of a floating-point type mean.
#[derive(Clone, Copy)]
pub(super) struct Format {
    /// The integer type of the same width, with a sign.
    pub(super) integer: DType,
    /// The bits of the significand, with the leading one.
    pub(super) precision: u32,
    /// What is added to the exponent.
    pub(super) bias: i64,
    /// The distance from 1 to the next number.
    pub(super) epsilon: f64,
}

impl Format {
    const SINGLE: Self = Self {
        integer: DType::I32,
        precision: f32::MANTISSA_DIGITS,
        bias: f32::MAX_EXP as i64 - 1,
        epsilon: f32::EPSILON as f64,
    };

    const DOUBLE: Self = Self {
        integer: DType::I64,
        precision: f64::MANTISSA_DIGITS,
        bias: f64::MAX_EXP as i64 - 1,
        epsilon: f64::EPSILON,
    };

    /// The bits of the significand that are stored.
    pub(super) const fn fraction(self) -> i64 {
        self.precision as i64 - 1
    }
}

/// Defines an operator between numbers, and between a number and a constant.
macro_rules! operator {
    ($($operator:ident::$method:ident: $operation:ident,)+) => {
        $(impl<'m, 'c, 'b, R: Operand<'m, 'c, 'b>> $operator<R> for &Number<'m, 'c, 'b> {
            type Output = Number<'m, 'c, 'b>;

            fn $method(self, other: R) -> Self::Output {
                self.binary(other, Emitter::$operation)
            }
        }

        impl<'m, 'c, 'b, R: Operand<'m, 'c, 'b>> $operator<R> for Number<'m, 'c, 'b> {
            type Output = Self;

            fn $method(self, other: R) -> Self {
                self.binary(other, Emitter::$operation)
            }
        })+
    };
}

operator! {
    Add::add: add,
    Sub::sub: subtract,
    Mul::mul: multiply,
    Div::div: divide,
    BitAnd::bitand: and,
    BitOr::bitor: or,
    BitXor::bitxor: xor,
    Shl::shl: shift_left,
}

/// Defines an operator with a constant on its left.
macro_rules! constant_first {
    ($($operator:ident::$method:ident,)+) => {
        $(impl<'m, 'c, 'b> $operator<Number<'m, 'c, 'b>> for f64 {
            type Output = Number<'m, 'c, 'b>;

            fn $method(self, other: Number<'m, 'c, 'b>) -> Self::Output {
                other.like(self).$method(other)
            }
        }

        impl<'m, 'c, 'b> $operator<&Number<'m, 'c, 'b>> for f64 {
            type Output = Number<'m, 'c, 'b>;

            fn $method(self, other: &Number<'m, 'c, 'b>) -> Self::Output {
                other.like(self).$method(other)
            }
        })+
    };
}

constant_first! {
    Add::add,
    Sub::sub,
    Mul::mul,
    Div::div,
}

impl<'m, 'c, 'b> Neg for &Number<'m, 'c, 'b> {
    type Output = Number<'m, 'c, 'b>;

    fn neg(self) -> Self::Output {
        self.unary(Emitter::negate)
    }
}

impl Neg for Number<'_, '_, '_> {
    type Output = Self;

    fn neg(self) -> Self {
        self.unary(Emitter::negate)
    }
}

impl<'m, 'c, 'b> Not for &Number<'m, 'c, 'b> {
    type Output = Number<'m, 'c, 'b>;

    fn not(self) -> Self::Output {
        self.unary(Emitter::not)
    }
}
