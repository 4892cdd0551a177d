//! Operations of which some operands differ from element to element, with sizes of the call and known ones.

use crate::check::Check;
use iree_dsl::prelude::*;
use ndarray::{Ix1, Ix2, Ix3, Ix4, Ix5};

#[program]
mod dots {
    pub struct Dots;

    impl Dots {
        pub fn shared<const B: usize>(
            &self,
            x: Tensor<f64, B, 3>,
            w: Tensor<f64, 3, 2>,
        ) -> Tensor<f64, B, 2> {
            vmap(|x| x.dot(w))(x)
        }

        pub fn left(&self, v: Tensor<f64, 4, 3, 2>, s: Tensor<f64, 3, 3>) -> Tensor<f64, 4, 3, 2> {
            vmap(|v| s.matmul(v))(v)
        }

        pub fn pairs<const B: usize>(
            &self,
            x: Tensor<f64, B, 3>,
            v: Tensor<f64, B, 3, 2>,
        ) -> Tensor<f64, B, 2> {
            vmap(|x, v| x.dot(v))(x, v)
        }

        pub fn right(&self, x: Tensor<f64, 4, 3>, s: Tensor<f64, 3, 3>) -> Tensor<f64, 4, 3> {
            vmap(|x| s.dot(x))(x)
        }

        pub fn inner<const B: usize>(&self, x: Tensor<f64, B, 3>) -> Tensor<f64, B> {
            vmap(|x| x.dot(x))(x)
        }

        pub fn slope<const B: usize>(
            &self,
            x: Tensor<f64, B, 3>,
            v: Tensor<f64, B, 3, 2>,
            w: Tensor<f64, 3, 2>,
        ) -> Tensor<f64, 3, 2> {
            grad(|w: Tensor<f64, 3, 2>| {
                let y = vmap(|x, v| x.dot(w).tanh() * v.sum())(x, v);
                (y * y).sum()
            })(w)
        }
    }
}

#[test]
fn products() {
    let program = dots::Dots::load(&Device::open("local-sync").unwrap()).unwrap();
    let mut check = Check::new("batches", "f64");
    let (x, w) = (check.input::<f64, Ix2>("x"), check.input::<f64, Ix2>("w"));
    let (v, s) = (
        check.input::<f64, Ix3>("v"),
        check.input::<f64, Ix2>("square"),
    );
    check.result("dot.shared", program.shared(&x, &w));
    check.result("dot.left", program.left(&v, &s));
    check.result("dot.pairs", program.pairs(&x, &v));
    check.result("dot.right", program.right(&x, &s));
    check.result("dot.inner", program.inner(&x));
    check.conditioned("dot.grad", 4.0, program.slope(&x, &v, &w));
    check.finish();
}

#[program]
mod windows {
    pub struct Windows;

    #[kernel]
    fn convolved(x: Tensor<f64, 5, 6, 2>, k: Tensor<f64, 2, 3, 2, 3>) -> Tensor<f64, 3, 6, 3> {
        conv!(
            x.reshape([1, 5, 6, 2]),
            k,
            strides = [2, 1],
            padding = "same"
        )[0]
    }

    impl Windows {
        pub fn images<const B: usize>(
            &self,
            x: Tensor<f64, B, 5, 6, 2>,
            k: Tensor<f64, 2, 3, 2, 3>,
        ) -> Tensor<f64, B, 3, 6, 3> {
            vmap(|x| convolved(x, k))(x)
        }

        pub fn kernels<const B: usize>(
            &self,
            x: Tensor<f64, 5, 6, 2>,
            k: Tensor<f64, B, 2, 3, 2, 3>,
        ) -> Tensor<f64, B, 3, 6, 3> {
            vmap(|k| convolved(x, k))(k)
        }

        pub fn pairs(
            &self,
            x: Tensor<f64, 4, 5, 6, 2>,
            k: Tensor<f64, 4, 2, 3, 2, 3>,
        ) -> Tensor<f64, 4, 3, 6, 3> {
            vmap(convolved)(x, k)
        }

        pub fn as_many_pairs<const B: usize>(
            &self,
            x: Tensor<f64, B, 5, 6, 2>,
            k: Tensor<f64, B, 2, 3, 2, 3>,
        ) -> Tensor<f64, B, 3, 6, 3> {
            vmap(convolved)(x, k)
        }

        pub fn slopes(
            &self,
            x: Tensor<f64, 4, 5, 6, 2>,
            k: Tensor<f64, 4, 2, 3, 2, 3>,
        ) -> (Tensor<f64, 4, 5, 6, 2>, Tensor<f64, 4, 2, 3, 2, 3>) {
            grad::<0, 1>(|x, k| vmap(convolved)(x, k).sin().sum())(x, k)
        }

        pub fn pool<const B: usize>(&self, x: Tensor<f64, B, 5, 6, 2>) -> Tensor<f64, B, 4, 5, 2> {
            vmap(|x: Tensor<f64, 5, 6, 2>| {
                max_pool!(x.reshape([1, 5, 6, 2]), window = [2, 2], strides = [1, 1])[0]
            })(x)
        }
    }
}

#[test]
fn convolutions() {
    let program = windows::Windows::load(&Device::open("local-sync").unwrap()).unwrap();
    let mut check = Check::new("batches", "f64");
    let x = check.input::<f64, Ix4>("images");
    let k = check.input::<f64, Ix5>("kernels");
    let first = |axis| ndarray::Axis(axis);
    let (x0, k0) = (
        x.index_axis(first(0), 0).to_owned(),
        k.index_axis(first(0), 0).to_owned(),
    );
    check.result("conv.images", program.images(&x, &k0));
    check.result("conv.kernels", program.kernels(&x0, &k));
    check.result("conv.pairs", program.pairs(&x, &k));
    check.result("conv.pairs", program.as_many_pairs(&x, &k));
    let (dx, dk) = program.slopes(&x, &k).unwrap();
    check.conditioned("conv.grad.images", 8.0, Ok(dx));
    check.conditioned("conv.grad.kernels", 8.0, Ok(dk));
    check.result("pool", program.pool(&x));
    check.finish();
}

#[program]
mod places {
    pub struct Places;

    impl Places {
        pub fn window<const B: usize>(
            &self,
            x: Tensor<f64, B, 3>,
            i: Tensor<i32, B>,
        ) -> Tensor<f64, B, 2> {
            vmap(|x: Tensor<f64, 3>, i| x.dynamic_slice([i], [2]))(x, i)
        }

        pub fn window_of_one<const B: usize>(
            &self,
            x: Tensor<f64, 3>,
            i: Tensor<i32, B>,
        ) -> Tensor<f64, B, 2> {
            vmap(|i| x.dynamic_slice([i], [2]))(i)
        }

        pub fn put<const B: usize>(
            &self,
            x: Tensor<f64, B, 3>,
            i: Tensor<i32, B>,
        ) -> Tensor<f64, B, 3> {
            vmap(|x: Tensor<f64, 3>, i| {
                let mut y = x;
                y[i.clamp(0, 2)] = x[0] * 10.0;
                y
            })(x, i)
        }

        pub fn rows<const B: usize>(
            &self,
            v: Tensor<f64, B, 3, 2>,
            i: Tensor<i32, B, 2>,
        ) -> Tensor<f64, B, 2, 2> {
            vmap(|v: Tensor<f64, 3, 2>, i| v.take(i, 0))(v, i)
        }

        pub fn rows_of_one<const B: usize>(
            &self,
            s: Tensor<f64, 3, 3>,
            i: Tensor<i32, B, 2>,
        ) -> Tensor<f64, B, 2, 3> {
            vmap(|i| s.take(i, 0))(i)
        }

        pub fn added<const B: usize>(
            &self,
            x: Tensor<f64, B, 3>,
            i: Tensor<i32, B, 2>,
        ) -> Tensor<f64, B, 3> {
            vmap(|x: Tensor<f64, 3>, i| x.scatter_add(i, tensor([1.0, 10.0]), 0))(x, i)
        }

        pub fn sorted<const B: usize>(&self, x: Tensor<f64, B, 3>) -> Tensor<f64, B, 3> {
            vmap(|x: Tensor<f64, 3>| (x * 5.0).sin().sort(0))(x)
        }

        pub fn slopes(
            &self,
            x: Tensor<f64, 4, 3>,
            s: Tensor<f64, 3, 3>,
            lookups: Tensor<i32, 4, 2>,
            i: Tensor<i32, 4>,
        ) -> (Tensor<f64, 3, 3>, Tensor<f64, 4, 3>, Tensor<f64, 4, 3>) {
            let rows = |s: Tensor<f64, 3, 3>| vmap(|i| s.take(i, 0))(lookups).sin().sum();
            let windows = |x: Tensor<f64, 4, 3>| {
                vmap(|x: Tensor<f64, 3>, i| x.dynamic_slice([i], [2]))(x, i)
                    .sin()
                    .sum()
            };
            let sorted = |y: Tensor<f64, 4, 3>| {
                (vmap(|x: Tensor<f64, 3>| (x * 5.0).sin().sort(0))(y) * x).sum()
            };
            (grad(rows)(s), grad(windows)(x), grad(sorted)(x))
        }
    }
}

#[test]
fn lookups() {
    let program = places::Places::load(&Device::open("local-sync").unwrap()).unwrap();
    let mut check = Check::new("batches", "f64");
    let (x, s) = (
        check.input::<f64, Ix2>("x"),
        check.input::<f64, Ix2>("square"),
    );
    let v = check.input::<f64, Ix3>("v");
    let (i, j) = (
        check.input::<i32, Ix1>("places"),
        check.input::<i32, Ix2>("lookups"),
    );
    check.result("window", program.window(&x, &i));
    check.result(
        "window.shared",
        program.window_of_one(&s.row(0).to_owned(), &i),
    );
    check.result("put", program.put(&x, &i));
    check.result("rows", program.rows(&v, &j));
    check.result("rows.shared", program.rows_of_one(&s, &j));
    check.result("added", program.added(&x, &j));
    check.result("sorted", program.sorted(&x));
    let (rows, windows, sorted) = program.slopes(&x, &s, &j, &i).unwrap();
    check.result("rows.grad", Ok(rows));
    check.result("window.grad", Ok(windows));
    check.conditioned("sorted.grad", 4.0, Ok(sorted));
    check.finish();
}
