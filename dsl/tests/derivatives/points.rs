//! Derivatives where a formula has an edge, and the function has none or one whose derivative is agreed on.

use iree_dsl::prelude::*;
use ndarray::{Array1, array};

#[program]
mod points {
    pub struct Points;

    impl Points {
        pub fn relu<const N: usize>(&self, x: Tensor<f64, N>) -> Tensor<f64, N> {
            grad(|x| x.relu().sum())(x)
        }

        pub fn softplus<const N: usize>(
            &self,
            x: Tensor<f64, N>,
        ) -> (Tensor<f64, N>, Tensor<f64, N>) {
            let slope = grad(|x: Tensor<f64>| x.softplus());
            (vmap(slope)(x), vmap(grad(slope))(x))
        }

        pub fn hypot<const N: usize>(
            &self,
            x: Tensor<f64, N>,
            y: Tensor<f64>,
        ) -> (Tensor<f64, N>, Tensor<f64, N>) {
            let slope = grad(|x: Tensor<f64>| x.hypot(y));
            (vmap(slope)(x), vmap(grad(slope))(x))
        }
    }
}

fn close(found: &DeviceArray<f64, ndarray::Ix1>, right: &Array1<f64>) {
    let found = found.to_array().unwrap();
    let distance = (&found - right).mapv(f64::abs).sum();
    assert!(distance < 1e-14, "{found} for {right}");
}

#[test]
fn edges() {
    let program = points::Points::load(&Device::open("local-sync").unwrap()).unwrap();
    let x = array![-2.0, -1.0, -0.5, -0.0, 0.0, 0.5, 1.0, 2.0];

    let slopes = program.relu(&x).unwrap();
    close(&slopes, &x.mapv(|x| f64::from(u8::from(x > 0.0))));

    let (slopes, curves) = program.softplus(&x).unwrap();
    let sigmoid = x.mapv(|x| 1.0 / (1.0 + f64::exp(-x)));
    close(&slopes, &sigmoid);
    close(&curves, &(&sigmoid * &sigmoid.mapv(|y| 1.0 - y)));

    for y in [1.0, -1.0] {
        let (slopes, curves) = program.hypot(&x, y).unwrap();
        let length = x.mapv(|x| x.hypot(y));
        close(&slopes, &(&x / &length));
        close(&curves, &length.mapv(|length| length.powi(-3)));
    }
}
