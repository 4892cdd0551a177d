//! What is computed again has the same derivatives.

use crate::check::Check;
use iree_dsl::prelude::*;
use ndarray::{Ix1, Ix2};

#[program]
mod checkpoints {
    pub struct Checkpoints {
        #[global]
        calls: Tensor<i32>,
    }

    #[kernel]
    fn step(w: Tensor<f64, 3, 3>, h: Tensor<f64, 3>, x: Tensor<f64, 3>) -> Tensor<f64, 3> {
        (w.dot(h) + x).tanh()
    }

    #[kernel]
    fn walk<const N: usize>(w: Tensor<f64, 3, 3>, xs: Tensor<f64, N, 3>) -> Tensor<f64> {
        let (last, squares) = scan(zeros::<f64, 3>(), xs, |h, x| {
            checkpoint(|h, x| {
                let h = step(w, h, x);
                (h, h * h)
            })(h, x)
        });
        last.sum() + squares.sum()
    }

    impl Checkpoints {
        pub fn walk<const N: usize>(
            &self,
            w: Tensor<f64, 3, 3>,
            xs: Tensor<f64, N, 3>,
        ) -> (Tensor<f64, 3, 3>, Tensor<f64, N, 3>) {
            grad::<0, 1>(walk)(w, xs)
        }

        pub fn walk_hvp<const N: usize>(
            &self,
            w: Tensor<f64, 3, 3>,
            xs: Tensor<f64, N, 3>,
        ) -> Tensor<f64, 3, 3> {
            jvp(grad(|w| walk(w, xs)), w, w * 0.5).1
        }

        /// Loops and branches are computed again; what a function does besides happens once.
        pub fn thrice(&mut self, x: Tensor<f64, 7>) -> Tensor<f64, 7> {
            let sines = checkpoint(|x: Tensor<f64, 7>| {
                self.calls += 1;
                assert!(x.is_finite().all(), "x is finite");
                if x.sum() < 1e6 {
                    fori(2, x, |_, y| y.sin())
                } else {
                    x.cos()
                }
            });
            grad(|x| sines(x).sin().sum())(x)
        }

        pub fn calls(&self) -> Tensor<i32> {
            self.calls
        }
    }
}

#[test]
fn checkpoints() {
    let device = Device::open("local-sync").unwrap();
    let mut program = checkpoints::Checkpoints::load(&device).unwrap();
    let mut check = Check::new("derivatives", "f64");
    let (w, x) = (
        check.input::<f64, Ix2>("square"),
        check.input::<f64, Ix2>("x"),
    );
    let (slope, xs) = program.walk(&w, &x).unwrap();
    check.conditioned("walk", 4.0, Ok(slope));
    check.conditioned("walk.x", 4.0, Ok(xs));
    check.conditioned("walk.hvp", 16.0, program.walk_hvp(&w, &x));
    check.result("thrice", program.thrice(&check.input::<f64, Ix1>("long")));
    assert_eq!(program.calls().unwrap().to_scalar().unwrap(), 1);
    check.finish();
}
