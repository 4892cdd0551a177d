//! What is computed again has the same derivatives.

use crate::check::Check;
use iree_dsl::prelude::*;
use ndarray::{Array2, Ix1, Ix2};

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

#[program]
mod memory {
    pub struct Memory;

    #[kernel]
    fn block(x: Tensor<f32, 256, 64>, w: Tensor<f32, 64, 512>) -> Tensor<f32, 256, 64> {
        x.matmul(w).tanh().sin().matmul(w.t()) * 0.05
    }

    #[kernel]
    fn blocks(
        x: Tensor<f32, 256, 64>,
        w: Tensor<f32, 64, 512>,
        block: impl Fn(Tensor<f32, 256, 64>, Tensor<f32, 64, 512>) -> Tensor<f32, 256, 64>,
    ) -> Tensor<f32> {
        let mut x = x;
        for _ in 0..8 {
            x = block(x, w);
        }
        x.sum()
    }

    impl Memory {
        pub fn kept(
            &self,
            x: Tensor<f32, 256, 64>,
            w: Tensor<f32, 64, 512>,
        ) -> (Tensor<f32, 256, 64>, Tensor<f32, 64, 512>) {
            grad::<0, 1>(|x, w| blocks(x, w, block))(x, w)
        }

        pub fn computed_again(
            &self,
            x: Tensor<f32, 256, 64>,
            w: Tensor<f32, 64, 512>,
        ) -> (Tensor<f32, 256, 64>, Tensor<f32, 64, 512>) {
            grad::<0, 1>(|x, w| blocks(x, w, checkpoint(block)))(x, w)
        }
    }
}

/// What a call needs beside what is there before it, in bytes, and what it returns.
fn needed<R>(device: &Device, call: impl FnOnce() -> R) -> (usize, R) {
    let before = device.memory();
    let result = call();
    let after = device.memory();
    assert!(after.peak > before.peak, "{before:?} {after:?}");
    (after.peak - before.live, result)
}

#[test]
fn blocks_that_are_computed_again_need_less_memory() {
    let x = Array2::from_shape_fn((256, 64), |(i, j)| ((i * 7 + j * 3) % 11) as f32 * 0.1);
    let w = Array2::from_shape_fn((64, 512), |(i, j)| ((i * 5 + j) % 13) as f32 * 0.01 - 0.06);
    let load = || {
        let device = Device::open("local-sync").unwrap();
        let program = memory::Memory::load(&device).unwrap();
        (device, program)
    };
    let (device, program) = load();
    let (kept, expected) = needed(&device, || program.kept(&x, &w).unwrap());
    let (device, program) = load();
    let (again, found) = needed(&device, || program.computed_again(&x, &w).unwrap());
    let distance = |a: DeviceArray<f32, Ix2>, b: DeviceArray<f32, Ix2>| {
        let (a, b) = (a.to_array().unwrap(), b.to_array().unwrap());
        (&a - &b).mapv(f32::abs).sum() / a.mapv(f32::abs).sum()
    };
    assert!(distance(expected.0, found.0) < 1e-5);
    assert!(distance(expected.1, found.1) < 1e-5);
    eprintln!("{kept} bytes kept, {again} computed again");
    assert!(again * 2 < kept, "{again} {kept}");
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
