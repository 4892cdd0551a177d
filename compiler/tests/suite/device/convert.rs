use super::{
    element::{Element, HostTensor},
    number::Number,
    program::{Function, Program},
};
use half::{bf16, f16};
use iree_abi::{DType, to_odd_f32, to_odd_f64};
use num_complex::{Complex32, Complex64};

/// Every conversion between two element types.
pub(super) fn program() -> Program {
    let mut program = Program::default();
    macro_rules! functions {
        ($($ty:ty)*) => {
            $(program.call(function::<$ty>());)*
        };
    }
    functions!(bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 Complex32 Complex64);
    program
}

/// A number of any type, without loss.
#[derive(Clone, Copy)]
pub(super) enum Any {
    Integer(i128),
    Float(f64),
    Complex(f64, f64),
}

pub(super) trait Source: Number {
    fn any(self) -> Any;

    /// The number nearest to a real one.
    fn nearest(x: f64) -> Self;

    /// Numbers in the middle of two of a type with fewer digits, and beside these, which a third type on the way there may
    /// not tell from each other.
    fn middles() -> Vec<Self>;
}

/// The middles of integers: of numbers of `bf16`, `f16` and `f32`.
macro_rules! middles {
    ($ty:ty) => {
        (8..<$ty>::BITS - 1)
            .flat_map(|bit| {
                let power = <$ty>::pow(2, bit);
                let middles = [9, 12, 25].map(|digits| power + (power >> digits.min(bit)));
                middles.into_iter().flat_map(|x| [x - 1, x, x + 1])
            })
            .flat_map(|x| [x, x.wrapping_neg()])
            .collect()
    };
}

/// The middles of real numbers, of sizes that a narrower type has. CPUs take subnormal numbers of `f32` for 0.
fn real_middles() -> Vec<f64> {
    let powers = [-100, -24, -14, -1, 0, 15, 16, 100, 127].map(|power| 2_f64.powi(power));
    let middles = powers.into_iter().flat_map(|power| {
        let last = [8, 9, 11, 12, 24, 25].map(|digits| power + power / 2_f64.powi(digits));
        last.into_iter().chain([power / 2.0, power * 1.5])
    });
    let beside = middles.flat_map(|x| [x.next_down(), x, x.next_up()]);
    beside.flat_map(|x| [x, -x]).collect()
}

macro_rules! sources {
    ($($ty:ty: $any:expr, $nearest:expr, $middles:expr;)+) => {
        $(impl Source for $ty {
            fn any(self) -> Any {
                $any(self)
            }

            fn nearest(x: f64) -> Self {
                $nearest(x)
            }

            fn middles() -> Vec<Self> {
                $middles
            }
        })+
    };
}

sources! {
    bool: |x: bool| Any::Integer(x.into()), |x: f64| x != 0.0, Vec::new();
    i8: |x: i8| Any::Integer(x.into()), |x: f64| x as i8, Vec::new();
    i16: |x: i16| Any::Integer(x.into()), |x: f64| x as i16, middles!(i16);
    i32: |x: i32| Any::Integer(x.into()), |x: f64| x as i32, middles!(i32);
    i64: |x: i64| Any::Integer(x.into()), |x: f64| x as i64, middles!(i64);
    u8: |x: u8| Any::Integer(x.into()), |x: f64| x as u8, Vec::new();
    u16: |x: u16| Any::Integer(x.into()), |x: f64| x as u16, middles!(u16);
    u32: |x: u32| Any::Integer(x.into()), |x: f64| x as u32, middles!(u32);
    u64: |x: u64| Any::Integer(x.into()), |x: f64| x as u64, middles!(u64);
    f16: |x: f16| Any::Float(x.to_f64()), f16::from_f64, Vec::new();
    bf16: |x: bf16| Any::Float(x.to_f64()), bf16::from_f64, Vec::new();
    f32: |x: f32| Any::Float(x.into()), |x: f64| x as f32, real_middles().into_iter().map(|x| x as f32).collect();
    f64: Any::Float, |x: f64| x, real_middles();
    Complex32: |z: Complex32| Any::Complex(z.re.into(), z.im.into()), |x: f64| Complex32::new(x as f32, -1.5), Vec::new();
    Complex64: |z: Complex64| Any::Complex(z.re, z.im), |x: f64| Complex64::new(x, -1.5), real_middles().into_iter().map(|x| Complex64::new(x, -x)).collect();
}

/// The edges of the type, and numbers around the ends of the integer types.
fn values<T: Source>() -> Vec<T> {
    let ends = [7, 8, 15, 16, 31, 32, 63, 64].map(|bits| 2_f64.powi(bits));
    let around = ends.into_iter().flat_map(|end| {
        let step = (end / 2_f64.powi(23)).max(0.75);
        [
            end,
            -end,
            end + 0.5,
            -end - 0.5,
            end - step,
            -end - step,
            end - 1.0,
        ]
    });
    let mut values = T::edges();
    values.extend(around.map(T::nearest));
    values.extend(T::middles());
    values
}

fn function<T: Source>() -> Function {
    let values = values::<T>();
    let mut function = Function::new(format!("convert_{:?}", T::DTYPE).to_lowercase());
    let x = function.input(HostTensor::list(&values));
    for dtype in DType::ALL {
        if T::DTYPE.is_complex() && !dtype.is_complex() {
            continue;
        }
        let converted = values.iter().map(|value| convert(value.any(), dtype));
        let expected = HostTensor {
            ty: iree_abi::TensorType::new(dtype, [values.len()]),
            bytes: converted.collect::<Vec<_>>().concat(),
        };
        let label = format!("convert %{x}");
        let value = function.operation(&label, &expected.ty);
        function.expect(format!("{label} to {dtype}"), value, expected, 0.0);
    }
    function
}

/// Rust's `as`.
pub(super) fn convert(number: Any, dtype: DType) -> Vec<u8> {
    match number {
        Any::Integer(x) => from_integer(x, dtype),
        Any::Float(x) => from_float(x, dtype),
        Any::Complex(re, im) => {
            let parts = [re, im].map(|part| from_float(part, dtype.real()));
            parts.concat()
        }
    }
}

fn from_integer(x: i128, dtype: DType) -> Vec<u8> {
    match dtype {
        DType::Bool => (x != 0).to_bytes(),
        DType::I8 => (x as i8).to_bytes(),
        DType::I16 => (x as i16).to_bytes(),
        DType::I32 => (x as i32).to_bytes(),
        DType::I64 => (x as i64).to_bytes(),
        DType::U8 => (x as u8).to_bytes(),
        DType::U16 => (x as u16).to_bytes(),
        DType::U32 => (x as u32).to_bytes(),
        DType::U64 => (x as u64).to_bytes(),
        DType::F32 => (x as f32).to_bytes(),
        DType::F64 => (x as f64).to_bytes(),
        DType::F16 | DType::BF16 => from_float(to_odd_f64(x), dtype),
        DType::C64 => Complex32::new(x as f32, 0.0).to_bytes(),
        _ => from_float(x as f64, dtype),
    }
}

fn from_float(x: f64, dtype: DType) -> Vec<u8> {
    match dtype {
        DType::Bool => (x != 0.0).to_bytes(),
        DType::I8 => (x as i8).to_bytes(),
        DType::I16 => (x as i16).to_bytes(),
        DType::I32 => (x as i32).to_bytes(),
        DType::I64 => (x as i64).to_bytes(),
        DType::U8 => (x as u8).to_bytes(),
        DType::U16 => (x as u16).to_bytes(),
        DType::U32 => (x as u32).to_bytes(),
        DType::U64 => (x as u64).to_bytes(),
        DType::F16 => f16::from_f32(to_odd_f32(x)).to_bytes(),
        DType::BF16 => bf16::from_f32(to_odd_f32(x)).to_bytes(),
        DType::F32 => (x as f32).to_bytes(),
        DType::F64 => x.to_bytes(),
        DType::C64 => Complex32::new(x as f32, 0.0).to_bytes(),
        DType::C128 => Complex64::new(x, 0.0).to_bytes(),
        _ => panic!("an element type without conversions"),
    }
}
