//! The derivatives of all elements.

use crate::check::Check;
use iree_dsl::prelude::*;
use ndarray::{Ix1, Ix2};

#[program]
mod jacobian {
    pub struct Jacobian;

    #[kernel]
    fn waves<const N: usize>(x: Tensor<f64, N, 3>, w: Tensor<f64, 3, 2>) -> Tensor<f64, N, 2> {
        x.dot(w).sin() * x.sum()
    }

    #[kernel]
    fn walk<const N: usize>(xs: Tensor<f64, N, 3>) -> Tensor<f64, 3> {
        let (last, _) = scan(ones::<f64, 3>(), xs, |h, x| ((h * x).tanh(), h));
        last
    }

    impl Jacobian {
        pub fn reverse<const N: usize>(
            &self,
            x: Tensor<f64, N, 3>,
            w: Tensor<f64, 3, 2>,
        ) -> Tensor<f64, N, 2, N, 3> {
            jacrev(waves)(x, w)
        }

        pub fn forward<const N: usize>(
            &self,
            x: Tensor<f64, N, 3>,
            w: Tensor<f64, 3, 2>,
        ) -> Tensor<f64, N, 2, N, 3> {
            jacfwd(waves)(x, w)
        }

        pub fn static_forward(
            &self,
            x: Tensor<f64, 4, 3>,
            w: Tensor<f64, 3, 2>,
        ) -> Tensor<f64, 4, 2, 4, 3> {
            let derivative = jacfwd::<0>(waves);
            derivative(x, w)
        }

        pub fn hessian<const N: usize>(&self, x: Tensor<f64, N>) -> Tensor<f64, N, N> {
            hessian(|x| x.sin().exp().prod())(x)
        }

        pub fn backwards_twice<const N: usize>(&self, x: Tensor<f64, N>) -> Tensor<f64, N, N> {
            jacrev(grad(|x| x.sin().exp().prod()))(x)
        }

        pub fn pair<const N: usize>(
            &self,
            x: Tensor<f64, N>,
        ) -> (
            Tensor<f64, N, N, N>,
            Tensor<f64, N>,
            Tensor<f64, N, N, N>,
            Tensor<f64, N>,
        ) {
            let f = |x| (x.outer(x), x.sum());
            let ((b, a), (d, c)) = (jacrev(f)(x), jacfwd(f)(x));
            (b, a, d, c)
        }

        pub fn of_loops<const N: usize>(
            &self,
            x: Tensor<f64, N, 3>,
        ) -> (Tensor<f64, 3, N, 3>, Tensor<f64, 3, N, 3>) {
            (jacrev(walk)(x), jacfwd(walk)(x))
        }
    }
}

#[test]
fn all_elements() {
    let device = Device::open("local-sync").unwrap();
    let program = jacobian::Jacobian::load(&device).unwrap();
    let mut check = Check::new("derivatives", "f64");
    let (x, w) = (check.input::<f64, Ix2>("x"), check.input::<f64, Ix2>("w"));
    let long = check.input::<f64, Ix1>("long");
    check.result("jacobian", program.reverse(&x, &w));
    check.result("jacobian", program.forward(&x, &w));
    check.result("jacobian", program.static_forward(&x, &w));
    check.conditioned("hessian", 10.0, program.hessian(&long));
    check.conditioned("hessian", 10.0, program.backwards_twice(&long));
    let (b, a, d, c) = program.pair(&long).unwrap();
    check.result("jacobian.b", Ok(b));
    check.result("jacobian.a", Ok(a));
    check.result("jacobian.b", Ok(d));
    check.result("jacobian.a", Ok(c));
    let (backwards, forwards) = program.of_loops(&x).unwrap();
    check.conditioned("jacobian.walk", 4.0, Ok(backwards));
    check.conditioned("jacobian.walk", 4.0, Ok(forwards));
    check.finish();
}
