//! Where functions are easily wrong: the points and programs that the tests of other systems for derivatives list.

use iree_dsl::prelude::*;
use ndarray::{Array1, array};

#[program]
mod points {
    pub struct Points;

    impl Points {
        pub fn trigonometry<const N: usize>(&self, x: Tensor<f64, N>) -> [Tensor<f64, N>; 8] {
            [
                vmap(grad(|x: Tensor<f64>| x.sinh()))(x),
                vmap(grad(|x: Tensor<f64>| x.tanh()))(x),
                vmap(grad(|x: Tensor<f64>| x.sin()))(x),
                vmap(grad(|x: Tensor<f64>| x.cos()))(x),
                vmap(grad(|x: Tensor<f64>| x.tan()))(x),
                vmap(grad(|x: Tensor<f64>| (x * 1e-3).asin()))(x),
                vmap(grad(|x: Tensor<f64>| (x * 1e-3).acos()))(x),
                vmap(grad(|x: Tensor<f64>| x.atan()))(x),
            ]
        }

        pub fn others<const N: usize>(&self, x: Tensor<f64, N>) -> [Tensor<f64, N>; 8] {
            [
                vmap(grad(|x: Tensor<f64>| x.asinh()))(x),
                vmap(grad(|x: Tensor<f64>| x.erf()))(x),
                vmap(grad(|x: Tensor<f64>| x.erfc()))(x),
                vmap(grad(|x: Tensor<f64>| x.sigmoid()))(x),
                vmap(grad(|x: Tensor<f64>| x.exp_m1()))(x),
                vmap(grad(|x: Tensor<f64>| x.cbrt()))(x),
                vmap(grad(|x: Tensor<f64>| x.abs()))(x),
                vmap(grad(|x: Tensor<f64>| x.powf(2.0)))(x),
            ]
        }

        /// The softmax cross-entropy of two classes, far from equal.
        pub fn cross_entropy(&self, x: Tensor<f64, 2>) -> (Tensor<f64>, Tensor<f64, 2>) {
            value_and_grad(|x: Tensor<f64, 2>| -x.log_softmax(0)[0])(x)
        }

        /// A product with zeros, and the powers to 0 and of 0.
        pub fn zeros(&self, x: Tensor<f64, 3>) -> (Tensor<f64, 3>, Tensor<f64, 3>, Tensor<f64, 3>) {
            (
                grad(|x| x.prod())(x),
                grad(|x| x.cumprod(0).sum())(x),
                grad(|x: Tensor<f64, 3>| x.powf(0.0).sum() + x.powi(0).sum() + x.powi(3).sum())(x),
            )
        }

        /// A singular matrix.
        pub fn det(&self, x: Tensor<f64, 2, 2>) -> Tensor<f64, 2, 2> {
            grad(|x| x.det())(x)
        }
    }
}

#[program]
mod programs {
    pub struct Programs;

    /// The absolute value of what was rounded down, with the slope of the former.
    #[kernel(jvp = down_jvp)]
    fn down(x: Tensor<f64>, n: Tensor<i32>) -> Tensor<f64> {
        x.floor() + n.cast::<f64>()
    }

    #[kernel]
    fn down_jvp(x: Tensor<f64>, n: Tensor<i32>, dx: Tensor<f64>) -> (Tensor<f64>, Tensor<f64>) {
        (down(x, n), dx * n.cast::<f64>())
    }

    #[kernel]
    fn relaxed(x: Tensor<f64>, steps: Tensor<i32>) -> Tensor<f64> {
        let mut y = x;
        let mut left = steps;
        while left > 0 {
            y = y.sin() * x;
            left -= 1;
        }
        y
    }

    impl Programs {
        /// Rules are followed in loops, branches, batches and checkpoints, and integers have none.
        pub fn ruled(&self, x: Tensor<f64>, n: Tensor<i32>) -> [Tensor<f64>; 5] {
            let line = stack([x, x + 1.0], 0);
            [
                grad(|x| down(x, n))(x),
                grad(|x| fori(3, x, |i, x| down(x, n + i)))(x),
                grad(|x| if x > 0.0 { down(x, n) } else { x })(x),
                vmap(grad(|x| down(x, n)))(line).sum(),
                grad(checkpoint(|x| down(x, n).sin()))(x),
            ]
        }

        /// In whatever order: forward over reverse, reverse over forward, both twice.
        pub fn orders(&self, x: Tensor<f64>) -> [Tensor<f64>; 5] {
            let f = |x: Tensor<f64>| x.sin() * x.exp();
            let slope = |x| jvp(f, x, 1.0f64).1;
            [
                grad(grad(f))(x),
                jvp(grad(f), x, 1.0f64).1,
                grad(slope)(x),
                jvp(slope, x, 1.0f64).1,
                hessian(f)(x),
            ]
        }

        /// What is computed again, in each nesting.
        pub fn again<const N: usize>(&self, x: Tensor<f64, N>) -> [Tensor<f64, N>; 7] {
            let f = |x: Tensor<f64>| x * x * x / (x * x + 1.0);
            let g = checkpoint(f);
            [
                vmap(grad(f))(x),
                vmap(grad(g))(x),
                grad(|x| vmap(g)(x).sum())(x),
                grad(|x| map(x, g).sum())(x),
                grad(checkpoint(|x| vmap(checkpoint(g))(x).sum()))(x),
                vmap(|x| vjp(g, x).1(1.0))(x),
                vmap(grad(checkpoint::<4>(g)))(x),
            ]
        }

        pub fn again_twice<const N: usize>(&self, x: Tensor<f64, N>) -> [Tensor<f64, N>; 4] {
            let f = |x: Tensor<f64>| x * x * x / (x * x + 1.0);
            let g = checkpoint(f);
            [
                vmap(grad(grad(f)))(x),
                vmap(grad(grad(g)))(x),
                vmap(grad(checkpoint(grad(g))))(x),
                vmap(hessian(g))(x),
            ]
        }

        /// Loops: of no iterations, with integers, that read what is around them, in each other.
        pub fn loops<const N: usize>(&self, x: Tensor<f64, N>, y: Tensor<f64>) -> [Tensor<f64>; 5] {
            let sum = |y: Tensor<f64>| {
                let (last, _) = scan((0.0f64, 0i32), x, |(sum, n), x| {
                    ((sum + x * y * n.cast::<f64>(), n + 1), ())
                });
                last.0 + y
            };
            let nested = |y: Tensor<f64>| {
                scan(y, x, |h, x| {
                    let h = fori(2, h, |_, h| (h * x + y).sin());
                    (h, h)
                })
                .1
                .sum()
            };
            let chosen = |y: Tensor<f64>| {
                let (value, slope) = (y * 2.0, y.sin());
                fori(3, y, |i, z| if i < 2 { z * value } else { z + slope })
            };
            [
                grad(sum)(y),
                jvp(sum, y, 1.0f64).1,
                grad(nested)(y),
                jvp(nested, y, 1.0f64).1,
                grad(chosen)(y),
            ]
        }

        /// Forwards through a loop that is not counted, backwards with few iterations kept.
        pub fn uncounted(&self, x: Tensor<f64>, n: Tensor<i32>) -> [Tensor<f64>; 3] {
            [
                jvp(|x| relaxed(x, n), x, 1.0f64).1,
                grad(checkpoint::<3>(|x| relaxed(x, n)))(x),
                grad(|x| fori(n, x, |_, y| y.sin() * x))(x),
            ]
        }

        /// The same argument twice, and one that is captured too.
        pub fn kept_apart(&self, x: Tensor<f64>) -> [Tensor<f64>; 3] {
            let product = |a, b| a * b * b;
            let (da, db) = grad::<0, 1>(product)(x, x);
            [da, db, grad(|y| product(y, x))(x)]
        }
    }
}

fn device() -> Device {
    Device::open("local-sync").unwrap()
}

#[test]
fn slopes_at_special_points() {
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
    let program = points::Points::load(&device()).unwrap();
    let x = array![
        0.0, 1.0, -1.0, 10.0, -10.0, FRAC_PI_4, FRAC_PI_2, PI, 300.0, -300.0
    ];
    let sigmoid = |x: f64| (-x.abs()).exp() / (1.0 + (-x.abs()).exp()).powi(2);
    let bell = |x: f64| (-x * x).exp() * 2.0 / PI.sqrt();
    let below = |x: f64| 1e-3 / (1.0 - x * x * 1e-6).sqrt();
    let expected: [&dyn Fn(f64) -> f64; 16] = [
        &f64::cosh,
        &|x| 1.0 / x.cosh() / x.cosh(),
        &f64::cos,
        &|x| -x.sin(),
        &|x| 1.0 / x.cos() / x.cos(),
        &below,
        &|x| -below(x),
        &|x| 1.0 / (1.0 + x * x),
        &|x| 1.0 / (1.0 + x * x).sqrt(),
        &bell,
        &|x| -bell(x),
        &sigmoid,
        &f64::exp,
        &|x| 1.0 / (3.0 * x.cbrt() * x.cbrt()),
        &|x| if x == 0.0 { 0.0 } else { x.signum() },
        &|x| 2.0 * x,
    ];
    let (trigonometry, others) = (program.trigonometry(&x), program.others(&x));
    let found = trigonometry.unwrap().into_iter().chain(others.unwrap());
    for (index, (found, expected)) in found.zip(expected).enumerate() {
        for (x, found) in x.iter().zip(found.to_array().unwrap()) {
            let expected = expected(*x);
            let is_near = (found - expected).abs() <= 1e-12 * (1.0 + expected.abs());
            assert!(
                found == expected || is_near,
                "{index} at {x}: {found} {expected}"
            );
        }
    }
}

#[test]
fn what_overflows_and_what_is_zero() {
    let program = points::Points::load(&device()).unwrap();
    for (x, loss, slope) in [([1e4, -1e4], 0.0, 0.0), ([-1e4, 1e4], 2e4, 1.0)] {
        let (found, slopes) = program.cross_entropy(x).unwrap();
        assert_eq!(found.to_scalar().unwrap(), loss);
        assert_eq!(slopes.to_array().unwrap(), array![-slope, slope]);
    }
    let (prod, cumprod, powers) = program.zeros([2.0, 0.0, 3.0]).unwrap();
    assert_eq!(prod.to_array().unwrap(), array![0.0, 6.0, 0.0]);
    assert_eq!(cumprod.to_array().unwrap(), array![1.0, 8.0, 0.0]);
    assert_eq!(powers.to_array().unwrap(), array![12.0, 0.0, 27.0]);
    let (prod, ..) = program.zeros([0.0, 0.0, 3.0]).unwrap();
    assert_eq!(prod.to_array().unwrap(), array![0.0, 0.0, 0.0]);
    let slope = program.det([[1.0, 2.0], [2.0, 4.0]]).unwrap();
    assert_eq!(slope.to_array().unwrap(), array![[4.0, -2.0], [-2.0, 1.0]]);
}

fn numbers<const N: usize>(results: [DeviceArray<f64, ndarray::Ix0>; N]) -> [f64; N] {
    results.map(|result| result.to_scalar().unwrap())
}

fn equal(numbers: &[f64], expected: f64) {
    for number in numbers {
        let distance = (number - expected).abs();
        assert!(
            distance < 1e-13 * (1.0 + expected.abs()),
            "{numbers:?} for {expected}"
        );
    }
}

#[test]
fn programs_in_each_nesting() {
    let program = programs::Programs::load(&device()).unwrap();
    let ruled = numbers(program.ruled(0.7, 3).unwrap());
    let expected = [3.0, 60.0, 3.0, 6.0, 3.0_f64.cos() * 3.0];
    for (found, expected) in ruled.iter().zip(expected) {
        equal(&[*found], expected);
    }
    let x: f64 = 0.4;
    equal(
        &numbers(program.orders(x).unwrap()),
        2.0 * x.cos() * x.exp(),
    );

    let xs = Array1::from_vec(vec![0.3, -1.2, 2.0]);
    let same = |results: &[DeviceArray<f64, ndarray::Ix1>]| {
        let first = results[0].to_array().unwrap();
        for result in results {
            let distance = (result.to_array().unwrap() - &first).mapv(f64::abs).sum();
            assert!(distance < 1e-13, "{distance}");
        }
    };
    same(&program.again(&xs).unwrap());
    same(&program.again_twice(&xs).unwrap());

    for xs in [Array1::zeros(0), xs] {
        let [back, forth, nested, nested_forth, chosen] = numbers(program.loops(&xs, 0.6).unwrap());
        let sum: f64 = xs.iter().zip([0.0, 1.0, 2.0]).map(|(x, n)| x * n).sum();
        equal(&[back, forth], 1.0 + sum);
        equal(&[nested], nested_forth);
        // 4 y³ + sin y.
        equal(&[chosen], 12.0 * 0.36 + 0.6_f64.cos());
    }
    for n in [0, 1, 9] {
        let [forth, back, counted] = numbers(program.uncounted(0.8, n).unwrap());
        equal(&[back, counted], forth);
    }
    let [da, db, captured] = numbers(program.kept_apart(3.0).unwrap());
    assert_eq!([da, db, captured], [9.0, 18.0, 9.0]);
}
