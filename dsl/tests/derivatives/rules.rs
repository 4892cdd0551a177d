//! Kernels with derivatives of their own.

use iree_dsl::prelude::*;
use ndarray::array;

#[program]
mod rules {
    pub struct Rules;

    /// Cut off, but with the derivative of what it is far from the ends.
    #[kernel(jvp = soft_jvp)]
    fn soft<const N: usize>(x: Tensor<f64, N>) -> Tensor<f64, N> {
        x.clamp(-1.0, 1.0)
    }

    #[kernel]
    fn soft_jvp<const N: usize>(
        x: Tensor<f64, N>,
        dx: Tensor<f64, N>,
    ) -> (Tensor<f64, N>, Tensor<f64, N>) {
        (soft(x), dx * x * 3.0)
    }

    #[kernel(vjp = (clip_keep, clip_back))]
    fn clip<const N: usize>(x: Tensor<f64, N>, l: Tensor<f64>) -> Tensor<f64, N> {
        x * 2.0 + l
    }

    #[kernel]
    fn clip_keep<const N: usize>(
        x: Tensor<f64, N>,
        l: Tensor<f64>,
    ) -> (Tensor<f64, N>, (Tensor<f64, N>, Tensor<f64>)) {
        (clip(x, l), (x, l))
    }

    /// No derivative of `clip`, so that it can be told from that.
    #[kernel]
    fn clip_back<const N: usize>(
        kept: (Tensor<f64, N>, Tensor<f64>),
        dy: Tensor<f64, N>,
    ) -> (Tensor<f64, N>, Tensor<f64>) {
        let (x, l) = kept;
        (dy.clamp(-l, l) * x, dy.sum())
    }

    impl Rules {
        pub fn forwards<const N: usize>(
            &self,
            x: Tensor<f64, N>,
        ) -> (Tensor<f64, N>, Tensor<f64, N>) {
            jvp(soft, x, ones_like(x))
        }

        pub fn backwards<const N: usize>(&self, x: Tensor<f64, N>) -> Tensor<f64, N> {
            grad(|x| (soft(x) * 2.0).sum())(x)
        }

        pub fn twice<const N: usize>(&self, x: Tensor<f64, N>) -> Tensor<f64, N> {
            grad(|x| grad(|x| soft(x).sum())(x).sum())(x)
        }

        pub fn clipped<const N: usize>(
            &self,
            x: Tensor<f64, N>,
            l: Tensor<f64>,
        ) -> (Tensor<f64>, (Tensor<f64, N>, Tensor<f64>)) {
            value_and_grad::<0, 1>(|x, l| (clip(x, l) * x.stop_gradient()).sum())(x, l)
        }

        pub fn clipped_in_loop<const N: usize>(&self, x: Tensor<f64, N>) -> Tensor<f64, N> {
            grad(|x| fori(2, x, |_, y| clip(y, 10.0)).sum())(x)
        }
    }
}

#[test]
fn rules() {
    let program = rules::Rules::load(&Device::open("local-sync").unwrap()).unwrap();
    let x = array![-3.0, 0.5, 2.0];
    let (value, change) = program.forwards(&x).unwrap();
    assert_eq!(value.to_array().unwrap(), array![-1.0, 0.5, 1.0]);
    assert_eq!(change.to_array().unwrap(), array![-9.0, 1.5, 6.0]);
    let slope = program.backwards(&x).unwrap().to_array().unwrap();
    assert_eq!(slope, array![-18.0, 3.0, 12.0]);
    let second = program.twice(&x).unwrap().to_array().unwrap();
    assert_eq!(second, array![3.0, 3.0, 3.0]);
    let (value, (dx, dl)) = program.clipped(&x, 1.0).unwrap();
    assert_eq!(value.to_scalar().unwrap(), 26.0);
    assert_eq!(dx.to_array().unwrap(), array![3.0, 0.25, 2.0]);
    assert_eq!(dl.to_scalar().unwrap(), -0.5);
    // Each round multiplies with what it was given: x, and then 2 x + 10.
    let slope = program.clipped_in_loop(&x).unwrap().to_array().unwrap();
    let expected = x.mapv(|x: f64| (2.0 * x + 10.0).clamp(-10.0, 10.0) * x);
    assert_eq!(slope, expected);
}
