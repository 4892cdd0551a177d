//! Every element type as a parameter and as a result, with the values that are easily lost.

use half::{bf16, f16};
use iree_dsl::prelude::*;
use ndarray::Array1;
use num_complex::Complex;

#[program]
mod types {
    pub struct Types;

    impl Types {
        pub fn bool(&self, x: Tensor<bool, 2>, y: Tensor<bool>) -> (Tensor<bool, 2>, Tensor<bool>) {
            (x, y)
        }
        pub fn i8(&self, x: Tensor<i8, 2>, y: Tensor<i8>) -> (Tensor<i8, 2>, Tensor<i8>) {
            (x, y)
        }
        pub fn i16(&self, x: Tensor<i16, 2>, y: Tensor<i16>) -> (Tensor<i16, 2>, Tensor<i16>) {
            (x, y)
        }
        pub fn i32(&self, x: Tensor<i32, 2>, y: Tensor<i32>) -> (Tensor<i32, 2>, Tensor<i32>) {
            (x, y)
        }
        pub fn i64(&self, x: Tensor<i64, 2>, y: Tensor<i64>) -> (Tensor<i64, 2>, Tensor<i64>) {
            (x, y)
        }
        pub fn u8(&self, x: Tensor<u8, 2>, y: Tensor<u8>) -> (Tensor<u8, 2>, Tensor<u8>) {
            (x, y)
        }
        pub fn u16(&self, x: Tensor<u16, 2>, y: Tensor<u16>) -> (Tensor<u16, 2>, Tensor<u16>) {
            (x, y)
        }
        pub fn u32(&self, x: Tensor<u32, 2>, y: Tensor<u32>) -> (Tensor<u32, 2>, Tensor<u32>) {
            (x, y)
        }
        pub fn u64(&self, x: Tensor<u64, 2>, y: Tensor<u64>) -> (Tensor<u64, 2>, Tensor<u64>) {
            (x, y)
        }
        pub fn f16(&self, x: Tensor<f16, 2>, y: Tensor<f16>) -> (Tensor<f16, 2>, Tensor<f16>) {
            (x, y)
        }
        pub fn bf16(&self, x: Tensor<bf16, 2>, y: Tensor<bf16>) -> (Tensor<bf16, 2>, Tensor<bf16>) {
            (x, y)
        }
        pub fn f32(&self, x: Tensor<f32, 2>, y: Tensor<f32>) -> (Tensor<f32, 2>, Tensor<f32>) {
            (x, y)
        }
        pub fn f64(&self, x: Tensor<f64, 2>, y: Tensor<f64>) -> (Tensor<f64, 2>, Tensor<f64>) {
            (x, y)
        }
        pub fn c64(
            &self,
            x: Tensor<Complex<f32>, 2>,
            y: Tensor<Complex<f32>>,
        ) -> (Tensor<Complex<f32>, 2>, Tensor<Complex<f32>>) {
            (x, y)
        }
        pub fn c128(
            &self,
            x: Tensor<Complex<f64>, 2>,
            y: Tensor<Complex<f64>>,
        ) -> (Tensor<Complex<f64>, 2>, Tensor<Complex<f64>>) {
            (x, y)
        }

        /// As above, through an operation, which has to keep the type's range and precision.
        pub fn doubled(
            &self,
            a: Tensor<i8, 2>,
            b: Tensor<u64, 2>,
            c: Tensor<f64, 2>,
            d: Tensor<bf16, 2>,
            e: Tensor<Complex<f64>, 2>,
        ) -> (
            Tensor<i8, 2>,
            Tensor<u64, 2>,
            Tensor<f64, 2>,
            Tensor<bf16, 2>,
            Tensor<Complex<f64>, 2>,
        ) {
            (a + a, b + b, c + c, d + d, e + e)
        }
    }
}

fn load() -> types::Types {
    types::Types::load(&Device::open("local-sync").unwrap()).unwrap()
}

macro_rules! round_trips {
    ($($method:ident: $ty:ty = [$first:expr, $second:expr];)*) => {$(
        #[test]
        fn $method() {
            let values: [$ty; 2] = [$first, $second];
            let (array, scalar) = load().$method(&Array1::from(values.to_vec()), values[1]).unwrap();
            assert_eq!(array.to_array().unwrap(), Array1::from(values.to_vec()));
            assert_eq!(scalar.to_scalar().unwrap(), values[1]);
        }
    )*};
}

round_trips! {
    bool: bool = [false, true];
    i8: i8 = [i8::MIN, i8::MAX];
    i16: i16 = [i16::MIN, i16::MAX];
    i32: i32 = [i32::MIN, i32::MAX];
    i64: i64 = [i64::MIN, i64::MAX];
    u8: u8 = [1, u8::MAX];
    u16: u16 = [1, u16::MAX];
    u32: u32 = [1, u32::MAX];
    u64: u64 = [1, u64::MAX];
    f16: f16 = [f16::from_f32(0.1), f16::MIN];
    bf16: bf16 = [bf16::from_f32(0.1), bf16::MAX];
    f32: f32 = [0.1, f32::MIN_POSITIVE];
    f64: f64 = [0.1, f64::MAX];
    c64: Complex<f32> = [Complex::new(0.1, -0.2), Complex::new(f32::MAX, 0.0)];
    c128: Complex<f64> = [Complex::new(0.1, -0.2), Complex::new(f64::MAX, 1.0)];
}

#[test]
fn operations_keep_range_and_precision() {
    let large = u64::MAX / 2;
    let (a, b, c, d, e) = load()
        .doubled(
            [i8::MAX, -3],
            [large, 1],
            [0.1, 1e300],
            [bf16::from_f32(1e30), bf16::ONE],
            [Complex::new(0.1, 1e200), Complex::new(0.0, -1.0)],
        )
        .unwrap();
    assert_eq!(a.to_array().unwrap().to_vec(), [-2, -6]);
    assert_eq!(b.to_array().unwrap().to_vec(), [large * 2, 2]);
    assert_eq!(c.to_array().unwrap().to_vec(), [0.2, 2e300]);
    let two = bf16::from_f32(2.0);
    assert_eq!(
        d.to_array().unwrap().to_vec(),
        [bf16::from_f32(1e30) * two, two]
    );
    assert_eq!(
        e.to_array().unwrap().to_vec(),
        [Complex::new(0.2, 2e200), Complex::new(0.0, -2.0)]
    );
}
