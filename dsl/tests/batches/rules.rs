//! Kernels with derivatives of their own, and what is computed again, in batches: the rules hold, in each order.

use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, array};

#[program]
mod rules {
    pub struct Rules;

    /// The derivative is not that of the function, so that it can be told from that.
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

    #[kernel]
    fn clip_back<const N: usize>(
        kept: (Tensor<f64, N>, Tensor<f64>),
        dy: Tensor<f64, N>,
    ) -> (Tensor<f64, N>, Tensor<f64>) {
        let (x, l) = kept;
        (dy.clamp(-l, l) * x, dy.sum())
    }

    impl Rules {
        pub fn forwards<const B: usize>(
            &self,
            x: Tensor<f64, B, 3>,
        ) -> (Tensor<f64, B, 3>, Tensor<f64, B, 3>, Tensor<f64, B, 3>) {
            let each = |x| grad(|x: Tensor<f64, 3>| (soft(x) * 2.0).sum())(x);
            let all = grad(|x| (vmap(soft)(x) * 2.0).sum())(x);
            let (_, change) = jvp(|x| vmap(soft)(x), x, ones_like(x) * 2.0);
            (vmap(each)(x), all, change)
        }

        /// By what differs, and by what is the same for all.
        pub fn backwards<const B: usize>(
            &self,
            x: Tensor<f64, B, 3>,
            l: Tensor<f64>,
        ) -> (
            Tensor<f64, B, 3>,
            Tensor<f64>,
            Tensor<f64, B, 3>,
            Tensor<f64, B>,
        ) {
            let all = |x: Tensor<f64, B, 3>, l: Tensor<f64>| {
                (vmap(|x| clip(x, l))(x) * x.stop_gradient()).sum()
            };
            let (dx, dl) = grad::<0, 1>(all)(x, l);
            let one = |x: Tensor<f64, 3>, l: Tensor<f64>| (clip(x, l) * x.stop_gradient()).sum();
            let (each, each_l) = vmap(|x| grad::<0, 1>(one)(x, l))(x);
            (dx, dl, each, each_l)
        }

        /// A size of the batch that the arguments of the kernel do not tell.
        pub fn of_pairs<const A: usize, const B: usize>(
            &self,
            x: Tensor<f64, A, B, 3>,
        ) -> Tensor<f64, A, B, 3> {
            grad(|x: Tensor<f64, A, B, 3>| {
                let rows = x.reshape([A * B, 3]);
                (vmap(soft)(rows) * 2.0).sum()
            })(x)
        }

        pub fn in_branches<const B: usize>(&self, x: Tensor<f64, B, 3>) -> Tensor<f64, B, 3> {
            let f = |x: Tensor<f64, 3>| {
                if x.sum() > 0.0 {
                    let mut y = x;
                    for _ in range(0, 2) {
                        y = clip(y, 10.0);
                    }
                    y.sum()
                } else {
                    0.0
                }
            };
            grad(|x| vmap(f)(x).sum())(x)
        }

        pub fn again<const B: usize>(
            &self,
            x: Tensor<f64, B, 3>,
        ) -> (Tensor<f64, B, 3>, Tensor<f64, B, 3>, Tensor<f64, B, 3>) {
            let f = |x: Tensor<f64, 3>| (x * x).sin().sum();
            let again = |x| checkpoint(f)(x);
            let all = grad(|x| vmap(again)(x).sum())(x);
            let outside = grad(|x| checkpoint(|x| vmap(f)(x))(x).sum())(x);
            (all, vmap(grad(again))(x), outside)
        }
    }
}

fn rows() -> Array2<f64> {
    array![[-3.0, 0.5, 2.0], [1.0, -0.25, 4.0]]
}

#[test]
fn rules_hold() {
    let program = rules::Rules::load(&Device::open("local-sync").unwrap()).unwrap();
    let x = rows();
    let (each, all, change) = program.forwards(&x).unwrap();
    assert_eq!(each.to_array().unwrap(), &x * 6.0);
    assert_eq!(all.to_array().unwrap(), &x * 6.0);
    assert_eq!(change.to_array().unwrap(), &x * 6.0);
    let (dx, dl, each, each_l) = program.backwards(&x, 1.0).unwrap();
    let expected = x.mapv(|x: f64| x.clamp(-1.0, 1.0) * x);
    assert_eq!(dx.to_array().unwrap(), expected);
    assert_eq!(each.to_array().unwrap(), expected);
    assert_eq!(dl.to_scalar().unwrap(), x.sum());
    let sums: Array1<f64> = x.rows().into_iter().map(|row| row.sum()).collect();
    assert_eq!(each_l.to_array().unwrap(), sums);
    let pairs = x.clone().insert_axis(ndarray::Axis(0));
    let slope = program.of_pairs(&pairs).unwrap().to_array().unwrap();
    assert_eq!(slope, &pairs * 6.0);
    // The first row does not get there. Each round multiplies with what it was given: x, and then 2 x + 10.
    let slope = program.in_branches(&x).unwrap().to_array().unwrap();
    let expected = x.mapv(|x: f64| (2.0 * x + 10.0).clamp(-10.0, 10.0) * x);
    assert_eq!(slope.row(0), array![0.0, 0.0, 0.0]);
    assert_eq!(slope.row(1), expected.row(1));
}

#[test]
fn computed_again() {
    let program = rules::Rules::load(&Device::open("local-sync").unwrap()).unwrap();
    let x = rows();
    let expected = x.mapv(|x: f64| (x * x).cos() * x * 2.0);
    let (all, each, outside) = program.again(&x).unwrap();
    for found in [all, each, outside] {
        let difference = found.to_array().unwrap() - &expected;
        assert!(difference.mapv(f64::abs).sum() < 1e-12);
    }
}
