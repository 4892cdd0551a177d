//! Branches and loops.

use crate::check::Check;
use iree_dsl::prelude::*;
use ndarray::{Ix0, Ix1, Ix2};

#[program]
mod control {
    pub struct Control;

    #[kernel]
    fn polynomial<const N: usize>(c: Tensor<f64, N>, x: Tensor<f64>) -> Tensor<f64> {
        fori(N, 0.0f64, |i, y| y * x + c[i])
    }

    #[kernel]
    fn walk<const N: usize>(w: Tensor<f64, 3, 3>, xs: Tensor<f64, N, 3>) -> Tensor<f64> {
        let (last, squares) = scan(zeros::<f64, 3>(), xs, |h, x| {
            let h = (w.dot(h) + x).tanh();
            (h, h * h)
        });
        last.sum() + squares.sum()
    }

    #[kernel]
    fn until(x: Tensor<f64>, y: Tensor<f64>) -> Tensor<f64> {
        let mut z = x;
        for _ in range(0, 9) {
            z = z * z + y;
            if z > 5.0 {
                break;
            }
        }
        z
    }

    #[kernel]
    fn nested<const N: usize>(x: Tensor<f64, N>) -> Tensor<f64> {
        let mut y = x;
        for i in range(0, 3) {
            for j in range(0, 2) {
                y = if y.sum() > 0.0 {
                    (y * x).sin() + i as f64
                } else {
                    y * 0.5 + j as f64
                };
            }
        }
        (y * y).sum()
    }

    #[kernel]
    fn newton(x: Tensor<f64>) -> Tensor<f64> {
        let mut y = x;
        while (y * y - x).abs() > 1e-12 {
            y = (y + x / y) / 2.0;
        }
        y
    }

    impl Control {
        pub fn root(&self, x: Tensor<f64>) -> Tensor<f64> {
            grad(|x| if x > 0.0 { x.sqrt() } else { 0.0 })(x)
        }

        pub fn polynomial<const N: usize>(
            &self,
            c: Tensor<f64, N>,
            x: Tensor<f64>,
        ) -> (Tensor<f64, N>, Tensor<f64>) {
            grad::<0, 1>(polynomial)(c, x)
        }

        pub fn polynomial_of_five(
            &self,
            c: Tensor<f64, 5>,
            x: Tensor<f64>,
        ) -> (Tensor<f64, 5>, Tensor<f64>) {
            self.polynomial(c, x)
        }

        pub fn curvature<const N: usize>(
            &self,
            c: Tensor<f64, N>,
            x: Tensor<f64>,
        ) -> (Tensor<f64>, Tensor<f64>) {
            let slope = grad(|x| polynomial(c, x));
            let (_, forward) = jvp(slope, x, 1.0f64);
            (grad(slope)(x), forward)
        }

        pub fn walk<const N: usize>(
            &self,
            w: Tensor<f64, 3, 3>,
            xs: Tensor<f64, N, 3>,
        ) -> (Tensor<f64, 3, 3>, Tensor<f64, N, 3>) {
            grad::<0, 1>(walk)(w, xs)
        }

        pub fn walk_of_four(
            &self,
            w: Tensor<f64, 3, 3>,
            xs: Tensor<f64, 4, 3>,
        ) -> (Tensor<f64, 3, 3>, Tensor<f64, 4, 3>) {
            self.walk(w, xs)
        }

        pub fn walk_hvp<const N: usize>(
            &self,
            w: Tensor<f64, 3, 3>,
            xs: Tensor<f64, N, 3>,
        ) -> Tensor<f64, 3, 3> {
            let (_, change) = jvp(grad(|w| walk(w, xs)), w, w * 0.5);
            change
        }

        pub fn until(&self, x: Tensor<f64>, y: Tensor<f64>) -> (Tensor<f64>, Tensor<f64>) {
            grad::<0, 1>(until)(x, y)
        }

        pub fn nested<const N: usize>(&self, x: Tensor<f64, N>) -> Tensor<f64, N> {
            grad(nested)(x)
        }

        /// As often as a number of the program says.
        pub fn powers(&self, x: Tensor<f64>, n: Tensor<i32>) -> (Tensor<f64>, Tensor<f64>) {
            let power = |x: Tensor<f64>| fori(n, 1.0f64, |_, y| y * x);
            let one_less = |x: Tensor<f64>| {
                let mut y = ones::<f64>();
                for _ in range(1, n) {
                    y *= x;
                }
                y
            };
            (grad(power)(x), grad(grad(one_less))(x))
        }

        pub fn newton(&self, x: Tensor<f64>) -> Tensor<f64> {
            jvp(newton, x, 1.0f64).1
        }

        pub fn inclusive(&self, x: Tensor<f64>, n: Tensor<i32>) -> Tensor<f64> {
            let sum = |x| {
                let mut sum = zeros_like(x);
                for k in range(2, 6) {
                    sum += x.powf(k as f64);
                }
                sum
            };
            grad(sum)(x)
        }
    }
}

#[program]
mod mapped {
    pub struct Mapped;

    impl Mapped {
        pub fn mapped<const N: usize>(&self, x: Tensor<f64, N, 3>) -> Tensor<f64, N, 3> {
            grad(|x| map(x, |row| row.exp().sum() * row[0]).prod())(x)
        }
    }
}

use control::Control;

fn program() -> Control {
    Control::load(&Device::open("local-sync").unwrap()).unwrap()
}

#[test]
fn branches() {
    let program = program();
    let mut check = Check::new("derivatives", "f64");
    check.result("positive", program.root(2.0));
    check.result("negative", program.root(-2.0));
    check.result("negative", program.root(0.0));
    let long = check.input::<f64, Ix1>("long");
    check.conditioned("nested", 4.0, program.nested(&long));
    check.finish();
}

#[test]
fn counted_loops() {
    let program = program();
    let mut check = Check::new("derivatives", "f64");
    let c = check.input::<f64, Ix1>("coefficients");
    for (slope, x) in [
        program.polynomial(&c, 0.7).unwrap(),
        program.polynomial_of_five(&c, 0.7).unwrap(),
    ] {
        check.result("polynomial.c", Ok(slope));
        check.result("polynomial.x", Ok(x));
    }
    let (reverse, forward) = program.curvature(&c, 0.7).unwrap();
    check.conditioned("polynomial.xx", 4.0, Ok(reverse));
    check.conditioned("polynomial.xx", 4.0, Ok(forward));
    let (w, x) = (
        check.input::<f64, Ix2>("square"),
        check.input::<f64, Ix2>("x"),
    );
    for (slope, xs) in [
        program.walk(&w, &x).unwrap(),
        program.walk_of_four(&w, &x).unwrap(),
    ] {
        check.conditioned("walk", 4.0, Ok(slope));
        check.conditioned("walk.x", 4.0, Ok(xs));
    }
    check.conditioned("walk.hvp", 16.0, program.walk_hvp(&w, &x));
    let mapped = mapped::Mapped::load(&Device::open("local-sync").unwrap()).unwrap();
    check.conditioned("mapped", 16.0, mapped.mapped(&x));
    check.result("inclusive", program.inclusive(0.7, 5));
    let _ = check.input::<f64, Ix0>("scalar");
    check.finish();
}

#[test]
fn loops_that_are_left() {
    let program = program();
    let mut check = Check::new("derivatives", "f64");
    let (x, y) = program.until(0.9, 0.8).unwrap();
    check.conditioned("until.x", 4.0, Ok(x));
    check.conditioned("until.y", 4.0, Ok(y));
    check.result("newton", program.newton(3.0));
    let (slope, curvature) = program.powers(2.0, 5).unwrap();
    // Of x⁵, and twice of x⁴.
    assert_eq!(slope.to_scalar().unwrap(), 80.0);
    assert_eq!(curvature.to_scalar().unwrap(), 48.0);
    let (slope, _) = program.powers(2.0, 0).unwrap();
    assert_eq!(slope.to_scalar().unwrap(), 0.0);
    check.finish();
}
