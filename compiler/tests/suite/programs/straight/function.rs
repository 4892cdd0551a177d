//! What operations on one element mean, in plain Rust and in NumPy.

use num_complex::Complex64;
use std::f64::consts::{LN_2, PI};

/// An operation on one real number.
#[derive(Debug)]
pub(super) struct Unary {
    pub(super) name: &'static str,
    /// With `{}` for the operand.
    pub(super) numpy: &'static str,
    /// NaN where programs should not compute it.
    pub(super) real: fn(f64) -> f64,
    /// Whether the result is not rounded.
    pub(super) is_exact: bool,
}

macro_rules! unary {
    ($($name:literal $is_exact:literal $numpy:literal $real:expr;)+) => {
        pub(super) static UNARY: &[Unary] = &[$(Unary {
            name: $name,
            numpy: $numpy,
            real: $real,
            is_exact: $is_exact,
        },)+];
    };
}

unary! {
    "abs" true "np.abs({})" f64::abs;
    "signum" true "np.sign({})" |x| if x == 0.0 { f64::NAN } else { x.signum() };
    "floor" true "np.floor({})" f64::floor;
    "ceil" true "np.ceil({})" f64::ceil;
    "round" true "np.copysign(np.floor(np.abs({}) + 0.5), {})" f64::round;
    "round_ties_even" true "np.rint({})" f64::round_ties_even;
    "trunc" true "np.trunc({})" f64::trunc;
    "fract" true "({} - np.trunc({}))" f64::fract;
    "recip" false "(1.0 / {})" f64::recip;
    "sqrt" false "np.sqrt({})" f64::sqrt;
    "rsqrt" false "(1.0 / np.sqrt({}))" |x| x.sqrt().recip();
    "cbrt" false "np.cbrt({})" f64::cbrt;
    "exp" false "np.exp({})" f64::exp;
    "exp2" false "np.exp2({})" f64::exp2;
    "exp_m1" false "np.expm1({})" f64::exp_m1;
    "ln" false "np.log({})" f64::ln;
    "ln_1p" false "np.log1p({})" f64::ln_1p;
    "log2" false "np.log2({})" f64::log2;
    "log10" false "np.log10({})" f64::log10;
    "sin" false "np.sin({})" f64::sin;
    "cos" false "np.cos({})" f64::cos;
    "tan" false "np.tan({})" f64::tan;
    "asin" false "np.arcsin({})" f64::asin;
    "acos" false "np.arccos({})" f64::acos;
    "atan" false "np.arctan({})" f64::atan;
    "sinh" false "np.sinh({})" f64::sinh;
    "cosh" false "np.cosh({})" f64::cosh;
    "tanh" false "np.tanh({})" f64::tanh;
    "asinh" false "np.arcsinh({})" f64::asinh;
    "acosh" false "np.arccosh({})" f64::acosh;
    "atanh" false "np.arctanh({})" f64::atanh;
    "erf" false "erf({})" erf;
    "sigmoid" false "(1.0 / (1.0 + np.exp(-{})))" |x| 1.0 / (1.0 + (-x).exp());
    "relu" true "np.maximum({}, 0)" |x| x.max(0.0);
    "gelu" false "({} * (1.0 + erf({} / np.sqrt(2.0))) / 2.0)" gelu;
    "gelu_tanh" false
        "({} * (1.0 + np.tanh(np.sqrt(2.0 / np.pi) * ({} + 0.044715 * {} ** 3))) / 2.0)"
        gelu_tanh;
    "silu" false "({} / (1.0 + np.exp(-{})))" |x| x / (1.0 + (-x).exp());
    "softplus" false "np.logaddexp({}, 0.0)" softplus;
}

/// An operation on two real numbers.
#[derive(Debug)]
pub(super) struct Binary {
    pub(super) name: &'static str,
    /// With `{0}` and `{1}` for the operands.
    pub(super) numpy: &'static str,
    pub(super) real: fn(f64, f64) -> f64,
    pub(super) is_exact: bool,
}

macro_rules! binary {
    ($($name:literal $is_exact:literal $numpy:literal $real:expr;)+) => {
        pub(super) static BINARY: &[Binary] = &[$(Binary {
            name: $name,
            numpy: $numpy,
            real: $real,
            is_exact: $is_exact,
        },)+];
    };
}

binary! {
    "+" false "({0} + {1})" |a, b| a + b;
    "-" false "({0} - {1})" |a, b| a - b;
    "*" false "({0} * {1})" |a, b| a * b;
    "/" false "({0} / {1})" |a, b| a / b;
    "maximum" true "np.maximum({0}, {1})" f64::max;
    "minimum" true "np.minimum({0}, {1})" f64::min;
    "atan2" false "np.arctan2({0}, {1})" |a, b| if b == 0.0 || a == 0.0 { f64::NAN } else { a.atan2(b) };
    "hypot" false "np.hypot({0}, {1})" f64::hypot;
    "powf" false "np.power({0}, {1})" |a, b| if a > 0.0 { a.powf(b) } else { f64::NAN };
    "copysign" true "np.copysign({0}, {1})" |a, b| if b == 0.0 { f64::NAN } else { a.copysign(b) };
    "%" false "np.fmod({0}, {1})" |a, b| a % b;
    "rem_euclid" false "np.mod({0}, np.abs({1}))" f64::rem_euclid;
}

/// The series where it is short, in the form whose terms have one sign, so that no digits cancel, and the continued fraction
/// of the rest.
fn erf(x: f64) -> f64 {
    let size = x.abs();
    let erf = if size < 3.0 {
        let terms = (1..100).scan(size, |term, n| {
            let current = *term;
            *term *= 2.0 * size * size / f64::from(2 * n + 1);
            Some(current)
        });
        2.0 / PI.sqrt() * (-size * size).exp() * terms.sum::<f64>()
    } else {
        let fraction = (1..60)
            .rev()
            .fold(size, |below, n| size + f64::from(n) / 2.0 / below);
        1.0 - (-size * size).exp() / PI.sqrt() / fraction
    };
    erf.copysign(x)
}

fn gelu(x: f64) -> f64 {
    x * (1.0 + erf(x / 2.0_f64.sqrt())) / 2.0
}

fn gelu_tanh(x: f64) -> f64 {
    let inner = (2.0 / PI).sqrt() * (x + 0.044_715 * x.powi(3));
    x * (1.0 + inner.tanh()) / 2.0
}

fn softplus(x: f64) -> f64 {
    match x > 30.0 {
        true => x + (-x).exp(),
        false => x
            .exp()
            .ln_1p()
            .max(x * f64::from(u8::from(x / LN_2 > 60.0))),
    }
}

/// An operation on one complex number.
#[derive(Debug)]
pub(super) struct UnaryComplex {
    pub(super) name: &'static str,
    pub(super) numpy: &'static str,
    pub(super) complex: fn(Complex64) -> Complex64,
}

pub(super) static UNARY_COMPLEX: &[UnaryComplex] = &[
    UnaryComplex {
        name: "exp",
        numpy: "np.exp({})",
        complex: Complex64::exp,
    },
    UnaryComplex {
        name: "sin",
        numpy: "np.sin({})",
        complex: Complex64::sin,
    },
    UnaryComplex {
        name: "cos",
        numpy: "np.cos({})",
        complex: Complex64::cos,
    },
    UnaryComplex {
        name: "conj",
        numpy: "np.conj({})",
        complex: |z| z.conj(),
    },
    UnaryComplex {
        name: "recip",
        numpy: "(1.0 / {})",
        complex: Complex64::finv,
    },
];

pub(super) fn unary(name: &str) -> &'static Unary {
    let mut all = UNARY.iter();
    all.find(|one| one.name == name).expect("an operation")
}

pub(super) fn binary(name: &str) -> &'static Binary {
    let mut all = BINARY.iter();
    all.find(|one| one.name == name).expect("an operation")
}

pub(super) fn unary_complex(name: &str) -> &'static UnaryComplex {
    let mut all = UNARY_COMPLEX.iter();
    all.find(|one| one.name == name).expect("an operation")
}
