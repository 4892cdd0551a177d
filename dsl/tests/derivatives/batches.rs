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
