//! Static parameters, which decide while building, against plain Rust.

use iree_dsl::prelude::*;
use ndarray::array;

#[program]
mod statics {
    const DEFAULT: usize = 2;
    const RATE: f64 = 0.1;

    pub struct Mixed {
        pub single: Tensor<f32, 2>,
        pub double: Tensor<f64>,
        pub half: Tensor<f16>,
    }

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

        /// A step for each leaf, whatever its element type; `RATE` has more digits than `f32`.
        pub fn step(&self, mixed: Mixed) -> Mixed {
            descended(mixed, RATE)
        }

        pub fn decayed(&self, x: Tensor<f32>, n: Tensor<i32>) -> (Tensor<f32>, Tensor<f64>) {
            (decay(x, n, 0.5), alone(0.1))
        }

        pub fn turned(&self, z: Tensor<Complex<f32>>) -> Tensor<Complex<f32>> {
            scaled(z, 0.5)
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
    fn descended<P>(parameters: P, rate: f64) -> P {
        let momentum = (1.0 - rate).sqrt();
        map_tree(parameters, |p| scaled(p, rate) + (p - p * rate) * momentum)
    }

    #[kernel]
    fn scaled<P>(p: P, by: f64) -> P {
        let mut factor = by;
        factor *= 2.0;
        [factor, 1.0][0] * p
    }

    /// The factor changes in a loop of the program.
    #[kernel]
    fn decay(x: Tensor<f32>, n: Tensor<i32>, by: f64) -> Tensor<f32> {
        let mut factor = by;
        let mut y = x;
        for _ in range(0, n) {
            y *= factor;
            factor = if y > 1.0 { factor } else { by / 2.0 };
        }
        y
    }

    /// It is as precise as it was written where nothing else tells a type.
    #[kernel]
    fn alone(by: f64) -> Tensor<f64> {
        let third = full::<f64>(by) + by.exp();
        third
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

#[test]
fn a_real_number_takes_the_type_that_it_meets() {
    let device = Device::open("local-sync").unwrap();
    let program = statics::Statics::load(&device).unwrap();
    let half = f16::from_f32(3.0);
    let mixed = statics::Mixed::upload(&device, [1.0, -2.0], 3.0, half).unwrap();
    let step = program.step(&mixed).unwrap();
    let factor = 0.2 + 0.9 * 0.9_f64.sqrt();
    let double = step.double.to_scalar().unwrap();
    assert!((double - 3.0 * factor).abs() < 1e-15);
    let single = step.single.to_array().unwrap();
    assert!((single[1] + 2.0 * factor as f32).abs() < 1e-6);
    let half = step.half.to_scalar().unwrap().to_f64();
    assert!((half - 3.0 * factor).abs() < 1e-2);
    let (decayed, alone) = program.decayed(8.0, 5).unwrap();
    assert_eq!(decayed.to_scalar().unwrap(), 0.0625);
    assert_eq!(alone.to_scalar().unwrap(), 0.1 + 0.1_f64.exp());
    let turned = program.turned(Complex::new(1.0, -2.0)).unwrap();
    assert_eq!(turned.to_scalar().unwrap(), Complex::new(1.0, -2.0));
}
