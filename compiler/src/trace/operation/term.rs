//! The terms of a formula, which combine as numbers do.

use super::super::{
    statics::{Static, StaticType},
    value::{Tensor, Value},
};
use iree_abi::{DType, Extent, Shape, TensorType};
use iree_dsl_ir::op::{BinaryOp, CompareOp, Op, Slice, UnaryOp};
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Rem, Shl, Shr, Sub};

/// What terms need of their formula, whatever the lifetimes of its tracer.
pub(super) trait Emit {
    fn emit(&self, op: Op, operands: &[&Tensor]) -> Option<Tensor>;
    fn constant(&self, number: Static, ty: &TensorType) -> Option<Tensor>;
    fn broadcast(&self, operand: Tensor, shape: &Shape) -> Option<Tensor>;
}

/// A tensor in a formula; nothing after a mistake.
#[derive(Clone)]
pub(super) struct Term<'x> {
    formula: &'x (dyn Emit + 'x),
    tensor: Option<Tensor>,
}

/// What may stand beside a term: another one, or a number that takes its type.
pub(super) trait Operand<'x> {
    fn beside(self, other: &Term<'x>) -> Term<'x>;
}

impl<'x> Operand<'x> for Term<'x> {
    fn beside(self, _: &Self) -> Self {
        self
    }
}

impl<'x> Operand<'x> for &Term<'x> {
    fn beside(self, _: &Term<'x>) -> Term<'x> {
        self.clone()
    }
}

impl<'x> Operand<'x> for f64 {
    fn beside(self, other: &Term<'x>) -> Term<'x> {
        other.constant(Static::float(self, StaticType::Float))
    }
}

impl<'x> Operand<'x> for i128 {
    fn beside(self, other: &Term<'x>) -> Term<'x> {
        other.constant(Static::integer(self))
    }
}

impl<'x> Term<'x> {
    /// A term of a formula.
    pub(super) fn new(formula: &'x (dyn Emit + 'x), tensor: Option<Tensor>) -> Self {
        Self { formula, tensor }
    }

    /// The result of an operation.
    pub(super) fn emitted<'o>(
        formula: &'x (dyn Emit + 'x),
        op: Op,
        operands: impl Iterator<Item = &'o Self>,
    ) -> Self
    where
        'x: 'o,
    {
        let operands: Option<Vec<_>> = operands.map(|term| term.tensor.as_ref()).collect();
        let tensor = operands.and_then(|operands| formula.emit(op, &operands));
        Self::new(formula, tensor)
    }

    fn of(&self, tensor: Option<Tensor>) -> Self {
        Self::new(self.formula, tensor)
    }

    fn emit(&self, op: Op, others: &[&Self]) -> Self {
        let operands = std::iter::once(self).chain(others.iter().copied());
        Self::emitted(self.formula, op, operands)
    }

    /// What it is; nothing after a mistake.
    pub(super) fn tensor(self) -> Option<Tensor> {
        self.tensor
    }

    /// What it is, as the value of a call.
    pub(super) fn value(self) -> Option<Value> {
        self.tensor.map(Value::from)
    }

    /// A function.
    pub(super) fn apply(&self, op: UnaryOp) -> Self {
        self.emit(Op::Unary(op), &[])
    }

    /// A function of two numbers.
    pub(super) fn with(&self, op: BinaryOp, other: impl Operand<'x>) -> Self {
        self.emit(Op::Binary(op), &[&other.beside(self)])
    }

    /// A comparison.
    pub(super) fn compare(&self, op: CompareOp, other: impl Operand<'x>) -> Self {
        self.emit(Op::Compare(op), &[&other.beside(self)])
    }

    /// The one where this is true, the other elsewhere.
    pub(super) fn choose(&self, on_true: impl Operand<'x>, on_false: &Self) -> Self {
        let on_true = on_true.beside(on_false);
        self.emit(Op::Select, &[&on_true, on_false])
    }

    /// Rust's `as`.
    pub(super) fn convert(&self, dtype: DType) -> Self {
        match self.dtype() == dtype {
            true => self.clone(),
            false => self.emit(Op::Convert(dtype), &[]),
        }
    }

    /// The same bits as another element type.
    pub(super) fn bitcast(&self, dtype: DType) -> Self {
        self.emit(Op::Bitcast(dtype), &[])
    }

    /// The same elements in another shape.
    pub(super) fn reshape(&self, shape: &Shape) -> Self {
        match &self.tensor {
            Some(tensor) if tensor.ty.shape != *shape => self.emit(Op::Reshape(shape.clone()), &[]),
            _ => self.clone(),
        }
    }

    /// Repeated to a shape.
    pub(super) fn broadcast(&self, shape: &Shape) -> Self {
        let tensor = self.tensor.clone();
        self.of(tensor.and_then(|tensor| self.formula.broadcast(tensor, shape)))
    }

    /// Repeated to the shape of another term.
    pub(super) fn broadcast_like(&self, other: &Self) -> Self {
        match &other.tensor {
            Some(other) => self.broadcast(&other.ty.shape),
            None => other.clone(),
        }
    }

    /// What stands at an index of the first axis, without that axis.
    pub(super) fn item(&self, index: usize) -> Self {
        let shape = self.tensor.as_ref().map(|tensor| &tensor.ty.shape);
        let extents = shape.and_then(Shape::extents).unwrap_or_default();
        let rest = shape.and_then(|shape| shape.dims().split_first());
        let Some((_, rest)) = rest else {
            return self.of(None);
        };
        let mut start = vec![Extent::from(0); extents.len()];
        let mut limit = extents;
        let stride = vec![1; limit.len()];
        let first = start.first_mut().zip(limit.first_mut());
        if let Some((start, limit)) = first {
            (*start, *limit) = (Extent::from(index), Extent::from(index + 1));
        }
        let slice = Op::Slice(Slice {
            start,
            limit,
            stride,
        });
        self.emit(slice, &[]).reshape(&Shape::new(rest.to_vec()))
    }

    /// The element type.
    pub(super) fn dtype(&self) -> DType {
        let tensor = self.tensor.as_ref();
        tensor.map_or(DType::F32, |tensor| tensor.ty.dtype)
    }

    /// The same everywhere, in the same type.
    pub(super) fn like(&self, number: impl Operand<'x>) -> Self {
        number.beside(self)
    }

    fn constant(&self, number: Static) -> Self {
        let tensor = self.tensor.as_ref();
        self.of(tensor.and_then(|tensor| self.formula.constant(number, &tensor.ty)))
    }

    pub(super) fn abs(&self) -> Self {
        self.apply(UnaryOp::Abs)
    }

    pub(super) fn sqrt(&self) -> Self {
        self.apply(UnaryOp::Sqrt)
    }

    pub(super) fn real(&self) -> Self {
        self.apply(UnaryOp::Real)
    }

    pub(super) fn imag(&self) -> Self {
        self.apply(UnaryOp::Imag)
    }

    /// The complex number with this real and that imaginary part.
    pub(super) fn with_imag(&self, imag: impl Operand<'x>) -> Self {
        self.with(BinaryOp::Complex, imag)
    }

    pub(super) fn max(&self, other: impl Operand<'x>) -> Self {
        self.with(BinaryOp::Maximum, other)
    }

    pub(super) fn min(&self, other: impl Operand<'x>) -> Self {
        self.with(BinaryOp::Minimum, other)
    }
}

/// Defines an operator between terms, and between a term and a number.
macro_rules! operator {
    ($($operator:ident::$method:ident: $op:ident,)+) => {
        $(impl<'x, R: Operand<'x>> $operator<R> for &Term<'x> {
            type Output = Term<'x>;

            fn $method(self, other: R) -> Self::Output {
                self.with(BinaryOp::$op, other)
            }
        }

        impl<'x, R: Operand<'x>> $operator<R> for Term<'x> {
            type Output = Self;

            fn $method(self, other: R) -> Self {
                self.with(BinaryOp::$op, other)
            }
        })+
    };
}

operator! {
    Add::add: Add,
    Sub::sub: Subtract,
    Mul::mul: Multiply,
    Div::div: Divide,
    BitAnd::bitand: And,
    BitOr::bitor: Or,
    BitXor::bitxor: Xor,
    Rem::rem: Remainder,
    Shl::shl: ShiftLeft,
    Shr::shr: ShiftRight,
}

impl<'x> Neg for &Term<'x> {
    type Output = Term<'x>;

    fn neg(self) -> Self::Output {
        self.apply(UnaryOp::Negate)
    }
}

impl Neg for Term<'_> {
    type Output = Self;

    fn neg(self) -> Self {
        self.apply(UnaryOp::Negate)
    }
}

impl Not for Term<'_> {
    type Output = Self;

    fn not(self) -> Self {
        self.apply(UnaryOp::Not)
    }
}
