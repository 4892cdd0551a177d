//! Batches, derivatives and batches of derivatives in each other.

use crate::check::Check;
use iree_dsl::prelude::*;
use ndarray::{Axis, Ix1, Ix2, Ix3};

#[program]
mod nested {
    pub struct Nested;

    impl Nested {
        pub fn hessians<const B: usize>(
            &self,
            x: Tensor<f64, B, 3>,
            s: Tensor<f64, 3, 3>,
        ) -> Tensor<f64, B, 3, 3> {
            vmap(hessian(|x: Tensor<f64, 3>| {
                x.sin().prod() + x.dot(s).dot(x)
            }))(x)
        }

        pub fn jacobians<const B: usize>(
            &self,
            x: Tensor<f64, B, 3>,
            w: Tensor<f64, 3, 2>,
        ) -> (Tensor<f64, B, 2, 3>, Tensor<f64, B, 2, 3>) {
            let f = |x: Tensor<f64, 3>| x.dot(w).tanh();
            (vmap(jacrev(f))(x), vmap(jacfwd(f))(x))
        }

        pub fn hessian_of_batch<const B: usize>(
            &self,
            x: Tensor<f64, B, 3>,
            w: Tensor<f64, 3>,
        ) -> Tensor<f64, 3, 3> {
            hessian(|w: Tensor<f64, 3>| {
                let y = vmap(|x| x.dot(w).tanh())(x);
                (y * y).sum()
            })(w)
        }

        pub fn directions<const B: usize>(
            &self,
            x: Tensor<f64, B, 3>,
            s: Tensor<f64, 3, 3>,
        ) -> Tensor<f64, B> {
            let f = |x: Tensor<f64, 3>| x.sin().prod() + x.dot(s).dot(x);
            let first = x[0];
            vmap(|v| jvp(f, first, v).1)(x)
        }

        pub fn pulled<const B: usize>(
            &self,
            x: Tensor<f64, B, 3>,
            w: Tensor<f64, 3, 2>,
        ) -> Tensor<f64, B, 3> {
            let (_, back) = vjp(|x: Tensor<f64, 3>| x.dot(w).tanh(), x[0]);
            vmap(back)(x.dot(w))
        }

        pub fn pairwise<const B: usize>(
            &self,
            x: Tensor<f64, B, 3>,
        ) -> (Tensor<f64, B, B>, Tensor<f64, B, 3>) {
            let near = |a: Tensor<f64, 3>, b: Tensor<f64, 3>| {
                let d = a - b;
                (-(d * d).sum()).exp()
            };
            let all = |x: Tensor<f64, B, 3>| vmap(|a| vmap(|b| near(a, b))(x))(x);
            (all(x), grad(|x| all(x).sin().sum())(x))
        }

        /// By several arguments, of trees, with all sizes of the call.
        pub fn by_all<const B: usize, const N: usize>(
            &self,
            x: Tensor<f64, B, N>,
            w: (Tensor<f64, N>, Tensor<f64>),
        ) -> [(
            (Tensor<f64, B, B, N>, (Tensor<f64, B, N>, Tensor<f64, B>)),
            (Tensor<f64, B, N>, (Tensor<f64, N>, Tensor<f64>)),
        ); 2] {
            let f = |x: Tensor<f64, B, N>, w: (Tensor<f64, N>, Tensor<f64>)| {
                let y = (x * w.0).sum_axis(1).sin() * w.1;
                (y, (y * y).sum())
            };
            [jacfwd::<0, 1>(f)(x, w), jacrev::<0, 1>(f)(x, w)]
        }

        pub fn inverses(&self, a: Tensor<f64, 4, 3, 3>) -> Tensor<f64, 4, 3, 3> {
            vmap(|a: Tensor<f64, 3, 3>| a.inv())(a)
        }

        pub fn spectra<const B: usize>(&self, x: Tensor<f64, B, 3>) -> Tensor<f64, B, 3> {
            vmap(|x: Tensor<f64, 3>| x.fft().abs())(x)
        }

        pub fn softmax<const B: usize>(&self, v: Tensor<f64, B, 3, 2>) -> Tensor<f64, B, 3, 2> {
            vmap(|v: Tensor<f64, 3, 2>| v.log_softmax(0).cumsum(1))(v)
        }

        pub fn padded<const B: usize>(
            &self,
            x: Tensor<f64, B, 3>,
            p: Tensor<f64, B>,
        ) -> Tensor<f64, B, 7> {
            vmap(|x: Tensor<f64, 3>, p| pad!(x, low = [1], high = [1], interior = [1], value = p))(
                x, p,
            )
        }

        pub fn mixed<const B: usize>(
            &self,
            x: Tensor<f64, B>,
            y: Tensor<f64, B>,
            w: Tensor<f64>,
        ) -> Tensor<f64, B> {
            vmap(|x: Tensor<f64>, y: Tensor<f64>| {
                let larger = if x > y { x } else { w };
                larger * y.maximum(0.0)
            })(x, y)
        }
    }
}

fn near<D: ndarray::Dimension>(x: DeviceArray<f64, D>, y: DeviceArray<f64, D>) {
    let (x, y) = (x.to_array().unwrap(), y.to_array().unwrap());
    assert_eq!(x.shape(), y.shape());
    let near = |(x, y): (&f64, &f64)| (x - y).abs() < 1e-12 * (1.0 + x.abs());
    assert!(x.iter().zip(&y).all(near), "{x} for {y}");
}

#[test]
fn in_each_other() {
    let program = nested::Nested::load(&Device::open("local-sync").unwrap()).unwrap();
    let mut check = Check::new("batches", "f64");
    let (x, w) = (check.input::<f64, Ix2>("x"), check.input::<f64, Ix2>("w"));
    let s = check.input::<f64, Ix2>("square");
    let (v, long) = (
        check.input::<f64, Ix3>("v"),
        check.input::<f64, Ix1>("long"),
    );
    check.conditioned("hessians", 4.0, program.hessians(&x, &s));
    let (backwards, forwards) = program.jacobians(&x, &w).unwrap();
    check.conditioned("jacobians", 4.0, Ok(backwards));
    check.conditioned("jacobians", 4.0, Ok(forwards));
    let first = w.column(0).to_owned();
    check.conditioned(
        "hessian.of.batch",
        8.0,
        program.hessian_of_batch(&x, &first),
    );
    check.conditioned("directions", 4.0, program.directions(&x, &s));
    check.conditioned("pulled", 4.0, program.pulled(&x, &w));
    let (value, slope) = program.pairwise(&x).unwrap();
    check.conditioned("pairwise", 4.0, Ok(value));
    check.conditioned("pairwise.grad", 8.0, Ok(slope));
    let w0 = w.column(0).to_owned();
    for (x, w) in [
        (x.clone(), w0.clone()),
        (x.slice(ndarray::s![..0, ..]).to_owned(), w0),
    ] {
        let [forwards, backwards] = program.by_all(&x, (&w, 0.5)).unwrap();
        let ((fx, (fw, fs)), (gx, (gw, gs))) = forwards;
        let ((bx, (bw, bs)), (hx, (hw, hs))) = backwards;
        near(fx, bx);
        near(fw, bw);
        near(fs, bs);
        near(gx, hx);
        near(gw, hw);
        near(gs, hs);
    }
    let squares: Vec<_> = v
        .axis_iter(Axis(0))
        .map(|v| (v.dot(&v.t()) + ndarray::Array2::<f64>::eye(3)).insert_axis(Axis(0)))
        .collect();
    let views: Vec<_> = squares.iter().map(|a| a.view()).collect();
    let squares = ndarray::concatenate(Axis(0), &views).unwrap();
    check.conditioned("inverses", 100.0, program.inverses(&squares));
    check.conditioned("spectra", 4.0, program.spectra(&x));
    check.conditioned("softmax", 4.0, program.softmax(&v));
    check.result("padded", program.padded(&x, &long));
    let column = x.column(0).to_owned();
    check.result("mixed", program.mixed(&column, &long, w[[0, 0]]));
    check.finish();
}
