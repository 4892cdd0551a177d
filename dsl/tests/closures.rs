//! Closures and kernels as arguments, and the operations that take them, against plain Rust.

use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, Axis, array};

#[program]
mod closures {
    pub struct Closures {
        #[global]
        total: Tensor<f32>,
    }

    impl Closures {
        pub fn cumulative(&self, x: Tensor<f32, 5, 2>) -> (Tensor<f32, 2>, Tensor<f32, 5, 2>) {
            scan(zeros::<f32, 2>(), x, |carry, x| {
                let next = carry + x;
                (next, next * 2.0)
            })
        }

        pub fn row_maxima(&mut self, x: Tensor<f32, 5, 2>) -> Tensor<f32, 5> {
            map(x, |row| {
                self.total += row.sum();
                row.max()
            })
        }

        pub fn total(&self) -> Tensor<f32> {
            self.total
        }

        pub fn power(&self, x: Tensor<f64>, n: Tensor<i32>) -> Tensor<f64> {
            fori(n, 1.0f64, |_, c| c * x)
        }

        pub fn choose(&self, double: Tensor<bool>, x: Tensor<f32, 2>) -> Tensor<f32, 2> {
            let offset = 3.0;
            let twofold = |v| v * 2.0;
            cond(double, || twice(twofold, x), || twice(|v| v + offset, x)) + twice(negate, x)
        }

        pub fn nested(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            let factor = 2.0;
            twice(|a| twice(|b| outer(|c| b - c * factor, a), a), x)
        }

        pub fn returned(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            let compose = |f, g| |v| f(g(v));
            let double = |v| v * 2.0;
            let next = |v| v + 1.0;
            twice(compose(compose(double, next), compose(next, double)), x)
        }

        /// What the closure builds, and its literal, have the types that the parameter declares.
        pub fn declared(&self, x: Tensor<f64, 2>) -> (Tensor<f64, 2>, Tensor<f64>) {
            (
                build(|| ones(), x),
                choose(|big: Tensor<bool>| if big { 2.5 } else { 1.0 }, x),
            )
        }
    }

    #[kernel]
    fn build<const N: usize>(f: impl Fn() -> Tensor<f64, N>, x: Tensor<f64, N>) -> Tensor<f64, N> {
        f() + x
    }

    #[kernel]
    fn choose<const N: usize>(
        f: impl Fn(Tensor<bool>) -> Tensor<f64>,
        x: Tensor<f64, N>,
    ) -> Tensor<f64> {
        f(x.sum() > 3.0)
    }

    #[kernel]
    fn negate(x: Tensor<f32, 2>) -> Tensor<f32, 2> {
        -x
    }

    #[kernel]
    fn outer<const N: usize>(
        f: impl Fn(Tensor<f32, N>) -> Tensor<f32, N>,
        x: Tensor<f32, N>,
    ) -> Tensor<f32, N> {
        twice(|v| f(v) + 1.0, x)
    }

    #[kernel]
    fn twice<const N: usize>(
        f: impl Fn(Tensor<f32, N>) -> Tensor<f32, N>,
        x: Tensor<f32, N>,
    ) -> Tensor<f32, N> {
        f(f(x))
    }
}

fn program() -> closures::Closures {
    closures::Closures::load(&Device::open("local-sync").unwrap()).unwrap()
}

fn rows() -> Array2<f32> {
    Array2::from_shape_fn((5, 2), |(row, column)| (2 * row + column) as f32)
}

#[test]
fn scan_hands_on_and_stacks() {
    let x = rows();
    let (carry, stacked) = program().cumulative(&x).unwrap();
    let mut sum = Array1::<f32>::zeros(2);
    let stacked = stacked.to_array().unwrap();
    for (row, found) in x.axis_iter(Axis(0)).zip(stacked.axis_iter(Axis(0))) {
        sum += &row;
        assert_eq!(found, &sum * 2.0);
    }
    assert_eq!(carry.to_array().unwrap(), sum);
}

#[test]
fn map_may_store_globals() {
    let mut program = program();
    let x = rows();
    let maxima = program.row_maxima(&x).unwrap().to_array().unwrap();
    let expected = x.map_axis(Axis(1), |row| row.fold(f32::MIN, |a, b| a.max(*b)));
    assert_eq!(maxima, expected);
    assert_eq!(program.total().unwrap().to_scalar().unwrap(), x.sum());
}

#[test]
fn fori_applies_again_and_again() {
    let program = program();
    for n in [0, 1, 10] {
        let power = program.power(1.5, n).unwrap().to_scalar().unwrap();
        assert_eq!(power, 1.5_f64.powi(n));
    }
}

#[test]
fn closures_and_kernels_are_arguments() {
    let program = program();
    let x = array![1.0_f32, -2.0];
    let doubled = program.choose(true, &x).unwrap().to_array().unwrap();
    assert_eq!(doubled, &x * 5.0);
    let moved = program.choose(false, &x).unwrap().to_array().unwrap();
    assert_eq!(moved, &x * 2.0 + 6.0);
}

fn twice(f: impl Fn(f32) -> f32, x: f32) -> f32 {
    f(f(x))
}

fn outer(f: impl Fn(f32) -> f32, x: f32) -> f32 {
    twice(|v| f(v) + 1.0, x)
}

#[test]
fn closures_call_what_applies_them() {
    let x = [1.0, -2.0, 0.25];
    let nested = |x| twice(|a| twice(|b| outer(|c| b - c * 2.0, a), a), x);
    let found = program().nested(x).unwrap().to_array().unwrap();
    assert_eq!(found, Array1::from(x.map(nested).to_vec()));
    let returned = |x| twice(|v| (v * 2.0 + 1.0 + 1.0) * 2.0, x);
    let found = program().returned(x).unwrap().to_array().unwrap();
    assert_eq!(found, Array1::from(x.map(returned).to_vec()));
}

#[test]
fn results_have_the_types_that_parameters_declare() -> iree_dsl::Result<()> {
    for (x, chosen) in [([1.0_f64, 1.5], 1.0), ([1.0, 2.5], 2.5)] {
        let (built, found) = program().declared(x)?;
        assert_eq!(built.to_array()?, Array1::from(x.to_vec()) + 1.0);
        assert_eq!(found.to_scalar()?, chosen);
    }
    Ok(())
}
