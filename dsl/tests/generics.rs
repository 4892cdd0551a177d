//! Generic arguments by name and by default, wherever types and calls are written, against plain Rust.

use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, array};

const DEVICES: [&str; 2] = ["local-sync", "local-task"];

/// Trees with defaults, which are read where they are declared.
#[kernel]
pub mod layers {
    const WIDE: usize = 4;

    pub type Real = f32;

    pub struct Linear<const INPUTS: usize, const OUTPUTS: usize = INPUTS, T: Float = Real> {
        pub weight: Tensor<T, OUTPUTS, INPUTS>,
        pub bias: Tensor<T, OUTPUTS>,
    }

    /// `HEADS` is in none of its fields.
    pub struct Split<const WIDTH: usize = WIDE, const HEADS: usize = { WIDE / 2 }> {
        pub scale: Tensor<f32, WIDTH>,
    }

    pub struct Stack<const LAYERS: usize, const WIDTH: usize = WIDE, L = Linear<WIDTH>> {
        pub layers: [L; LAYERS],
        pub splits: [Split<{ WIDTH = WIDTH }>; 2],
    }

    pub fn linear<const ROWS: usize, const INPUTS: usize, const OUTPUTS: usize, T: Float>(
        layer: Linear<T = T, INPUTS = INPUTS, OUTPUTS = OUTPUTS>,
        x: Tensor<T, ROWS, INPUTS>,
    ) -> Tensor<T, ROWS, OUTPUTS> {
        x.matmul(layer.weight.t()) + layer.bias
    }

    /// The sums of each head.
    pub fn sums<const ROWS: usize, const WIDTH: usize, const HEADS: usize>(
        split: Split<WIDTH, HEADS>,
        x: Tensor<f32, ROWS, WIDTH>,
    ) -> Tensor<f32, ROWS, HEADS> {
        assert!(
            WIDTH % HEADS == 0,
            "the width is a multiple of the number of heads"
        );
        (x * split.scale)
            .reshape([ROWS, HEADS, { WIDTH / HEADS }])
            .sum_axis(2)
    }

    /// Nothing tells what `N` is but the caller.
    pub fn ramp<const N: usize, T: Num>() -> Tensor<T, N> {
        arange::<T, N>()
    }
}

#[program]
pub mod all {
    #[kernel]
    use super::layers::{Linear, Split, Stack, linear, ramp, sums};

    const THREE: usize = 3;

    /// An alias takes names and has some.
    pub type To<const OUTPUTS: usize> = Linear<OUTPUTS = OUTPUTS, INPUTS = THREE>;

    pub struct Pair<const N: usize = THREE> {
        pub square: Linear<N>,
        pub to: To<{ OUTPUTS = 2 }>,
    }

    pub struct All {
        #[global]
        stack: Stack<{ LAYERS = 2 }>,
        #[global]
        narrow: Split<{ HEADS = 4 }>,
    }

    impl All {
        pub fn set(&mut self, stack: Stack<2>) {
            self.stack = stack;
        }

        pub fn stacked<const ROWS: usize>(&self, x: Tensor<f32, ROWS, 4>) -> Tensor<f32, ROWS, 4> {
            let mut x = x;
            for layer in self.stack.layers {
                x = linear(layer, x);
            }
            x
        }

        pub fn heads<const ROWS: usize>(
            &self,
            x: Tensor<f32, ROWS, 4>,
            split: Split,
        ) -> (Tensor<f32, ROWS, 2>, Tensor<f32, ROWS, 4>) {
            let many = Split::<{ HEADS = 4 }> { scale: ones() };
            (sums(split, x), sums(many, x) + sums(self.narrow, x))
        }

        pub fn pair(&self, pair: Pair, x: Tensor<f32, 1, THREE>) -> Tensor<f32, 1, 2> {
            let square: Linear<THREE> = pair.square;
            linear::<OUTPUTS = _, { INPUTS = 3 }>(pair.to, linear(square, x))
        }

        pub fn wide(
            &self,
            layer: Linear<{ INPUTS = 2 }, T = f64>,
            x: Tensor<f64, 1, 2>,
        ) -> Tensor<f64, 1, 2> {
            linear(layer, x)
        }

        pub fn ramps(&self) -> (Tensor<f64, 4>, Tensor<i32, THREE>) {
            (
                ramp::<{ N = 2 * 2 }, T = f64>(),
                ramp::<T = i32, N = THREE>(),
            )
        }

        pub fn made(&self) -> Linear<2> {
            Linear::<T = f32, { INPUTS = 2 }> {
                weight: eye(),
                bias: ones(),
            }
        }
    }
}

use all::{All, Pair};
use layers::{Linear, Split, Stack};

/// What has a default on the host too.
fn square<const N: usize>(device: &Device, factor: f32) -> Linear<N> {
    Linear {
        weight: device.upload(&(Array2::eye(N) * factor)).unwrap(),
        bias: device.upload(&Array1::ones(N)).unwrap(),
    }
}

#[test]
fn defaults_are_those_of_the_declaration() {
    for device in DEVICES {
        let device = Device::open(device).unwrap();
        let mut program = All::load(&device).unwrap();
        let split = || Split::upload(&device, [1.0, 2.0, 3.0, 4.0]).unwrap();
        let stack: Stack<2> = Stack {
            layers: [square(&device, 2.0), square(&device, 3.0)],
            splits: [split(), split()],
        };
        program.set(stack).unwrap();
        for rows in [1, 3, 2] {
            let x = Array2::<f32>::ones((rows, 4));
            let found = program.stacked(&x).unwrap().to_array().unwrap();
            assert_eq!(found, x * 2.0 * 3.0 + 3.0 + 1.0);
        }
    }
}

#[test]
fn a_parameter_that_no_field_has_is_known() {
    for device in DEVICES {
        let device = Device::open(device).unwrap();
        let program = All::load(&device).unwrap();
        let split: Split = Split::upload(&device, [1.0, 2.0, 3.0, 4.0]).unwrap();
        let (two, four) = program.heads([[1.0, 1.0, 10.0, 10.0]], &split).unwrap();
        assert_eq!(two.to_array().unwrap(), array![[3.0, 70.0]]);
        assert_eq!(four.to_array().unwrap(), array![[1.0, 1.0, 10.0, 10.0]]);
    }
}

#[test]
fn names_are_for_trees_aliases_and_calls() {
    for device in DEVICES {
        let device = Device::open(device).unwrap();
        let program = All::load(&device).unwrap();
        let to = Linear::upload(&device, [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], [0.0, 0.5]);
        let pair: Pair = Pair {
            square: square(&device, 2.0),
            to: to.unwrap(),
        };
        let found = program.pair(&pair, [[1.0, 2.0, 3.0]]).unwrap();
        assert_eq!(found.to_array().unwrap(), array![[3.0, 7.5]]);
        let wide: Linear<2, 2, f64> =
            Linear::upload(&device, [[0.0, 1.0], [1.0, 0.0]], [0.0, 0.0]).unwrap();
        let found = program.wide(&wide, [[1.0, 2.0]]).unwrap();
        assert_eq!(found.to_array().unwrap(), array![[2.0, 1.0]]);
        let (reals, integers) = program.ramps().unwrap();
        assert_eq!(reals.to_array().unwrap(), array![0.0, 1.0, 2.0, 3.0]);
        assert_eq!(integers.to_array().unwrap(), array![0, 1, 2]);
        let made = program.made().unwrap();
        assert_eq!(
            made.weight.to_array().unwrap(),
            array![[1.0, 0.0], [0.0, 1.0]]
        );
        assert_eq!(made.bias.to_array().unwrap(), array![1.0, 1.0]);
    }
}
