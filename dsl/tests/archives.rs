//! Parameters of every element type, from archives of every format that other tools wrote.

use half::{bf16, f16};
use iree_dsl::{Element, Parameters, prelude::*};
use ndarray::{Array, Array2, Array3, array};
use num_complex::{Complex, Complex32, Complex64};
use std::path::{Path, PathBuf};

/// What the archives hold: 0, 1, 2 in the first row and 3, 4, 5 in the second, modulo 2 as truth values.
fn right<T: Element>(from_small: impl Fn(u8) -> T) -> Array2<T> {
    Array::from_shape_fn((2, 3), |(row, column)| from_small((3 * row + column) as u8))
}

/// Two programs with a parameter of each element type: one reads them, one also stores them.
macro_rules! types {
    ($($name:ident: $ty:ty, $key:literal, $number:ident => $value:expr;)+) => {
        #[program]
        mod reads {
            pub struct Reads {
                $(#[global(parameter = "all")]
                #[param($key)]
                $name: Tensor<$ty, 2, 3>,)+
            }

            impl Reads {
                $(pub fn $name(&self) -> Tensor<$ty, 2, 3> {
                    self.$name
                })+
            }
        }

        #[program]
        mod stores {
            pub struct Stores {
                $(#[global(parameter = "all")]
                #[param($key)]
                $name: Tensor<$ty, 2, 3>,)+
            }

            impl Stores {
                $(pub fn $name(&mut self, x: Tensor<$ty, 2, 3>) -> Tensor<$ty, 2, 3> {
                    let old = self.$name;
                    self.$name = x;
                    old
                })+
            }
        }

        fn check(archive: &Parameters, device: &Device) {
            let program = reads::Reads::loader(device).parameters("all", archive);
            let program = program.load().unwrap();
            $({
                let right = right::<$ty>(|$number| $value);
                assert_eq!(program.$name().unwrap().to_array().unwrap(), right, $key);
            })+
            let program = stores::Stores::loader(device).parameters("all", archive);
            let mut program = program.load().unwrap();
            $({
                let (right, other) = (right::<$ty>(|$number| $value), Array2::default((2, 3)));
                assert_eq!(program.$name(&other).unwrap().to_array().unwrap(), right, $key);
                assert_eq!(program.$name(&right).unwrap().to_array().unwrap(), other, $key);
            })+
        }
    };
}

types! {
    of_bool: bool, "bool.weight", x => x % 2 == 1;
    of_i8: i8, "i8.weight", x => x as i8;
    of_i16: i16, "i16.weight", x => x.into();
    of_i32: i32, "i32.weight", x => x.into();
    of_i64: i64, "i64.weight", x => x.into();
    of_u8: u8, "u8.weight", x => x;
    of_u16: u16, "u16.weight", x => x.into();
    of_u32: u32, "u32.weight", x => x.into();
    of_u64: u64, "u64.weight", x => x.into();
    of_f16: f16, "f16.weight", x => x.into();
    of_bf16: bf16, "bf16.weight", x => x.into();
    of_f32: f32, "f32.weight", x => x.into();
    of_f64: f64, "f64.weight", x => x.into();
    of_c64: Complex<f32>, "c64.weight", x => Complex32::from(f32::from(x));
    of_c128: Complex<f64>, "c128.weight", x => Complex64::from(f64::from(x));
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/files")
        .join(name)
}

fn open(name: &str) -> Parameters {
    Parameters::open(file(name)).unwrap()
}

/// An archive of a format that has no numbers of 128 bits, and one with them.
fn with_c128(name: &str) -> Parameters {
    let mut archive = open(name);
    let numbers = right(|x| Complex64::from(f64::from(x)));
    archive.insert("c128.weight", &numbers);
    archive
}

#[test]
fn every_format_has_every_element_type() {
    for device in ["local-sync", "local-task?workers=2"] {
        let device = Device::open(device).unwrap();
        check(&with_c128("all.safetensors"), &device);
        check(&with_c128("all.irpa"), &device);
        check(&open("all.npz"), &device);
        check(&open("packed.npz"), &device);
    }
}

#[program]
mod forms {
    pub struct Forms {
        #[global(parameter = "numpy")]
        fortran: Tensor<f32, 2, 3, 4>,
        #[global(parameter = "numpy")]
        big_endian: Tensor<i32, 3>,
        #[global(parameter = "numpy")]
        scalar: Tensor<f64>,
        #[global(parameter = "numpy")]
        empty: Tensor<f32, 0, 3>,
        #[global(parameter = "repeated")]
        zeros: Tensor<f32, 2, 3>,
        #[global(parameter = "repeated")]
        sevens: Tensor<i16, 3>,
    }

    impl Forms {
        pub fn numpy(
            &self,
        ) -> (
            Tensor<f32, 2, 3, 4>,
            Tensor<i32, 3>,
            Tensor<f64>,
            Tensor<f32, 0, 3>,
        ) {
            (self.fortran, self.big_endian, self.scalar, self.empty)
        }

        pub fn repeated(&mut self) -> (Tensor<f32, 2, 3>, Tensor<i16, 3>) {
            self.sevens += 1;
            (self.zeros, self.sevens)
        }
    }
}

#[test]
fn every_form_of_an_array_is_read() {
    let device = Device::open("local-sync").unwrap();
    let single = |name: &str| open(&format!("{name}.npy"));
    let names = ["fortran", "big_endian", "scalar", "empty"];
    let separate = |loader| {
        let mut files = names.into_iter().map(single);
        files.try_fold(
            loader,
            |loader: iree_dsl::Loader<'_, forms::Forms>, file| {
                Some(loader.parameters("numpy", file))
            },
        )
    };
    let loader = || forms::Forms::loader(&device).parameters("repeated", open("repeated.irpa"));
    let loaders = [
        loader().parameters("numpy", open("all.npz")),
        loader().parameters("numpy", open("packed.npz")),
        separate(loader()).unwrap(),
    ];
    for loader in loaders {
        let mut program = loader.load().unwrap();
        let (fortran, big_endian, scalar, empty) = program.numpy().unwrap();
        let expected = Array::from_iter((0..24).map(|x| x as f32));
        let expected: Array3<f32> = expected.into_shape_with_order((2, 3, 4)).unwrap();
        assert_eq!(fortran.to_array().unwrap(), expected);
        assert_eq!(big_endian.to_array().unwrap(), array![0, 1, 2]);
        assert_eq!(scalar.to_scalar().unwrap(), 2.5);
        assert_eq!(empty.shape(), [0, 3]);
        let (zeros, sevens) = program.repeated().unwrap();
        assert_eq!(zeros.to_array().unwrap(), Array2::<f32>::zeros((2, 3)));
        assert_eq!(sevens.to_array().unwrap(), array![8, 8, 8]);
    }
}

#[test]
fn archives_tell_what_they_have() {
    let archive = open("all.safetensors");
    let ty = archive.ty("bf16.weight").map(ToString::to_string);
    assert_eq!(ty.as_deref(), Some("Tensor<bf16, 2, 3>"));
    assert_eq!(archive.keys().count(), 16);
    assert!(open("all.irpa").ty("bf16.weight").is_none());
    assert!(format!("{:?}", open("repeated.irpa")).contains("\"sevens\": \"6 bytes\""));
}
