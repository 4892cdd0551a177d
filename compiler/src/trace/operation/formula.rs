//! Operations of the representation, combined as formulas are written.

use super::{
    super::{statics::Static, statics::StaticType, tracer::Tracer, value::Tensor},
    OperationCall,
};
use crate::{
    op::{BinaryOp, CompareOp, Op, UnaryOp},
    span::SpanId,
};
use iree_abi::DType;
use std::{
    cell::RefCell,
    ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub},
};

/// Where formulas are traced. A mistake was reported; what depends on it is nothing.
pub(super) struct Formula<'f, 't> {
    tracer: RefCell<&'f mut Tracer<'t>>,
    name: &'static str,
    span: SpanId,
}

/// What a formula makes of tensors of one type.
pub(super) fn formula<const N: usize>(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    operands: [&Tensor; N],
    run: impl for<'x, 'f, 't> FnOnce([Term<'x, 'f, 't>; N]) -> Term<'x, 'f, 't>,
) -> Option<Tensor> {
    let formula = Formula {
        tracer: RefCell::new(tracer),
        name: call.name,
        span: call.span,
    };
    let terms = operands.map(|tensor| formula.term(Some(tensor.clone())));
    run(terms).tensor
}

/// The same, with narrow floating-point numbers computed as `f32`, so that they are rounded once.
pub(super) fn precise<const N: usize>(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    operands: [&Tensor; N],
    run: impl for<'x, 'f, 't> FnOnce([Term<'x, 'f, 't>; N]) -> Term<'x, 'f, 't>,
) -> Option<Tensor> {
    formula(tracer, call, operands, |terms| {
        let dtype = terms.first().map_or(DType::F32, Term::dtype);
        match dtype {
            DType::F16 | DType::BF16 => {
                let wide = terms.map(|term| term.convert(DType::F32));
                run(wide).convert(dtype)
            }
            _ => run(terms),
        }
    })
}

impl<'f, 't> Formula<'f, 't> {
    fn term(&self, tensor: Option<Tensor>) -> Term<'_, 'f, 't> {
        let formula = self;
        Term { formula, tensor }
    }

    fn emit(&self, op: Op, operands: &[&Option<Tensor>]) -> Term<'_, 'f, 't> {
        let operands: Option<Vec<_>> = operands.iter().map(|operand| operand.as_ref()).collect();
        let tensor = operands.and_then(|operands| {
            let mut tracer = self.tracer.borrow_mut();
            tracer.emit_checked(op, &operands, self.name, self.span)
        });
        self.term(tensor)
    }
}

/// A tensor in a formula; nothing after a mistake.
#[derive(Clone)]
pub(super) struct Term<'x, 'f, 't> {
    formula: &'x Formula<'f, 't>,
    tensor: Option<Tensor>,
}

/// What may stand beside a term: another one, or a number that takes its type.
pub(super) trait Operand<'x, 'f, 't> {
    fn beside(self, other: &Term<'x, 'f, 't>) -> Term<'x, 'f, 't>;
}

impl<'x, 'f, 't> Operand<'x, 'f, 't> for Term<'x, 'f, 't> {
    fn beside(self, _: &Self) -> Self {
        self
    }
}

impl<'x, 'f, 't> Operand<'x, 'f, 't> for &Term<'x, 'f, 't> {
    fn beside(self, _: &Term<'x, 'f, 't>) -> Term<'x, 'f, 't> {
        self.clone()
    }
}

impl<'x, 'f, 't> Operand<'x, 'f, 't> for f64 {
    fn beside(self, other: &Term<'x, 'f, 't>) -> Term<'x, 'f, 't> {
        other.constant(Static::float(self, StaticType::Float))
    }
}

impl<'x, 'f, 't> Operand<'x, 'f, 't> for i128 {
    fn beside(self, other: &Term<'x, 'f, 't>) -> Term<'x, 'f, 't> {
        other.constant(Static::integer(self))
    }
}

impl<'x, 'f, 't> Term<'x, 'f, 't> {
    /// A function.
    pub(super) fn apply(&self, op: UnaryOp) -> Self {
        self.formula.emit(Op::Unary(op), &[&self.tensor])
    }

    /// A function of two numbers.
    pub(super) fn with(&self, op: BinaryOp, other: impl Operand<'x, 'f, 't>) -> Self {
        let other = other.beside(self);
        let operands = [&self.tensor, &other.tensor];
        self.formula.emit(Op::Binary(op), &operands)
    }

    /// A comparison.
    pub(super) fn compare(&self, op: CompareOp, other: impl Operand<'x, 'f, 't>) -> Self {
        let other = other.beside(self);
        let operands = [&self.tensor, &other.tensor];
        self.formula.emit(Op::Compare(op), &operands)
    }

    /// The one where this is true, the other elsewhere.
    pub(super) fn choose(&self, on_true: impl Operand<'x, 'f, 't>, on_false: &Self) -> Self {
        let on_true = on_true.beside(on_false);
        let operands = [&self.tensor, &on_true.tensor, &on_false.tensor];
        self.formula.emit(Op::Select, &operands)
    }

    /// Rust's `as`.
    pub(super) fn convert(&self, dtype: DType) -> Self {
        match self.dtype() == dtype {
            true => self.clone(),
            false => self.formula.emit(Op::Convert(dtype), &[&self.tensor]),
        }
    }

    /// The same bits as another element type.
    pub(super) fn bitcast(&self, dtype: DType) -> Self {
        self.formula.emit(Op::Bitcast(dtype), &[&self.tensor])
    }

    /// The element type.
    pub(super) fn dtype(&self) -> DType {
        let tensor = self.tensor.as_ref();
        tensor.map_or(DType::F32, |tensor| tensor.ty.dtype)
    }

    /// The same everywhere, in the same type.
    pub(super) fn like(&self, number: impl Operand<'x, 'f, 't>) -> Self {
        number.beside(self)
    }

    fn constant(&self, number: Static) -> Self {
        let formula = self.formula;
        let constant = self.tensor.as_ref().and_then(|tensor| {
            let mut tracer = formula.tracer.borrow_mut();
            tracer.constant(number, tensor.ty.dtype, &tensor.ty.shape, formula.span)
        });
        formula.term(constant)
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
    pub(super) fn with_imag(&self, imag: impl Operand<'x, 'f, 't>) -> Self {
        self.with(BinaryOp::Complex, imag)
    }

    pub(super) fn max(&self, other: impl Operand<'x, 'f, 't>) -> Self {
        self.with(BinaryOp::Maximum, other)
    }

    pub(super) fn min(&self, other: impl Operand<'x, 'f, 't>) -> Self {
        self.with(BinaryOp::Minimum, other)
    }
}

/// Defines an operator between terms, and between a term and a number.
macro_rules! operator {
    ($($operator:ident::$method:ident: $op:ident,)+) => {
        $(impl<'x, 'f, 't, R: Operand<'x, 'f, 't>> $operator<R> for &Term<'x, 'f, 't> {
            type Output = Term<'x, 'f, 't>;

            fn $method(self, other: R) -> Self::Output {
                self.with(BinaryOp::$op, other)
            }
        }

        impl<'x, 'f, 't, R: Operand<'x, 'f, 't>> $operator<R> for Term<'x, 'f, 't> {
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
}

impl<'x, 'f, 't> Neg for &Term<'x, 'f, 't> {
    type Output = Term<'x, 'f, 't>;

    fn neg(self) -> Self::Output {
        self.apply(UnaryOp::Negate)
    }
}

impl Neg for Term<'_, '_, '_> {
    type Output = Self;

    fn neg(self) -> Self {
        self.apply(UnaryOp::Negate)
    }
}

impl Not for Term<'_, '_, '_> {
    type Output = Self;

    fn not(self) -> Self {
        self.apply(UnaryOp::Not)
    }
}
