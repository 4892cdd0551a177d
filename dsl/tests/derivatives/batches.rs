//! Functions of slices, applied to all of them.

use crate::check::Check;
use iree_dsl::prelude::*;
use ndarray::{Ix1, Ix2};

#[program]
mod batches {
    pub struct Batches;

    #[kernel]
    fn energy(x: Tensor<f64, 3>, w: Tensor<f64, 3, 2>) -> Tensor<f64> {
        x.dot(w).sin().sum()
    }

    #[kernel]
    fn total<const N: usize>(xs: Tensor<f64, N, 3>, w: Tensor<f64, 3, 2>) -> Tensor<f64> {
        let energies = vmap(|x| energy(x, w))(xs);
        (energies * energies).sum()
    }

    impl Batches {
        pub fn slopes<const N: usize>(
            &self,
            xs: Tensor<f64, N, 3>,
            w: Tensor<f64, 3, 2>,
        ) -> Tensor<f64, N, 3> {
            vmap(grad(|x| energy(x, w)))(xs)
        }

        pub fn slope_of_all<const N: usize>(
            &self,
            xs: Tensor<f64, N, 3>,
            w: Tensor<f64, 3, 2>,
        ) -> Tensor<f64, 3, 2> {
            grad::<1>(total)(xs, w)
        }

        /// Of trees, with arrays in them.
        pub fn trees(&self, x: Tensor<f64, 4, 3>) -> (Tensor<f64, 4>, [Tensor<f64, 4, 3>; 2]) {
            let f = |(a, b), c: Tensor<f64, 3>| ((a * b[1]).sum() + c[0], [a + c, b[0]]);
            vmap(f)((x, [x * 2.0, x * 3.0]), x)
        }

        pub fn nested(&self, x: Tensor<f64, 7>) -> Tensor<f64, 7, 7> {
            vmap(|a| vmap(|b| a * b)(x))(x)
        }
    }
}

#[test]
fn slices() {
    let device = Device::open("local-sync").unwrap();
    let program = batches::Batches::load(&device).unwrap();
    let mut check = Check::new("derivatives", "f64");
    let (x, w) = (check.input::<f64, Ix2>("x"), check.input::<f64, Ix2>("w"));
    let long = check.input::<f64, Ix1>("long");
    check.result("batch.slopes", program.slopes(&x, &w));
    check.conditioned("batch.slope_of_all", 4.0, program.slope_of_all(&x, &w));
    let (sums, [a, b]) = program.trees(&x).unwrap();
    check.result("batch.sums", Ok(sums));
    check.result("batch.doubled", Ok(a));
    check.result("batch.doubled", Ok(b));
    check.result("batch.outer", program.nested(&long));
    check.finish();
}

#[program]
mod stored {
    pub struct Stored {
        #[global]
        w: Tensor<f64>,
    }

    impl Stored {
        /// Stores first, and then has derivatives in batches, which store nothing.
        pub fn slopes(
            &mut self,
            w: Tensor<f64>,
            x: Tensor<f64, 5>,
            n: Tensor<i32>,
        ) -> Tensor<f64, 5> {
            self.w = w;
            for _ in range(0, n) {
                let all = |w: Tensor<f64>| vmap(grad(|x: Tensor<f64>| (w * x).sin()))(x).sum();
                self.w -= grad(all)(self.w) * 0.1;
            }
            vmap(|x: Tensor<f64>| jvp(|x| (self.w * x).sin(), x, x).1)(x)
        }
    }
}

/// The slope of the sum over x of w cos(w x) is that of cos(w x) - w x sin(w x).
#[test]
fn derivatives_in_batches_after_stores() {
    for device in ["local-sync", "local-task"] {
        let mut program = stored::Stored::load(&Device::open(device).unwrap()).unwrap();
        let x = [0.3, -1.2, 0.9, 2.0, 0.1];
        let found = program.slopes(0.8, x, 3).unwrap().to_array().unwrap();
        let mut w: f64 = 0.8;
        for _ in 0..3 {
            let slopes = x.map(|x| (w * x).cos() - w * x * (w * x).sin());
            w -= 0.1 * slopes.iter().sum::<f64>();
        }
        for (found, x) in found.iter().zip(x) {
            let expected = w * x * (w * x).cos();
            assert!((found - expected).abs() < 1e-13, "{found} {expected}");
        }
    }
}
