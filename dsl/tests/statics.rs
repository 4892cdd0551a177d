//! Static parameters, which decide while building, against plain Rust.

use iree_dsl::prelude::*;
use ndarray::array;

#[program]
mod statics {
    const DEFAULT: usize = 2;

    pub struct Statics;

    impl Statics {
        pub fn activations(
            &self,
            x: Tensor<f32, 4>,
        ) -> (Tensor<f32, 4>, Tensor<f32, 4>, Tensor<f32, 4>) {
            (
                activation(x, "relu", true),
                activation(x, "square", false),
                activation(x, "", true),
            )
        }

        pub fn powers(&self, x: Tensor<f64, 3>) -> (Tensor<f64, 3>, Tensor<f64, 3>) {
            (power(x, 3, 0.5, -1), power(x, DEFAULT, 2.0, 1))
        }
    }

    #[kernel]
    fn activation<const N: usize>(x: Tensor<f32, N>, mode: &str, shift: bool) -> Tensor<f32, N> {
        let y = if mode == "relu" {
            x.maximum(0.0)
        } else if mode != "" && "square" == mode {
            x * x
        } else {
            x
        };
        if shift { y + 1.0 } else { y }
    }

    #[kernel]
    fn power<const N: usize>(x: Tensor<f64, N>, n: usize, scale: f64, sign: i64) -> Tensor<f64, N> {
        let mut y = ones::<f64, N>();
        for _ in 0..n {
            y *= x;
        }
        if sign < 0 && n > 2 {
            -y * scale
        } else {
            y * scale
        }
    }
}

#[test]
fn texts_are_compared() {
    let program = statics::Statics::load(&Device::open("local-sync").unwrap()).unwrap();
    let x = array![-1.0_f32, 0.0, 2.0, 3.0];
    let (relu, square, identity) = program.activations(&x).unwrap();
    assert_eq!(relu.to_array().unwrap(), x.mapv(|x| x.max(0.0) + 1.0));
    assert_eq!(square.to_array().unwrap(), x.mapv(|x| x * x));
    assert_eq!(identity.to_array().unwrap(), &x + 1.0);
}

#[test]
fn numbers_are_known() {
    let program = statics::Statics::load(&Device::open("local-sync").unwrap()).unwrap();
    let x = array![-1.0_f64, 2.0, 0.5];
    let (cube, square) = program.powers(&x).unwrap();
    assert_eq!(cube.to_array().unwrap(), x.mapv(|x| -x.powi(3) * 0.5));
    assert_eq!(square.to_array().unwrap(), x.mapv(|x| x.powi(2) * 2.0));
}
