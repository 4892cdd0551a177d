//! What operations on one element mean, in plain Rust.

use super::element::Element;
use half::{bf16, f16};
use iree_dsl_ir::op::{BinaryOp, CompareOp, UnaryOp};
use num_complex::{Complex, Complex32, Complex64};

/// An element with arithmetic; `None` where the operation does not exist.
pub(super) trait Number: Element {
    /// Values at which operations go wrong.
    fn edges() -> Vec<Self>;

    /// A small integer; for `bool`, whether it is odd.
    fn small(number: i8) -> Self;

    /// An integer without an imaginary part.
    fn count(number: i8) -> Self {
        Self::small(number)
    }

    fn unary(op: UnaryOp, x: Self) -> Option<Self>;

    fn binary(op: BinaryOp, a: Self, b: Self) -> Option<Self>;

    fn compare(op: CompareOp, a: Self, b: Self) -> bool;

    fn is_nan(self) -> bool {
        false
    }
}

fn ordered<T: PartialOrd>(op: CompareOp, a: T, b: T) -> bool {
    match op {
        CompareOp::Equal => a == b,
        CompareOp::NotEqual => a != b,
        CompareOp::Less => a < b,
        CompareOp::LessEqual => a <= b,
        CompareOp::Greater => a > b,
        CompareOp::GreaterEqual => a >= b,
    }
}

macro_rules! integer {
    ($($ty:ty as $unsigned:ty,)+) => {
        $(impl Number for $ty {
            fn edges() -> Vec<Self> {
                vec![
                    0,
                    1,
                    2,
                    3,
                    7,
                    8,
                    100,
                    <$ty>::BITS as $ty,
                    (0 as $ty).wrapping_sub(1),
                    (0 as $ty).wrapping_sub(7),
                    <$ty>::MIN,
                    <$ty>::MIN + 1,
                    <$ty>::MAX,
                    <$ty>::MAX - 1,
                ]
            }

            fn small(number: i8) -> Self {
                number as $ty
            }

            fn unary(op: UnaryOp, x: Self) -> Option<Self> {
                let signed = <$ty>::MIN != 0;
                match op {
                    UnaryOp::Abs if signed => Some(x.max(x.wrapping_neg())),
                    UnaryOp::Negate => Some(x.wrapping_neg()),
                    UnaryOp::Not => Some(!x),
                    UnaryOp::CountOnes => Some(x.count_ones() as $ty),
                    UnaryOp::LeadingZeros => Some(x.leading_zeros() as $ty),
                    UnaryOp::StopGradient | UnaryOp::Barrier => Some(x),
                    _ => None,
                }
            }

            fn binary(op: BinaryOp, a: Self, b: Self) -> Option<Self> {
                let fits = (b as $unsigned) < <$ty>::BITS as $unsigned;
                Some(match op {
                    BinaryOp::Add => a.wrapping_add(b),
                    BinaryOp::Subtract => a.wrapping_sub(b),
                    BinaryOp::Multiply => a.wrapping_mul(b),
                    BinaryOp::Divide if b == 0 => !0,
                    BinaryOp::Divide => a.wrapping_div(b),
                    BinaryOp::Remainder if b == 0 => a,
                    BinaryOp::Remainder => a.wrapping_rem(b),
                    BinaryOp::Maximum => a.max(b),
                    BinaryOp::Minimum => a.min(b),
                    BinaryOp::And => a & b,
                    BinaryOp::Or => a | b,
                    BinaryOp::Xor => a ^ b,
                    BinaryOp::ShiftLeft if fits => a << b,
                    BinaryOp::ShiftLeft => 0,
                    BinaryOp::ShiftRight if fits => a >> b,
                    BinaryOp::ShiftRight if <$ty>::MIN == 0 => 0,
                    BinaryOp::ShiftRight => a >> (<$ty>::BITS - 1),
                    BinaryOp::Power | BinaryOp::Atan2 | BinaryOp::Complex => return None,
                })
            }

            fn compare(op: CompareOp, a: Self, b: Self) -> bool {
                ordered(op, a, b)
            }
        })+
    };
}

integer! {
    i8 as u8,
    i16 as u16,
    i32 as u32,
    i64 as u64,
    u8 as u8,
    u16 as u16,
    u32 as u32,
    u64 as u64,
}

/// Floating-point types, computed in `$wide` and rounded.
macro_rules! float {
    ($($ty:ty as $wide:ty: $widen:expr, $narrow:expr;)+) => {
        $(impl Number for $ty {
            fn edges() -> Vec<Self> {
                let numbers = [
                    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, -7.25, 100.0, 1e-3, 0.1,
                    -0.3, 11.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN,
                ];
                let mut edges: Vec<_> = numbers.map(|number| $narrow(number as $wide)).to_vec();
                edges.extend([<$ty>::MAX, <$ty>::MIN, <$ty>::MIN_POSITIVE, <$ty>::EPSILON]);
                edges
            }

            fn small(number: i8) -> Self {
                $narrow(number.into())
            }

            fn unary(op: UnaryOp, x: Self) -> Option<Self> {
                let x: $wide = $widen(x);
                Some($narrow(match op {
                    UnaryOp::Abs => x.abs(),
                    UnaryOp::Negate => -x,
                    UnaryOp::StopGradient | UnaryOp::Barrier => x,
                    UnaryOp::Floor => x.floor(),
                    UnaryOp::RoundTiesEven => x.round_ties_even(),
                    UnaryOp::Sqrt => x.sqrt(),
                    UnaryOp::Cbrt => x.cbrt(),
                    UnaryOp::Exp => x.exp(),
                    UnaryOp::Exp2 => x.exp2(),
                    UnaryOp::ExpM1 => x.exp_m1(),
                    UnaryOp::Ln => x.ln(),
                    UnaryOp::Ln1p => x.ln_1p(),
                    UnaryOp::Log2 => x.log2(),
                    UnaryOp::Log10 => x.log10(),
                    UnaryOp::Sin => x.sin(),
                    UnaryOp::Cos => x.cos(),
                    UnaryOp::Sinh => x.sinh(),
                    UnaryOp::Cosh => x.cosh(),
                    UnaryOp::Tanh => x.tanh(),
                    UnaryOp::Asinh => asinh(x.into()) as $wide,
                    UnaryOp::Acosh => acosh(x.into()) as $wide,
                    UnaryOp::Atanh => x.atanh(),
                    UnaryOp::Sigmoid => 1.0 / (1.0 + (-x).exp()),
                    _ => return None,
                }))
            }

            fn binary(op: BinaryOp, a: Self, b: Self) -> Option<Self> {
                let (a, b): ($wide, $wide) = ($widen(a), $widen(b));
                Some($narrow(match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Subtract => a - b,
                    BinaryOp::Multiply => a * b,
                    BinaryOp::Divide => a / b,
                    BinaryOp::Remainder => a % b,
                    BinaryOp::Power => a.powf(b),
                    BinaryOp::Atan2 => a.atan2(b),
                    BinaryOp::Maximum if a.is_nan() || b.is_nan() => <$wide>::NAN,
                    BinaryOp::Maximum => a.max(b),
                    BinaryOp::Minimum if a.is_nan() || b.is_nan() => <$wide>::NAN,
                    BinaryOp::Minimum => a.min(b),
                    _ => return None,
                }))
            }

            fn compare(op: CompareOp, a: Self, b: Self) -> bool {
                ordered(op, a, b)
            }

            fn is_nan(self) -> bool {
                <$ty>::is_nan(self)
            }
        })+
    };
}

float! {
    f16 as f32: f16::to_f32, f16::from_f32;
    bf16 as f32: bf16::to_f32, bf16::from_f32;
    f32 as f64: f64::from, |wide: f64| wide as f32;
    f64 as f64: |x: f64| x, |wide: f64| wide;
}

impl Number for bool {
    fn edges() -> Vec<Self> {
        vec![false, true]
    }

    fn small(number: i8) -> Self {
        number % 2 != 0
    }

    fn unary(op: UnaryOp, x: Self) -> Option<Self> {
        match op {
            UnaryOp::Not => Some(!x),
            UnaryOp::StopGradient | UnaryOp::Barrier => Some(x),
            _ => None,
        }
    }

    fn binary(op: BinaryOp, a: Self, b: Self) -> Option<Self> {
        match op {
            BinaryOp::Maximum | BinaryOp::Or => Some(a | b),
            BinaryOp::Minimum | BinaryOp::And => Some(a & b),
            BinaryOp::Xor => Some(a ^ b),
            _ => None,
        }
    }

    fn compare(op: CompareOp, a: Self, b: Self) -> bool {
        ordered(op, a, b)
    }
}

macro_rules! complex {
    ($($ty:ty: $part:ty,)+) => {
        $(impl Number for $ty {
            fn edges() -> Vec<Self> {
                let numbers: [($part, $part); 15] = [
                    (0.0, 0.0), (1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0), (3.0, 4.0),
                    (-2.0, 0.5), (0.5, -0.25), (-0.001, 2.0), (10.0, -7.0), (-30.0, 100.0),
                    (1e-3, 1e-4), (-1e5, 1e5), (0.3, 1.5), (1e-7, -2e-7),
                ];
                numbers.map(|(re, im)| Complex::new(re, im)).to_vec()
            }

            fn small(number: i8) -> Self {
                Complex::new(number.into(), 1.0 - <$part>::from(number))
            }

            fn count(number: i8) -> Self {
                Complex::new(number.into(), 0.0)
            }

            fn unary(op: UnaryOp, x: Self) -> Option<Self> {
                let x = Complex64::new(x.re.into(), x.im.into());
                let result = match op {
                    UnaryOp::Negate => -x,
                    UnaryOp::Exp => x.exp(),
                    UnaryOp::ExpM1 => exp_m1(x),
                    UnaryOp::Ln => x.ln(),
                    UnaryOp::Ln1p => ln_1p(x),
                    UnaryOp::Sqrt => x.sqrt(),
                    UnaryOp::Sin => x.sin(),
                    UnaryOp::Cos => x.cos(),
                    UnaryOp::Tanh => tanh(x),
                    UnaryOp::Sigmoid => sigmoid(x),
                    UnaryOp::StopGradient | UnaryOp::Barrier => x,
                    _ => return None,
                };
                Some(Complex::new(result.re as $part, result.im as $part))
            }

            fn binary(op: BinaryOp, a: Self, b: Self) -> Option<Self> {
                match op {
                    BinaryOp::Add => Some(a + b),
                    BinaryOp::Subtract => Some(a - b),
                    BinaryOp::Multiply => Some(a * b),
                    BinaryOp::Divide => Some(a / b),
                    _ => None,
                }
            }

            fn compare(op: CompareOp, a: Self, b: Self) -> bool {
                (a == b) == (op == CompareOp::Equal)
            }
        })+
    };
}

complex! {
    Complex32: f32,
    Complex64: f64,
}

/// The standard library squares large numbers.
fn asinh(x: f64) -> f64 {
    let size = x.abs();
    match size > 1e100 {
        true => (size.ln() + std::f64::consts::LN_2).copysign(x),
        false => x.asinh(),
    }
}

fn acosh(x: f64) -> f64 {
    match x > 1e100 {
        true => x.ln() + std::f64::consts::LN_2,
        false => x.acosh(),
    }
}

/// `num_complex` divides two infinities for large numbers.
fn tanh(z: Complex64) -> Complex64 {
    if z.re.abs() > 20.0 {
        let im = 4.0 * z.im.sin() * z.im.cos() * (-2.0 * z.re.abs()).exp();
        Complex::new(z.re.signum(), im)
    } else {
        z.tanh()
    }
}

/// The series, for numbers that are lost beside 1.
fn exp_m1(z: Complex64) -> Complex64 {
    match z.norm() < 1e-2 {
        true => series(z, |term, n| term * z / n),
        false => z.exp() - 1.0,
    }
}

fn ln_1p(z: Complex64) -> Complex64 {
    match z.norm() < 1e-2 {
        true => series(z, |term, n| -term * z * (n - 1.0) / n),
        false => (z + 1.0).ln(),
    }
}

/// The sum of terms, each from the one before and its number.
fn series(first: Complex64, next: impl Fn(Complex64, f64) -> Complex64) -> Complex64 {
    let terms = (2..12).map(f64::from);
    let sum = terms.fold((first, first), |(sum, term), n| {
        let term = next(term, n);
        (sum + term, term)
    });
    sum.0
}

fn sigmoid(z: Complex64) -> Complex64 {
    match z.re < 0.0 {
        true => z.exp() / (z.exp() + 1.0),
        false => 1.0 / ((-z).exp() + 1.0),
    }
}
