//! Loops of which few iterations are kept: the same derivatives, in less memory.

use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, Ix1};

#[program]
mod bounded {
    pub struct Bounded {
        #[global]
        calls: Tensor<i32>,
    }

    #[kernel]
    fn step(x: Tensor<f64, 3>, w: Tensor<f64, 3>) -> Tensor<f64, 3> {
        (x * w).sin() + x * 0.5
    }

    impl Bounded {
        /// As it is, and with so few that iterations run again several times.
        pub fn in_fori<const N: usize>(
            &self,
            x: Tensor<f64, 3>,
            w: Tensor<f64, 3>,
            size: Tensor<f64, N>,
        ) -> ([Tensor<f64, 3>; 4], [Tensor<f64, 3>; 4]) {
            let all = grad::<0, 1>(|x, w| fori(N, x, |i, x| step(x, w) + i as f64 * 0.01).sum());
            let two = grad::<0, 1>(|x, w| {
                fori(N, x, checkpoint::<2>(|i, x| step(x, w) + i as f64 * 0.01)).sum()
            });
            let one = grad::<0, 1>(|x, w| {
                checkpoint::<1>(|x, w| fori(N, x, |i, x| step(x, w) + i as f64 * 0.01).sum())(x, w)
            });
            let many = grad::<0, 1>(|x, w| {
                fori(N, x, checkpoint::<40>(|i, x| step(x, w) + i as f64 * 0.01)).sum()
            });
            let (a, b, c, d) = (all(x, w), two(x, w), one(x, w), many(x, w));
            ([a.0, b.0, c.0, d.0], [a.1, b.1, c.1, d.1])
        }

        pub fn in_scan<const N: usize>(
            &self,
            w: Tensor<f64, 3>,
            xs: Tensor<f64, N, 3>,
        ) -> ([Tensor<f64, 3>; 2], [Tensor<f64, N, 3>; 2]) {
            let plain = |w, xs| {
                let (last, ys) = scan(zeros::<f64, 3>(), xs, |h, x| {
                    let h = step(h, w) + x;
                    (h, h * h)
                });
                (last * w).sum() + ys.sum()
            };
            let few = |w, xs| {
                let round = checkpoint::<3>(|h, x| {
                    let h = step(h, w) + x;
                    (h, h * h)
                });
                let (last, ys) = scan(zeros::<f64, 3>(), xs, round);
                (last * w).sum() + ys.sum()
            };
            let (a, b) = (grad::<0, 1>(plain)(w, xs), grad::<0, 1>(few)(w, xs));
            ([a.0, b.0], [a.1, b.1])
        }

        /// Loops that are written out, of any kind, one in another.
        pub fn written_out(&mut self, x: Tensor<f64, 3>) -> [Tensor<f64, 3>; 2] {
            let walk = |x: Tensor<f64, 3>| {
                let mut y = x;
                for i in range(0, 5) {
                    for _ in range(0, 4) {
                        y = step(y, x);
                        if y.sum() > 2.0 {
                            break;
                        }
                    }
                    y += i as f64 * 0.1;
                }
                y.sum()
            };
            let counted = checkpoint::<2>(|x| {
                self.calls += 1;
                walk(x)
            });
            [grad(walk)(x), grad(counted)(x)]
        }

        /// Nothing but the program tells how often this goes round.
        pub fn to_the_end(&self, x: Tensor<f64>) -> [Tensor<f64>; 2] {
            let root = |x: Tensor<f64>| {
                let mut y = x;
                while (y * y / x - 1.0).abs() > 1e-13 {
                    y = (y + x / y) / 2.0;
                }
                y
            };
            [jvp(root, x, 1.0f64).1, grad(checkpoint::<2>(root))(x)]
        }

        pub fn twice(&self, x: Tensor<f64>) -> [Tensor<f64>; 3] {
            let plain = |x| fori(9, x, |_, y| (y * x).sin() + y);
            let few = |x| fori(9, x, checkpoint::<2>(|_, y| (y * x).sin() + y));
            [
                grad(grad(plain))(x),
                jvp(grad(few), x, 1.0f64).1,
                grad(grad(few))(x),
            ]
        }

        /// Elements that end apart.
        pub fn mapped<const N: usize>(
            &self,
            x: Tensor<f64, N>,
            n: Tensor<i32, N>,
        ) -> [Tensor<f64, N>; 2] {
            let plain = |x: Tensor<f64>, n: Tensor<i32>| fori(n, x, |_, y| (y * x).sin() + y);
            let few = |x: Tensor<f64>, n: Tensor<i32>| checkpoint::<2>(|x| plain(x, n))(x);
            [vmap(grad(plain))(x, n), vmap(grad(few))(x, n)]
        }

        pub fn calls(&self) -> Tensor<i32> {
            self.calls
        }
    }
}

fn load() -> bounded::Bounded {
    bounded::Bounded::load(&Device::open("local-sync").unwrap()).unwrap()
}

fn same<D: ndarray::Dimension, const N: usize>(results: [DeviceArray<f64, D>; N]) {
    let results = results.map(|result| result.to_array().unwrap());
    let size = results[0].fold(1e-3, |size: f64, x| size.max(x.abs()));
    for result in &results {
        let distance = (result - &results[0]).mapv(f64::abs).sum();
        assert!(distance < 1e-13 * size, "{results:?}");
    }
}

fn xs(n: usize) -> Array2<f64> {
    Array2::from_shape_fn((n, 3), |(i, j)| ((i * 5 + j * 3) % 7) as f64 * 0.1 - 0.3)
}

#[test]
fn derivatives_are_the_same_however_few_are_kept() {
    let mut program = load();
    let (x, w): (Array1<f64>, Array1<f64>) = (xs(2).row(1).to_owned(), xs(3).row(2).to_owned());
    for n in [0, 1, 2, 3, 7, 30, 70] {
        let (dx, dw) = program.in_fori(&x, &w, &Array1::zeros(n)).unwrap();
        same(dx);
        same(dw);
    }
    for n in [1, 4, 20, 21] {
        let (dw, dxs) = program.in_scan(&w, &xs(n)).unwrap();
        same(dw);
        same(dxs);
    }
    same(program.written_out(&x).unwrap());
    assert_eq!(program.calls().unwrap().to_scalar().unwrap(), 1);
}

#[test]
fn loops_that_nothing_bounds_have_derivatives_too() {
    let program = load();
    for x in [2.0, 3e6, 1.0] {
        same(program.to_the_end(x).unwrap());
    }
}

#[test]
fn they_are_differentiated_and_mapped_again() {
    let program = load();
    same(program.twice(0.4).unwrap());
    let x = Array1::from_vec(vec![0.1, 0.4, 0.9, -0.3]);
    same(program.mapped(&x, [3, 0, 11, 1]).unwrap());
}

#[program]
mod long {
    pub struct Long;

    #[kernel]
    fn round(x: Tensor<f32, 4096>) -> Tensor<f32, 4096> {
        x + (x * 3.0).sin() * 0.001
    }

    impl Long {
        pub fn kept(&self, x: Tensor<f32, 4096>) -> Tensor<f32, 4096> {
            grad(|x| fori(2000, x, |_, x| round(x)).sum())(x)
        }

        pub fn few(&self, x: Tensor<f32, 4096>) -> Tensor<f32, 4096> {
            grad(|x| fori(2000, x, checkpoint::<16>(|_, x| round(x))).sum())(x)
        }
    }
}

/// What a call needs beside what is there before it, in bytes.
fn needed(
    call: impl Fn(&long::Long) -> iree_dsl::Result<DeviceArray<f32, Ix1>>,
) -> (usize, Array1<f32>) {
    let device = Device::open("local-sync").unwrap();
    let program = long::Long::load(&device).unwrap();
    let before = device.memory().live;
    let result = call(&program).unwrap().to_array().unwrap();
    (device.memory().peak - before, result)
}

#[test]
fn memory_does_not_grow_with_iterations() {
    let x = Array1::from_shape_fn(4096, |i| i as f32 * 1e-3);
    let (kept, expected) = needed(|program| program.kept(&x));
    let (few, found) = needed(|program| program.few(&x));
    eprintln!("{kept} bytes kept, {few} with 16 iterations");
    assert!((&found - &expected).mapv(f32::abs).sum() < 1e-2);
    assert!(few * 20 < kept, "{few} {kept}");
}
