//! All functions of complex numbers, of one tensor and in one procedure.

use iree_dsl::prelude::*;
use ndarray::{Array1, arr1};
use num_complex::Complex;

/// Defines a procedure that returns each function of `exp` of its argument, and what Rust computes.
macro_rules! functions {
    ($($name:ident)*) => {
        #[program]
        mod functions {
            pub struct Functions;

            impl Functions {
                pub fn all(&self, x: Tensor<Complex<f64>, 5>) -> [Tensor<Complex<f64>, 5>; 21] {
                    let y = x.exp();
                    [$(y.$name()),*]
                }

                pub fn of_any_size<const N: usize>(
                    &self,
                    x: Tensor<Complex<f32>, N>,
                ) -> [Tensor<Complex<f32>, N>; 21] {
                    let y = x.exp();
                    [$(y.$name()),*]
                }
            }
        }

        const NAMES: &[&str] = &[$(stringify!($name)),*];

        fn reference(x: &Array1<Complex<f64>>) -> Vec<Array1<Complex<f64>>> {
            let y = x.mapv(Complex::exp);
            vec![$(y.mapv(reference::$name)),*]
        }
    };
}

functions! {
    cos recip rsqrt tanh tan log10 exp2 ln atan sinh atanh log2 asin sqrt acosh acos exp sin cosh
    asinh conj
}

mod reference {
    use num_complex::Complex;

    macro_rules! methods {
        ($($name:ident)*) => {
            $(pub(super) fn $name(x: Complex<f64>) -> Complex<f64> {
                x.$name()
            })*
        };
    }

    methods! {
        cos tanh tan log10 exp2 ln atan sinh atanh log2 asin sqrt acosh acos exp sin cosh asinh
    }

    pub(super) fn conj(x: Complex<f64>) -> Complex<f64> {
        x.conj()
    }

    pub(super) fn recip(x: Complex<f64>) -> Complex<f64> {
        x.inv()
    }

    pub(super) fn rsqrt(x: Complex<f64>) -> Complex<f64> {
        x.sqrt().inv()
    }
}

fn load() -> functions::Functions {
    functions::Functions::load(&Device::open("local-sync").unwrap()).unwrap()
}

fn points() -> Array1<Complex<f64>> {
    let points = [
        (0.3, 0.4),
        (-0.5, 1.2),
        (0.7, -0.9),
        (-1.1, -0.2),
        (0.05, 2.5),
    ];
    arr1(&points).mapv(|(re, im)| Complex::new(re, im))
}

#[track_caller]
fn assert_close(name: &str, found: Complex<f64>, expected: Complex<f64>, bound: f64) {
    let difference = (found - expected).norm();
    assert!(
        difference <= bound * expected.norm().max(1.0),
        "{name}: {found}, and not {expected}"
    );
}

#[test]
fn doubles_have_every_function() {
    let found = load().all(&points()).unwrap();
    for ((name, found), expected) in NAMES.iter().zip(found).zip(reference(&points())) {
        for (found, expected) in found.to_array().unwrap().iter().zip(&expected) {
            assert_close(name, *found, *expected, 1e-13);
        }
    }
}

#[test]
fn singles_of_any_number_have_every_function() {
    let singles = points().mapv(|x| Complex::new(x.re as f32, x.im as f32));
    let found = load().of_any_size(&singles).unwrap();
    for ((name, found), expected) in NAMES.iter().zip(found).zip(reference(&points())) {
        for (found, expected) in found.to_array().unwrap().iter().zip(&expected) {
            let found = Complex::new(f64::from(found.re), f64::from(found.im));
            assert_close(name, found, *expected, 1e-5);
        }
    }
}
