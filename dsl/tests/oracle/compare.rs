use half::{bf16, f16};
use ndarray::ArrayD;
use num_complex::{Complex32, Complex64};
use std::fmt::Debug;

/// How far a result may be from the right one, in units in the last place of the right one.
///
/// Complex numbers are compared by their distance, in units of their size.
const UNITS_F16: f64 = 1.0;
const UNITS_BF16: f64 = 1.0;
const UNITS_F32: f64 = 4.0;
const UNITS_F64: f64 = 4.0;
const UNITS_COMPLEX: f64 = 8.0;

/// An element that can be right up to rounding.
pub(crate) trait Close: Copy + Debug + 'static {
    /// Whether a result is as good as the right one. Errors count as if the right one were at least of
    /// the size `floor`: near its zeros, a function may be precise in absolute terms only.
    fn is_close(self, right: Self, floor: f64) -> bool;
}

macro_rules! exact {
    ($($ty:ty)+) => {
        $(impl Close for $ty {
            fn is_close(self, right: Self, _: f64) -> bool {
                self == right
            }
        })+
    };
}

exact! { bool i8 i16 i32 i64 u8 u16 u32 u64 }

macro_rules! rounded {
    ($($ty:ty: $units:expr;)+) => {
        $(impl Close for $ty {
            fn is_close(self, right: Self, floor: f64) -> bool {
                let (found, right) = (f64::from(self), f64::from(right));
                if found.is_nan() || right.is_nan() || right.is_infinite() {
                    return found == right || found.is_nan() && right.is_nan();
                }
                (found - right).abs() <= tolerance::<$ty>(right.abs().max(floor), $units)
            }
        }

        impl Limits for $ty {
            const EPSILON: Self = Self::EPSILON;
            const LEAST: Self = Self::MIN_POSITIVE;
        })+
    };
}

rounded! {
    f16: UNITS_F16;
    bf16: UNITS_BF16;
    f32: UNITS_F32;
    f64: UNITS_F64;
}

trait Limits: Into<f64> {
    const EPSILON: Self;
    const LEAST: Self;
}

/// Numbers too small for the full precision of their type may have become zero on the device.
fn tolerance<T: Limits>(size: f64, units: f64) -> f64 {
    let least = T::LEAST.into();
    let flushed = if size < 2.0 * least { least } else { 0.0 };
    units * T::EPSILON.into() * size + flushed
}

macro_rules! complex {
    ($($ty:ty: $part:ty;)+) => {
        $(impl Close for $ty {
            fn is_close(self, right: Self, floor: f64) -> bool {
                let wide = |z: Self| Complex64::new(z.re.into(), z.im.into());
                let (found, right) = (wide(self), wide(right));
                let size = right.norm().max(floor);
                found == right
                    || (found - right).norm() <= tolerance::<$part>(size, UNITS_COMPLEX)
            }
        })+
    };
}

complex! {
    Complex32: f32;
    Complex64: f64;
}

/// What differs between results and the right ones, for people; nothing if all is well. `operands` says
/// what the operation was given at an index.
pub(crate) fn differences<T: Close>(
    found: &ArrayD<T>,
    right: &ArrayD<T>,
    floor: f64,
    operands: impl Fn(usize) -> String,
) -> Option<String> {
    if found.shape() != right.shape() {
        return Some(format!(
            "shape {:?}, not {:?}",
            found.shape(),
            right.shape()
        ));
    }
    let pairs = found.iter().zip(right).enumerate();
    let wrong = pairs.filter(|(_, (found, right))| !found.is_close(**right, floor));
    let wrong: Vec<_> = wrong
        .map(|(index, (found, right))| {
            format!(
                "\n    {}: expected {right:?}, found {found:?}",
                operands(index)
            )
        })
        .collect();
    (!wrong.is_empty()).then(|| {
        let shown: String = wrong.iter().take(6).map(String::as_str).collect();
        format!("{} of {} are wrong:{shown}", wrong.len(), right.len())
    })
}
