//! Numbers known while tracing, and arithmetic with them.
//!
//! A literal has no type until it meets something that has one. With a type, arithmetic is Rust's in a
//! constant: what overflows is a mistake.

use crate::ast::BinaryOperator;
use iree_abi::{DType, TensorType};
use iree_dsl_ir::Scalar;
use std::{cmp::Ordering, fmt};

/// A number known while tracing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Static {
    /// The number.
    pub(crate) value: Scalar,
    /// Its type.
    pub(crate) ty: StaticType,
}

/// The type of a [`Static`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum StaticType {
    /// An integer literal: whatever is asked for.
    Integer,
    /// A literal with a point or exponent: whatever is asked for.
    Float,
    /// A parameter `f64` of a kernel: whatever real type is asked for, since it has the digits of each.
    Real,
    /// `usize`: dimensions and indices.
    Usize,
    /// An element type.
    Element(DType),
}

impl fmt::Display for StaticType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer => formatter.write_str("{integer}"),
            Self::Float => formatter.write_str("{float}"),
            Self::Usize => formatter.write_str("usize"),
            Self::Real => DType::F64.fmt(formatter),
            Self::Element(dtype) => write!(formatter, "{dtype}"),
        }
    }
}

impl fmt::Display for Static {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            Scalar::Bool(value) => write!(formatter, "{value}"),
            Scalar::Integer(value) => write!(formatter, "{value}"),
            Scalar::Float(value) => write!(formatter, "{value:?}"),
        }
    }
}

/// Why static arithmetic has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StaticError {
    /// The operands have different types.
    Types(StaticType, StaticType),
    /// The type does not have the operation.
    Undefined(StaticType),
    /// The result does not fit the type.
    Overflow(StaticType),
    /// The divisor is zero.
    DivisionByZero,
}

impl StaticType {
    /// The type's name in the language, if it has one.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        match name {
            "usize" => Some(Self::Usize),
            _ => name.parse().ok().map(Self::Element),
        }
    }

    /// Whether it is a literal's, or one that takes other types as a literal does.
    pub(crate) const fn is_weak(self) -> bool {
        matches!(self, Self::Integer | Self::Float | Self::Real)
    }

    /// The element type that a number of this type takes when nothing else decides.
    pub(crate) const fn default_dtype(self) -> Option<DType> {
        match self {
            Self::Integer => Some(DType::I32),
            Self::Float => Some(DType::F32),
            Self::Real => Some(DType::F64),
            Self::Usize => None,
            Self::Element(dtype) => Some(dtype),
        }
    }

    /// Whether a number of this type is taken for a tensor of a type: a scalar.
    pub(crate) fn becomes(self, ty: &TensorType) -> bool {
        let element = Self::Element(ty.dtype);
        ty.shape.rank() == 0 && self.unify(element) == Some(element)
    }

    /// The type of both operands of an operator.
    pub(crate) fn unify(self, other: Self) -> Option<Self> {
        match (self, other) {
            (a, b) if a == b => Some(a),
            (Self::Integer, other) | (other, Self::Integer) if !is_bool(other) => Some(other),
            (Self::Float, Self::Real) | (Self::Real, Self::Float) => Some(Self::Real),
            (Self::Float | Self::Real, Self::Element(dtype))
            | (Self::Element(dtype), Self::Float | Self::Real)
                if dtype.is_float() || dtype.is_complex() =>
            {
                Some(Self::Element(dtype))
            }
            _ => None,
        }
    }
}

fn is_bool(ty: StaticType) -> bool {
    ty == StaticType::Element(DType::Bool)
}

impl Static {
    /// An integer literal.
    pub(crate) const fn integer(value: i128) -> Self {
        Self {
            value: Scalar::Integer(value),
            ty: StaticType::Integer,
        }
    }

    /// A dimension or an index.
    pub(crate) const fn usize(value: usize) -> Self {
        Self {
            value: Scalar::Integer(value as i128),
            ty: StaticType::Usize,
        }
    }

    /// A truth value.
    pub(crate) const fn bool(value: bool) -> Self {
        Self {
            value: Scalar::Bool(value),
            ty: StaticType::Element(DType::Bool),
        }
    }

    /// A number that may have a fraction.
    pub(crate) const fn float(value: f64, ty: StaticType) -> Self {
        Self {
            value: Scalar::Float(value),
            ty,
        }
    }

    /// The number with a type that it takes implicitly: literals only.
    pub(crate) fn conform(self, ty: StaticType) -> Result<Self, StaticError> {
        match self.ty.unify(ty) {
            _ if self.as_parameter().ty == ty => Ok(self.as_parameter()),
            Some(unified) if unified == ty => self.fit(ty),
            _ => Err(StaticError::Types(ty, self.ty)),
        }
    }

    /// The number as the parameter of a kernel.
    pub(crate) fn as_parameter(self) -> Self {
        match self.ty {
            StaticType::Element(DType::F64) => Self {
                ty: StaticType::Real,
                ..self
            },
            _ => self,
        }
    }

    /// The number with a type that must be able to hold it.
    fn fit(self, ty: StaticType) -> Result<Self, StaticError> {
        let overflow = StaticError::Overflow(ty);
        let value = match (ty, self.value) {
            (StaticType::Usize, Scalar::Integer(value)) => {
                usize::try_from(value).map_err(|_| overflow)?;
                self.value
            }
            (StaticType::Element(dtype), value) => {
                value.encode(dtype).map_err(|_| overflow)?;
                round(value, dtype)
            }
            (StaticType::Float | StaticType::Real, Scalar::Integer(value)) => {
                Scalar::Float(value as f64)
            }
            (_, value) => value,
        };
        Ok(Self { value, ty })
    }

    /// Rust's `as`.
    pub(crate) fn cast(self, ty: StaticType) -> Self {
        let value = match ty {
            StaticType::Usize => Scalar::Integer(as_integer(self.value, 64, false)),
            StaticType::Element(DType::Bool) => Scalar::Bool(as_float(self.value) != 0.0),
            StaticType::Element(dtype) if dtype.is_integer() => {
                let signed = matches!(dtype.class(), iree_abi::DTypeClass::Signed);
                let bits = 8 * dtype.size() as u32;
                Scalar::Integer(as_integer(self.value, bits, signed))
            }
            StaticType::Element(dtype) => round(Scalar::Float(as_float(self.value)), dtype),
            StaticType::Integer | StaticType::Float | StaticType::Real => self.value,
        };
        Self { value, ty }
    }

    /// `-x`.
    pub(crate) fn negate(self) -> Result<Self, StaticError> {
        let value = match self.value {
            Scalar::Integer(value) => Scalar::Integer(value.checked_neg().ok_or(self.overflow())?),
            Scalar::Float(value) => Scalar::Float(-value),
            Scalar::Bool(_) => return Err(StaticError::Undefined(self.ty)),
        };
        Self { value, ..self }.fit(self.ty)
    }

    /// `!x`.
    pub(crate) fn not(self) -> Result<Self, StaticError> {
        match (self.value, self.ty) {
            (Scalar::Bool(value), _) => Ok(Self::bool(!value)),
            (Scalar::Integer(value), StaticType::Element(dtype)) if dtype.is_integer() => {
                let unsigned = matches!(dtype.class(), iree_abi::DTypeClass::Unsigned);
                let mask = (1_i128 << (8 * dtype.size())) - 1;
                let value = if unsigned { !value & mask } else { !value };
                Ok(Self {
                    value: Scalar::Integer(value),
                    ..self
                })
            }
            (Scalar::Integer(value), StaticType::Integer) => Ok(Self::integer(!value)),
            _ => Err(StaticError::Undefined(self.ty)),
        }
    }

    /// `f(x)` for a function of the real numbers.
    pub(crate) fn real_function(self, function: fn(f64) -> f64) -> Result<Self, StaticError> {
        match (self.value, self.ty) {
            (Scalar::Float(value), ty) => Ok(Self::float(function(value), ty).rounded()),
            (Scalar::Integer(value), StaticType::Integer) => {
                Ok(Self::float(function(value as f64), StaticType::Float))
            }
            _ => Err(StaticError::Undefined(self.ty)),
        }
    }

    fn rounded(self) -> Self {
        match self.ty {
            StaticType::Element(dtype) => Self {
                value: round(self.value, dtype),
                ..self
            },
            _ => self,
        }
    }

    const fn overflow(self) -> StaticError {
        StaticError::Overflow(self.ty)
    }

    /// The number, if it is one.
    pub(crate) fn as_float(self) -> Option<f64> {
        match self.value {
            Scalar::Integer(value) => Some(value as f64),
            Scalar::Float(value) => Some(value),
            Scalar::Bool(_) => None,
        }
    }

    /// The number as an index or a dimension.
    pub(crate) fn as_integer(self) -> Option<i128> {
        match self.value {
            Scalar::Integer(value) => Some(value),
            _ => None,
        }
    }
}

/// `a op b`.
pub(crate) fn binary(
    operator: BinaryOperator,
    lhs: Static,
    rhs: Static,
) -> Result<Static, StaticError> {
    let shift = matches!(
        operator,
        BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight
    );
    let ty = match lhs.ty.unify(rhs.ty) {
        Some(ty) => ty,
        None if shift => lhs.ty,
        None => return Err(StaticError::Types(lhs.ty, rhs.ty)),
    };
    let (lhs, rhs) = if shift {
        (lhs, rhs)
    } else {
        (lhs.fit(ty)?, rhs.fit(ty)?)
    };
    match (lhs.value, rhs.value) {
        (Scalar::Integer(a), Scalar::Integer(b)) => integers(operator, a, b, ty),
        (Scalar::Bool(a), Scalar::Bool(b)) => bools(operator, a, b),
        (a, b) => floats(operator, as_float(a), as_float(b), ty),
    }
}

fn integers(
    operator: BinaryOperator,
    a: i128,
    b: i128,
    ty: StaticType,
) -> Result<Static, StaticError> {
    use BinaryOperator as Op;
    if let Some(result) = compare(operator, Some(a.cmp(&b))) {
        return Ok(Static::bool(result));
    }
    let value = match operator {
        Op::Add => a.checked_add(b),
        Op::Subtract => a.checked_sub(b),
        Op::Multiply => a.checked_mul(b),
        Op::Divide | Op::Remainder if b == 0 => return Err(StaticError::DivisionByZero),
        Op::Divide => a.checked_div(b),
        Op::Remainder => a.checked_rem(b),
        Op::And => Some(a & b),
        Op::Or => Some(a | b),
        Op::Xor => Some(a ^ b),
        Op::ShiftLeft => return shift_left(a, b, ty),
        Op::ShiftRight => u32::try_from(b).ok().and_then(|by| a.checked_shr(by)),
        _ => return Err(StaticError::Undefined(ty)),
    };
    let value = Scalar::Integer(value.ok_or(StaticError::Overflow(ty))?);
    Static { value, ty }.fit(ty)
}

/// Bits past the width of a type are lost, as in Rust; a literal has no width, and keeps them.
fn shift_left(a: i128, by: i128, ty: StaticType) -> Result<Static, StaticError> {
    let overflow = StaticError::Overflow(ty);
    let width = match ty {
        StaticType::Element(dtype) => 8 * dtype.size() as i128,
        StaticType::Usize => i128::from(usize::BITS),
        StaticType::Integer | StaticType::Float | StaticType::Real => 127,
    };
    let by = u32::try_from(by).map_err(|_| overflow)?;
    if i128::from(by) >= width {
        return Err(overflow);
    }
    let shifted = a.checked_mul(1_i128.checked_shl(by).ok_or(overflow)?);
    let value = Scalar::Integer(shifted.ok_or(overflow)?);
    let number = Static {
        value,
        ty: StaticType::Integer,
    };
    Ok(number.cast(ty))
}

fn floats(operator: BinaryOperator, a: f64, b: f64, ty: StaticType) -> Result<Static, StaticError> {
    use BinaryOperator as Op;
    if let Some(result) = compare(operator, a.partial_cmp(&b)) {
        return Ok(Static::bool(result));
    }
    let value = match operator {
        Op::Add => a + b,
        Op::Subtract => a - b,
        Op::Multiply => a * b,
        Op::Divide => a / b,
        Op::Remainder => a % b,
        _ => return Err(StaticError::Undefined(ty)),
    };
    Ok(Static::float(value, ty).rounded())
}

fn bools(operator: BinaryOperator, a: bool, b: bool) -> Result<Static, StaticError> {
    use BinaryOperator as Op;
    if let Some(result) = compare(operator, Some(a.cmp(&b))) {
        return Ok(Static::bool(result));
    }
    match operator {
        Op::And | Op::LazyAnd => Ok(Static::bool(a & b)),
        Op::Or | Op::LazyOr => Ok(Static::bool(a | b)),
        Op::Xor => Ok(Static::bool(a ^ b)),
        _ => Err(StaticError::Undefined(StaticType::Element(DType::Bool))),
    }
}

fn compare(operator: BinaryOperator, order: Option<Ordering>) -> Option<bool> {
    use BinaryOperator as Op;
    match operator {
        Op::Equal => Some(order == Some(Ordering::Equal)),
        Op::NotEqual => Some(order != Some(Ordering::Equal)),
        Op::Less => Some(order == Some(Ordering::Less)),
        Op::LessEqual => Some(order.is_some_and(Ordering::is_le)),
        Op::Greater => Some(order == Some(Ordering::Greater)),
        Op::GreaterEqual => Some(order.is_some_and(Ordering::is_ge)),
        _ => None,
    }
}

/// The nearest number that the element type has.
fn round(value: Scalar, dtype: DType) -> Scalar {
    let (Scalar::Float(_) | Scalar::Integer(_)) = value else {
        return value;
    };
    match dtype.is_float() || dtype.is_complex() {
        true => Scalar::Float(value.nearest(dtype)),
        false => value,
    }
}

fn as_float(value: Scalar) -> f64 {
    match value {
        Scalar::Bool(value) => f64::from(u8::from(value)),
        Scalar::Integer(value) => value as f64,
        Scalar::Float(value) => value,
    }
}

fn as_integer(value: Scalar, bits: u32, signed: bool) -> i128 {
    let (low, high) = if signed {
        (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1)
    } else {
        (0, (1_i128 << bits) - 1)
    };
    match value {
        Scalar::Bool(value) => i128::from(value),
        Scalar::Float(value) => (value as i128).clamp(low, high),
        Scalar::Integer(value) => {
            let wrapped = value & ((1_i128 << bits) - 1);
            if wrapped > high {
                wrapped - (1_i128 << bits)
            } else {
                wrapped
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value: i128, dtype: DType) -> Static {
        Static::integer(value).cast(StaticType::Element(dtype))
    }

    #[test]
    fn casts_are_those_of_rust() {
        assert_eq!(of(300, DType::U8).value, Scalar::Integer(44));
        assert_eq!(of(200, DType::I8).value, Scalar::Integer(-56));
        let float = |value: f64, dtype| {
            Static::float(value, StaticType::Float).cast(StaticType::Element(dtype))
        };
        assert_eq!(float(-1.5, DType::U8).value, Scalar::Integer(0));
        assert_eq!(float(1e10, DType::I32).value, Scalar::Integer(2147483647));
        assert_eq!(float(f64::NAN, DType::I32).value, Scalar::Integer(0));
        assert_eq!(
            float(0.1, DType::F32).value,
            Scalar::Float(f64::from(0.1_f32))
        );
    }

    #[test]
    fn literals_take_the_other_type() {
        let sum = binary(BinaryOperator::Add, Static::integer(1), Static::usize(2));
        assert_eq!(sum, Ok(Static::usize(3)));
        let difference = binary(
            BinaryOperator::Subtract,
            Static::usize(1),
            Static::integer(2),
        );
        assert_eq!(difference, Err(StaticError::Overflow(StaticType::Usize)));
        let mixed = binary(BinaryOperator::Add, of(1, DType::I8), of(1, DType::I16));
        assert!(matches!(mixed, Err(StaticError::Types(..))));
    }

    #[test]
    fn typed_shifts_have_a_width() {
        let shift = |by| {
            binary(
                BinaryOperator::ShiftLeft,
                of(1, DType::I8),
                Static::integer(by),
            )
        };
        assert_eq!(shift(7), Ok(of(-128, DType::I8)));
        assert_eq!(
            shift(8),
            Err(StaticError::Overflow(StaticType::Element(DType::I8)))
        );
    }

    #[test]
    fn nothing_divides_by_zero() {
        let quotient = binary(
            BinaryOperator::Divide,
            Static::integer(1),
            Static::integer(0),
        );
        assert_eq!(quotient, Err(StaticError::DivisionByZero));
    }

    #[test]
    fn shifts_do_not_lose_bits() {
        let shift = |value, by| {
            binary(
                BinaryOperator::ShiftLeft,
                Static::integer(value),
                Static::integer(by),
            )
        };
        assert_eq!(shift(3, 4), Ok(Static::integer(48)));
        assert!(shift(1, 127).is_err());
        assert!(shift(1, -1).is_err());
    }
}
