//! Functions of real numbers that other ones give, and the choice between those of real and of complex
//! numbers.

use super::{
    super::{super::tracer::Tracer, OperationCall},
    Result, Term, complex, is_fractional, of_static, precise, require,
};
use iree_dsl_ir::op::{BinaryOp, UnaryOp};

/// Defines operations with a formula for real and one for complex numbers, and the function of numbers
/// known while building.
macro_rules! functions {
    ($($name:ident: $of_static:path, $real:ident $(::$op:ident)?, complex::$complex:ident;)+) => {
        $(pub(in super::super) fn $name(
            tracer: &mut Tracer<'_>,
            call: OperationCall<'_>,
        ) -> Result {
            if let Some(number) = of_static(tracer, &call, $of_static) {
                return Some(number);
            }
            let x = call.tensor(tracer, 0)?;
            require(tracer, &call, &x, is_fractional)?;
            let result = precise(tracer, &call, [&x], |[x]| match x.dtype().is_complex() {
                true => complex::$complex(&x),
                false => functions!(@real $real $(::$op)?, x),
            })?;
            Some(result.into())
        })+
    };
    (@real of::$op:ident, $x:ident) => {
        $x.apply(UnaryOp::$op)
    };
    (@real $real:ident, $x:ident) => {
        $real(&$x)
    };
}

functions! {
    tan: f64::tan, tangent, complex::tan;
    asin: f64::asin, arc_sine, complex::asin;
    acos: f64::acos, arc_cosine, complex::acos;
    atan: f64::atan, arc_tangent, complex::atan;
    sinh: f64::sinh, of::Sinh, complex::sinh;
    cosh: f64::cosh, of::Cosh, complex::cosh;
    asinh: f64::asinh, of::Asinh, complex::asinh;
    acosh: f64::acosh, of::Acosh, complex::acosh;
    atanh: f64::atanh, of::Atanh, complex::atanh;
    exp2: f64::exp2, of::Exp2, complex::exp2;
    log2: f64::log2, of::Log2, complex::log2;
    log10: f64::log10, of::Log10, complex::log10;
}

fn tangent<'x>(x: &Term<'x>) -> Term<'x> {
    x.apply(UnaryOp::Sin) / x.apply(UnaryOp::Cos)
}

/// The other side of a right-angled triangle whose hypotenuse is 1.
fn other_side<'x>(x: &Term<'x>) -> Term<'x> {
    ((x.like(1.0) - x) * (x + 1.0)).sqrt()
}

fn arc_sine<'x>(x: &Term<'x>) -> Term<'x> {
    x.with(BinaryOp::Atan2, other_side(x))
}

fn arc_cosine<'x>(x: &Term<'x>) -> Term<'x> {
    other_side(x).with(BinaryOp::Atan2, x)
}

fn arc_tangent<'x>(x: &Term<'x>) -> Term<'x> {
    x.with(BinaryOp::Atan2, 1.0)
}
