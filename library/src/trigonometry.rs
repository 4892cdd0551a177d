//! Functions of real numbers that other ones give, and the choice between those of real and of complex numbers.

use crate::{
    classes::is_fractional,
    complex,
    term::{Term, precise},
};
use iree_dsl_ir::op::{BinaryOp, UnaryOp};

/// Defines functions with a formula for real and one for complex numbers.
macro_rules! functions {
    ($($(#[$documentation:meta])+ $name:ident: $real:ident $(::$op:ident)?, complex::$complex:ident;)+) => {
        $($(#[$documentation])+
        pub fn $name<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
            precise([x.of(is_fractional)], |[x]| match x.dtype().is_complex() {
                true => complex::$complex(&x),
                false => functions!(@real $real $(::$op)?, x),
            })
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
    /// The tangent.
    tan: tangent, complex::tan;
    /// The inverse of the sine.
    asin: arc_sine, complex::asin;
    /// The inverse of the cosine.
    acos: arc_cosine, complex::acos;
    /// The inverse of the tangent.
    atan: arc_tangent, complex::atan;
    /// The hyperbolic sine.
    sinh: of::Sinh, complex::sinh;
    /// The hyperbolic cosine.
    cosh: of::Cosh, complex::cosh;
    /// The inverse of the hyperbolic sine.
    asinh: of::Asinh, complex::asinh;
    /// The inverse of the hyperbolic cosine.
    acosh: of::Acosh, complex::acosh;
    /// The inverse of the hyperbolic tangent.
    atanh: of::Atanh, complex::atanh;
    /// Two to the power of the number.
    exp2: of::Exp2, complex::exp2;
    /// The logarithm to the base of two.
    log2: of::Log2, complex::log2;
    /// The logarithm to the base of ten.
    log10: of::Log10, complex::log10;
}

fn tangent<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    x.apply(UnaryOp::Sin) / x.apply(UnaryOp::Cos)
}

/// The other side of a right-angled triangle whose hypotenuse is 1.
fn other_side<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    ((x.like(1.0) - x) * (x + 1.0)).sqrt()
}

fn arc_sine<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    x.with(BinaryOp::Atan2, other_side(x))
}

fn arc_cosine<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    other_side(x).with(BinaryOp::Atan2, x)
}

fn arc_tangent<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    x.with(BinaryOp::Atan2, 1.0)
}
