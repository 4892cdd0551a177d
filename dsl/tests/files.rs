//! Globals that start with what files hold.

use half::{bf16, f16};
use iree_dsl::{Element, prelude::*};
use ndarray::{Array, Array2, array};
use num_complex::{Complex, Complex32, Complex64};

/// A global of each element type from a file of its own, and one from a file of all.
macro_rules! types {
    ($($name:ident: $ty:ty, $npy:literal, $tensor:literal;)+) => {
        #[program]
        mod types {
            pub struct Types {
                $(#[global(init = (include_npy!($npy), include_safetensors!("files/all.safetensors", $tensor)))]
                $name: (Tensor<$ty, 2, 3>, Tensor<$ty, 2, 3>),)+
            }

            impl Types {
                $(pub fn $name(&self) -> (Tensor<$ty, 2, 3>, Tensor<$ty, 2, 3>) {
                    self.$name
                })+
            }
        }

        #[test]
        fn every_element_type_is_read() {
            let program = types::Types::load(&Device::open("local-sync").unwrap()).unwrap();
            $({
                let (npy, tensor) = program.$name().unwrap();
                let right = <$ty>::right();
                assert_eq!(npy.to_array().unwrap(), right, "{}", stringify!($name));
                assert_eq!(tensor.to_array().unwrap(), right, "{}", stringify!($name));
            })+
        }
    };
}

types! {
    of_bool: bool, "files/bool.npy", "bool.weight";
    of_i8: i8, "files/i8.npy", "i8.weight";
    of_i16: i16, "files/i16.npy", "i16.weight";
    of_i32: i32, "files/i32.npy", "i32.weight";
    of_i64: i64, "files/i64.npy", "i64.weight";
    of_u8: u8, "files/u8.npy", "u8.weight";
    of_u16: u16, "files/u16.npy", "u16.weight";
    of_u32: u32, "files/u32.npy", "u32.weight";
    of_u64: u64, "files/u64.npy", "u64.weight";
    of_f16: f16, "files/f16.npy", "f16.weight";
    of_bf16: bf16, "files/bf16.npy", "bf16.weight";
    of_f32: f32, "files/f32.npy", "f32.weight";
    of_f64: f64, "files/f64.npy", "f64.weight";
    of_c64: Complex<f32>, "files/c64.npy", "c64.weight";
}

/// What the files hold: 0, 1, 2 in the first row and 3, 4, 5 in the second, modulo 2 as truth values.
trait Right: Element {
    fn from_small(number: u8) -> Self;

    fn right() -> Array2<Self> {
        Array::from_shape_fn((2, 3), |(row, column)| {
            Self::from_small((3 * row + column) as u8)
        })
    }
}

macro_rules! right {
    ($($ty:ty: $number:ident => $value:expr;)+) => {
        $(impl Right for $ty {
            fn from_small($number: u8) -> Self {
                $value
            }
        })+
    };
}

right! {
    bool: x => x % 2 == 1;
    i8: x => x as i8;
    i16: x => x.into();
    i32: x => x.into();
    i64: x => x.into();
    u8: x => x;
    u16: x => x.into();
    u32: x => x.into();
    u64: x => x.into();
    f16: x => x.into();
    bf16: x => x.into();
    f32: x => x.into();
    f64: x => x.into();
    Complex32: x => f32::from(x).into();
    Complex64: x => f64::from(x).into();
}

#[program]
mod forms {
    pub struct Layer {
        pub weight: Tensor<f32, 2, 3, 4>,
        pub bias: Tensor<i32, 3>,
    }

    pub struct Forms {
        #[global(immutable, init = Layer {
            weight: include_npy!("files/fortran.npy"),
            bias: include_npy!("files/big_endian.npy"),
        })]
        layer: Layer,
        #[global(init = doubled(include_npy!("files/f64.npy")) + include_npy!("files/scalar.npy"))]
        computed: Tensor<f64, 2, 3>,
        #[global(init = include_safetensors!("files/all.safetensors", "scalar"))]
        scalar: Tensor<f64>,
        #[global(init = include_npy!("files/empty.npy"))]
        empty: Tensor<f32, 0, 3>,
        #[global(init = include_npy!("files/c128.npy"))]
        complex: Tensor<Complex<f64>, 2, 3>,
    }

    impl Forms {
        pub fn layer(&self) -> Layer {
            self.layer
        }

        pub fn computed(&self) -> Tensor<f64, 2, 3> {
            self.computed
        }

        pub fn next(&mut self) -> (Tensor<f64>, Tensor<f32, 0, 3>) {
            self.scalar += 1.0;
            (self.scalar, self.empty)
        }

        pub fn complex(&self) -> Tensor<Complex<f64>, 2, 3> {
            self.complex
        }

        pub fn inside(&self, x: Tensor<i32, 3>) -> Tensor<i32, 3> {
            x * include_npy!("files/big_endian.npy")
        }
    }

    #[kernel]
    fn doubled<T: Num, const M: usize, const N: usize>(x: Tensor<T, M, N>) -> Tensor<T, M, N> {
        x + x
    }
}

#[test]
fn files_stand_wherever_a_value_does() {
    let device = Device::open("local-sync").unwrap();
    let mut program = forms::Forms::load(&device).unwrap();
    let layer = program.layer().unwrap();
    let weight = Array::from_shape_fn((2, 3, 4), |(i, j, k)| (12 * i + 4 * j + k) as f32);
    assert_eq!(layer.weight.to_array().unwrap(), weight);
    assert_eq!(layer.bias.to_array().unwrap(), array![0, 1, 2]);
    let computed = array![[2.5, 4.5, 6.5], [8.5, 10.5, 12.5]];
    assert_eq!(program.computed().unwrap().to_array().unwrap(), computed);
    let (scalar, empty) = program.next().unwrap();
    assert_eq!(scalar.to_array().unwrap()[()], 3.5);
    assert_eq!(empty.shape(), [0, 3]);
    assert_eq!(
        program.complex().unwrap().to_array().unwrap(),
        Complex64::right()
    );
    let inside = program.inside(&array![5, 6, 7]).unwrap();
    assert_eq!(inside.to_array().unwrap(), array![0, 6, 14]);
}
