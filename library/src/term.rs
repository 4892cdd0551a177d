//! The terms of a formula, which combine as numbers do.

use crate::builder::{Builder, Error};
use iree_abi::{DType, DTypeClass, Dim, Extent, Shape, TensorType};
use iree_dsl_ir::{
    Scalar,
    op::{
        BinaryOp, Broadcast, CompareOp, InferError, Op, Reduce, ReduceKind, Slice, Transpose,
        UnaryOp,
    },
};
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Rem, Shl, Shr, Sub};

/// A tensor in a formula, or why there is none.
///
/// # Examples
///
/// ```
/// use iree_dsl_library::Term;
///
/// /// √(1 - x²)
/// fn other_side<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
///     ((x.like(1.0) - x) * (x + 1.0)).sqrt()
/// }
/// ```
pub struct Term<'x, V> {
    builder: &'x (dyn Builder<Value = V> + 'x),
    value: Result<V, Error>,
}

impl<V: Clone> Clone for Term<'_, V> {
    fn clone(&self) -> Self {
        Self {
            builder: self.builder,
            value: self.value.clone(),
        }
    }
}

/// What may stand between the operators of a formula: a term, or a number that takes the type of the other side.
pub trait Operand<'x, V> {
    /// What it is beside a term.
    fn beside(self, other: &Term<'x, V>) -> Term<'x, V>;
}

impl<'x, V> Operand<'x, V> for Term<'x, V> {
    fn beside(self, _: &Self) -> Self {
        self
    }
}

impl<'x, V: Clone> Operand<'x, V> for &Term<'x, V> {
    fn beside(self, _: &Term<'x, V>) -> Term<'x, V> {
        self.clone()
    }
}

impl<'x, V: Clone> Operand<'x, V> for f64 {
    fn beside(self, other: &Term<'x, V>) -> Term<'x, V> {
        other.splat_like(Scalar::Float(self))
    }
}

impl<'x, V: Clone> Operand<'x, V> for i128 {
    fn beside(self, other: &Term<'x, V>) -> Term<'x, V> {
        other.splat_like(Scalar::Integer(self))
    }
}

impl<'x, V: Clone> Term<'x, V> {
    /// A value as a term.
    pub fn new(builder: &'x (dyn Builder<Value = V> + 'x), value: V) -> Self {
        Self {
            builder,
            value: Ok(value),
        }
    }

    /// What something else has made of values, as a term.
    pub fn made(builder: &'x (dyn Builder<Value = V> + 'x), value: Result<V, Error>) -> Self {
        Self { builder, value }
    }

    /// The same number everywhere.
    pub fn splat(
        builder: &'x (dyn Builder<Value = V> + 'x),
        number: Scalar,
        ty: &TensorType,
    ) -> Self {
        let value = builder.splat(number, ty);
        Self { builder, value }
    }

    /// The result of an operation without operands.
    pub(crate) fn source(builder: &'x (dyn Builder<Value = V> + 'x), op: Op) -> Self {
        let value = builder.emit(op, &[]);
        Self { builder, value }
    }

    /// Where its operations go.
    pub(crate) fn builder(&self) -> &'x (dyn Builder<Value = V> + 'x) {
        self.builder
    }

    /// What the formula comes to.
    ///
    /// # Errors
    ///
    /// The first one of it.
    pub fn value(self) -> Result<V, Error> {
        self.value
    }

    /// A function.
    pub fn apply(&self, op: UnaryOp) -> Self {
        self.emit(Op::Unary(op), &[])
    }

    /// A function of two numbers.
    pub fn with(&self, op: BinaryOp, other: impl Operand<'x, V>) -> Self {
        self.emit(Op::Binary(op), &[&other.beside(self)])
    }

    /// A comparison.
    pub fn compare(&self, op: CompareOp, other: impl Operand<'x, V>) -> Self {
        self.emit(Op::Compare(op), &[&other.beside(self)])
    }

    /// The one where this is true, the other elsewhere.
    pub fn choose(&self, on_true: impl Operand<'x, V>, on_false: &Self) -> Self {
        let on_true = on_true.beside(on_false);
        self.emit(Op::Select, &[&on_true, on_false])
    }

    /// Rust's `as`.
    pub fn convert(&self, dtype: DType) -> Self {
        match self.dtype() == dtype {
            true => self.clone(),
            false => self.emit(Op::Convert(dtype), &[]),
        }
    }

    /// The same bits as another element type.
    pub fn bitcast(&self, dtype: DType) -> Self {
        self.emit(Op::Bitcast(dtype), &[])
    }

    /// The same elements in another shape.
    pub fn reshape(&self, shape: &Shape) -> Self {
        match self.ty() {
            Some(ty) if ty.shape != *shape => self.emit(Op::Reshape(shape.clone()), &[]),
            _ => self.clone(),
        }
    }

    /// Repeated to a shape, whose last axes are those of this one.
    pub fn broadcast(&self, shape: &Shape) -> Self {
        let Some(ty) = self.ty().filter(|ty| ty.shape != *shape) else {
            return self.clone();
        };
        match shape.rank().checked_sub(ty.shape.rank()) {
            Some(offset) => self.repeat(shape, (offset..shape.rank()).collect()),
            None => self.failed(InferError::Broadcast(ty.shape, shape.clone()).into()),
        }
    }

    /// Repeated to the shape of another term.
    pub fn broadcast_like(&self, other: &Self) -> Self {
        match other.ty() {
            Some(ty) => self.broadcast(&ty.shape),
            None => other.clone(),
        }
    }

    /// Repeated to a shape, of which these axes are those of this one.
    pub fn repeat(&self, shape: &Shape, axes: Vec<usize>) -> Self {
        let shape = shape.clone();
        self.emit(Op::Broadcast(Broadcast { shape, axes }), &[])
    }

    /// Reduced along axes, which rise.
    pub fn reduce(&self, kind: ReduceKind, axes: &[usize]) -> Self {
        let axes = axes.to_vec();
        self.emit(Op::Reduce(Reduce { kind, axes }), &[])
    }

    /// The part from one place to before another along an axis.
    pub fn part(&self, axis: usize, from: Extent, to: Extent) -> Self {
        let Some(ty) = self.ty() else {
            return self.clone();
        };
        let mut limit = ty.shape.extents().unwrap_or_default();
        let mut start = vec![Extent::from(0); limit.len()];
        let stride = vec![1; limit.len()];
        if let Some((start, limit)) = start.get_mut(axis).zip(limit.get_mut(axis)) {
            (*start, *limit) = (from, to);
        }
        let slice = Slice {
            start,
            limit,
            stride,
        };
        self.emit(Op::Slice(slice), &[])
    }

    /// What stands at an index of the first axis, without that axis.
    pub fn item(&self, index: usize) -> Self {
        let Some(ty) = self.ty() else {
            return self.clone();
        };
        let rest = ty.shape.dims().get(1..).unwrap_or_default();
        let part = self.part(0, Extent::from(index), Extent::from(index + 1));
        part.reshape(&Shape::new(rest.to_vec()))
    }

    /// The element type.
    pub fn dtype(&self) -> DType {
        self.ty().map_or(DType::F32, |ty| ty.dtype)
    }

    /// The sizes of the axes; none after a mistake.
    pub fn shape(&self) -> Shape {
        self.ty().map(|ty| ty.shape).unwrap_or_default()
    }

    /// Both, as a type.
    pub(crate) fn tensor_type(&self) -> TensorType {
        TensorType::new(self.dtype(), self.shape())
    }

    /// The same everywhere, in the same type.
    pub fn like(&self, number: impl Operand<'x, V>) -> Self {
        number.beside(self)
    }

    /// The absolute value.
    pub fn abs(&self) -> Self {
        self.apply(UnaryOp::Abs)
    }

    /// The square root.
    pub fn sqrt(&self) -> Self {
        self.apply(UnaryOp::Sqrt)
    }

    /// The real part.
    pub fn real(&self) -> Self {
        self.apply(UnaryOp::Real)
    }

    /// The imaginary part.
    pub fn imag(&self) -> Self {
        self.apply(UnaryOp::Imag)
    }

    /// The complex number with this real and that imaginary part.
    pub fn with_imag(&self, imag: impl Operand<'x, V>) -> Self {
        self.with(BinaryOp::Complex, imag)
    }

    /// The larger one.
    pub fn max(&self, other: impl Operand<'x, V>) -> Self {
        self.with(BinaryOp::Maximum, other)
    }

    /// The smaller one.
    pub fn min(&self, other: impl Operand<'x, V>) -> Self {
        self.with(BinaryOp::Minimum, other)
    }

    /// The same elements with the axes in another order.
    pub(crate) fn transposed(&self, permutation: Vec<usize>) -> Self {
        match permutation.is_sorted() {
            true => self.clone(),
            false => self.emit(Op::Transpose(Transpose { permutation }), &[]),
        }
    }

    /// The result of an operation on this and others.
    pub(crate) fn emit(&self, op: Op, others: &[&Self]) -> Self {
        let operands = std::iter::once(self).chain(others.iter().copied());
        let operands: Result<Vec<_>, _> = operands.map(|term| term.value.as_ref()).collect();
        let value = match operands {
            Ok(operands) => self.builder.emit(op, &operands),
            Err(error) => Err(error.clone()),
        };
        Self { value, ..*self }
    }

    /// The result of an operation without operands, for the formula that this is in.
    pub(crate) fn make(&self, op: Op) -> Self {
        let value = match &self.value {
            Ok(_) => self.builder.emit(op, &[]),
            Err(error) => Err(error.clone()),
        };
        Self { value, ..*self }
    }

    /// The same number everywhere, for the formula that this is in.
    pub(crate) fn make_splat(&self, number: Scalar, ty: &TensorType) -> Self {
        let value = match &self.value {
            Ok(_) => self.builder.splat(number, ty),
            Err(error) => Err(error.clone()),
        };
        Self { value, ..*self }
    }

    /// The term, if its elements are of a class that a composite is defined for.
    pub(crate) fn of(&self, accepts: impl Fn(DTypeClass) -> bool) -> Self {
        match self.ty() {
            Some(TensorType { dtype, .. }) if !accepts(dtype.class()) => {
                // Who reports it knows what was called.
                let operation = "";
                self.failed(InferError::DType { operation, dtype }.into())
            }
            _ => self.clone(),
        }
    }

    /// No value.
    pub(crate) fn failed(&self, error: Error) -> Self {
        let value = self.value.clone().and(Err(error));
        Self { value, ..*self }
    }

    /// Has calls refused with nothing along an axis whose size they tell.
    pub(crate) fn require_one_along(&self, axis: usize) {
        let shape = self.shape();
        let size = shape.dims().get(axis);
        let size = size.filter(|size| size.known().is_none());
        if let Some(size) = size.and_then(Dim::extent) {
            self.require_order(&Extent::from(1), &size);
        }
    }

    /// Whether one number is at most another, as far as that is known; what only calls tell is required of them.
    pub(crate) fn require_order(&self, least: &Extent, most: &Extent) -> bool {
        self.builder.require_order(least, most)
    }

    pub(crate) fn is_derived(&self) -> bool {
        self.builder.is_derived()
    }

    /// How many elements there are along axes.
    pub(crate) fn count(&self, axes: &[usize]) -> Option<Extent> {
        let shape = self.shape();
        let dims = axes.iter().map(|axis| shape.dims().get(*axis).cloned());
        let dims: Option<Vec<Dim>> = dims.collect();
        Shape::new(dims?).element_count()
    }

    fn ty(&self) -> Option<TensorType> {
        let value = self.value.as_ref().ok()?;
        Some(self.builder.ty(value))
    }

    fn splat_like(&self, number: Scalar) -> Self {
        match self.ty() {
            Some(ty) => self.make_splat(number, &ty),
            None => self.clone(),
        }
    }
}

/// Numbers of 16 bits as `f32`.
pub(crate) fn widened<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    match x.dtype().size() {
        2 => x.convert(DType::F32),
        _ => x.clone(),
    }
}

/// Computes narrow floating-point numbers as `f32`, so that they are rounded once.
pub(crate) fn precise<'x, V: Clone, const N: usize>(
    terms: [Term<'x, V>; N],
    run: impl FnOnce([Term<'x, V>; N]) -> Term<'x, V>,
) -> Term<'x, V> {
    let dtype = terms.first().map_or(DType::F32, Term::dtype);
    match dtype {
        DType::F16 | DType::BF16 => {
            let wide = terms.map(|term| term.convert(DType::F32));
            run(wide).convert(dtype)
        }
        _ => run(terms),
    }
}

/// Defines an operator between terms, and between a term and a number.
macro_rules! operator {
    ($($operator:ident::$method:ident: $op:ident,)+) => {
        $(impl<'x, V: Clone, R: Operand<'x, V>> $operator<R> for &Term<'x, V> {
            type Output = Term<'x, V>;

            fn $method(self, other: R) -> Self::Output {
                self.with(BinaryOp::$op, other)
            }
        }

        impl<'x, V: Clone, R: Operand<'x, V>> $operator<R> for Term<'x, V> {
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

impl<'x, V: Clone> Neg for &Term<'x, V> {
    type Output = Term<'x, V>;

    fn neg(self) -> Self::Output {
        self.apply(UnaryOp::Negate)
    }
}

impl<V: Clone> Neg for Term<'_, V> {
    type Output = Self;

    fn neg(self) -> Self {
        self.apply(UnaryOp::Negate)
    }
}

impl<V: Clone> Not for Term<'_, V> {
    type Output = Self;

    fn not(self) -> Self {
        self.apply(UnaryOp::Not)
    }
}
