//! What the host has of a program besides its procedures: constants, aliases, and trees made from arrays.

use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, Ix1, Ix2, array};

#[program]
pub mod items {
    /// The number of features.
    pub const FEATURES: usize = 2 * HALF;
    const HALF: usize = 2;
    pub const RATE: f32 = 0.1;
    pub const SMALL: f16 = 0.5;
    pub const LIMIT: f64 = -1e300;
    pub const ENDLESS: f32 = f32::INFINITY;
    pub const LEAST: i8 = -128;
    pub const TRAINED: bool = true;
    pub const NAME: &str = "items";

    pub type Real = f32;
    pub type Row = Tensor<Real, FEATURES>;
    pub type Matrix<const M: usize, const N: usize> = Tensor<f64, M, N>;
    pub type Pair = (Row, Layer<3>);

    pub struct Layer<const N: usize> {
        pub w: Tensor<f32, N>,
        pub device: Tensor<f32>,
    }

    pub struct Model {
        pub first: Layer<2>,
        pub rest: [Tensor<f32, 2>; 2],
        pub extra: (Tensor<i32>, [(Tensor<bool>, Tensor<u8, 1>); 1]),
    }

    pub struct Items;

    impl Items {
        pub fn sum(&self, model: Model, row: Row) -> Tensor<f32> {
            let mut sum = model.first.w.sum() + model.first.device + row.sum() * RATE;
            for part in model.rest {
                sum += part.sum();
            }
            let (flag, byte) = model.extra.1[0];
            sum + model.extra.0 as f32 + flag as f32 + byte.sum() as f32
        }

        pub fn pair(&self, row: Row) -> Pair {
            (
                row,
                Layer {
                    w: zeros(),
                    device: 1.0,
                },
            )
        }

        pub fn matrix(&self, x: Matrix<2, 3>) -> Matrix<3, 2> {
            x.t()
        }
    }
}

use items::{Items, Layer, Model};

#[test]
fn constants_and_aliases_are_there() {
    const ROOM: [u8; items::FEATURES] = [0; items::FEATURES];
    assert_eq!(ROOM.len(), 4);
    assert_eq!((items::RATE, items::LIMIT), (0.1_f32, -1e300_f64));
    assert_eq!(items::SMALL, f16::from_f32(0.5));
    assert_eq!(items::ENDLESS, f32::INFINITY);
    assert_eq!((items::LEAST, items::TRAINED), (i8::MIN, true));
    assert_eq!(items::NAME, "items");
    let device = Device::open("local-sync").unwrap();
    let program = Items::load(&device).unwrap();
    let (row, layer): items::Pair = program.pair(&Array1::<items::Real>::ones(4)).unwrap();
    let row: DeviceArray<f32, Ix1> = row;
    assert_eq!(row.shape(), [4]);
    assert_eq!(layer.device.to_scalar().unwrap(), 1.0);
    let matrix: items::Matrix<3, 2> = program.matrix(&Array2::zeros((2, 3))).unwrap();
    let matrix: DeviceArray<f64, Ix2> = matrix;
    assert_eq!(matrix.shape(), [3, 2]);
}

#[test]
fn trees_are_made_from_arrays_of_the_host() {
    let device = Device::open("local-sync").unwrap();
    let program = Items::load(&device).unwrap();
    let model = Model::upload(
        &device,
        Layer::upload(&device, &array![1.0, 2.0], 3.0).unwrap(),
        [[4.0, 5.0], [6.0, 7.0]],
        (8, [(true, [9])]),
    )
    .unwrap();
    let row = [10.0; 4];
    let expected = (1..=3).chain(4..=8).sum::<i32>() as f32 + 1.0 + 9.0 + 4.0;
    let sum = program.sum(&model, row).unwrap().to_scalar().unwrap();
    assert!((sum - expected).abs() < 1e-5, "{sum}");
    let copy = model.first.clone();
    let shown = format!("{copy:?}");
    assert!(shown.starts_with("Layer { w: [1.0, 2.0]"), "{shown}");
}
