//! Functions with a corner, and smooth ones that are computed in two pieces, where the pieces meet.

use iree_dsl::prelude::*;
use ndarray::array;

#[program]
mod corners {
    pub struct Corners;

    impl Corners {
        pub fn softplus(&self, x: Tensor<f64>) -> (Tensor<f64>, Tensor<f64>, Tensor<f64>) {
            let first = grad(|x| x.softplus());
            let second = grad(first);
            (first(x), second(x), grad(second)(x))
        }

        /// A Newton step of a logistic regression from zero.
        pub fn newton(&self, x: Tensor<f64, 4, 2>, y: Tensor<f64, 4>) -> Tensor<f64, 2> {
            let loss = |w: Tensor<f64, 2>| ((x.dot(w)).softplus() - y * x.dot(w)).sum();
            let w = zeros::<f64, 2>();
            -hessian(loss)(w).solve(grad(loss)(w))
        }

        pub fn slopes(
            &self,
            x: Tensor<f64, 3>,
        ) -> (Tensor<f64, 3>, Tensor<f64, 3>, Tensor<f64, 3>) {
            let slopes = (
                grad(|x| x.relu().sum())(x),
                grad(|x| x.abs().sum())(x),
                grad(|x| x.maximum(0.0).sum())(x),
            );
            slopes
        }

        pub fn hypot(&self, x: Tensor<f64>, y: Tensor<f64>) -> (Tensor<f64>, Tensor<f64>) {
            let first = grad(|x| x.hypot(y));
            (first(x), grad(first)(x))
        }

        /// For a batch, at each of its elements.
        pub fn mapped<const N: usize>(
            &self,
            x: Tensor<f64, N>,
            y: Tensor<f64>,
        ) -> [Tensor<f64, N>; 4] {
            let (bend, length) = (|x: Tensor<f64>| x.softplus(), |x: Tensor<f64>| x.hypot(y));
            [
                vmap(grad(bend))(x),
                vmap(grad(grad(bend)))(x),
                vmap(grad(length))(x),
                vmap(grad(grad(length)))(x),
            ]
        }

        pub fn powers(&self, x: Tensor<f64>) -> (Tensor<f64>, Tensor<f64>, Tensor<f64>) {
            let (two, five) = (
                grad(|x: Tensor<f64>| x.powi(-2)),
                grad(|x: Tensor<f64>| x.powi(-5)),
            );
            (two(x), grad(two)(x), five(x))
        }

        pub fn values(&self, x: Tensor<f32, 6>) -> (Tensor<f32, 6>, Tensor<f32, 6>) {
            (x.relu(), x.softplus())
        }
    }
}

fn load() -> corners::Corners {
    corners::Corners::load(&Device::open("local-sync").unwrap()).unwrap()
}

#[test]
fn softplus_is_smooth_at_zero() {
    let program = load();
    for x in [0.0, -0.0, 1e-3, -2.0, 40.0, -800.0, 800.0] {
        let (first, second, third) = program.softplus(x).unwrap();
        let sigmoid = 1.0 / (1.0 + (-x).exp());
        let slope = sigmoid * (1.0 / (1.0 + x.exp()));
        let expected = [sigmoid, slope, slope * (1.0 - 2.0 * sigmoid)];
        for (found, expected) in [first, second, third].into_iter().zip(expected) {
            let found = found.to_scalar().unwrap();
            assert!(
                (found - expected).abs() < 1e-14,
                "at {x}: {found} {expected}"
            );
        }
    }
    // The Hessian is ¼ Xᵀ X, the gradient Xᵀ (½ - y).
    let x = array![[1.0, 0.5], [1.0, -1.0], [1.0, 2.0], [1.0, 0.0]];
    let y = array![1.0, 0.0, 1.0, 0.0];
    let step = program.newton(&x, &y).unwrap().to_array().unwrap();
    let normal = x.t().dot(&x) * 0.25;
    let right = x.t().dot(&(y - 0.5));
    for (found, expected) in normal.dot(&step).iter().zip(&right) {
        assert!((found - expected).abs() < 1e-13, "{found} {expected}");
    }
}

#[test]
fn corners_have_the_slopes_of_convention() {
    let (relu, abs, maximum) = load().slopes([-1.0, 0.0, 2.0]).unwrap();
    assert_eq!(relu.to_array().unwrap(), array![0.0, 0.0, 1.0]);
    assert_eq!(abs.to_array().unwrap(), array![-1.0, 0.0, 1.0]);
    assert_eq!(maximum.to_array().unwrap(), array![0.0, 0.5, 1.0]);
}

#[test]
fn slopes_of_a_batch_are_those_of_its_elements() {
    let program = load();
    let x = array![-2.0, -1.0, -0.5, -0.0, 0.0, 0.5, 1.0, 2.0];
    let sigmoid = x.mapv(|x| 1.0 / (1.0 + f64::exp(-x)));
    for y in [1.0, -1.0] {
        let length = x.mapv(|x: f64| x.hypot(y));
        let expected = [
            sigmoid.clone(),
            &sigmoid * &sigmoid.mapv(|y| 1.0 - y),
            &x / &length,
            length.mapv(|length| length.powi(-3)),
        ];
        for (found, expected) in program.mapped(&x, y).unwrap().iter().zip(&expected) {
            let found = found.to_array().unwrap();
            let distance = (&found - expected).mapv(f64::abs).sum();
            assert!(distance < 1e-14, "{found} for {expected}");
        }
    }
}

/// n·xⁿ⁻¹, which has a sign at 0.
#[test]
fn negative_powers_are_infinitely_steep_at_zero() {
    let program = load();
    let slopes = |x: f64| {
        let (two, again, five) = program.powers(x).unwrap();
        [two, again, five].map(|slope| slope.to_scalar().unwrap())
    };
    let inf = f64::INFINITY;
    assert_eq!(slopes(0.0), [-inf, inf, -inf]);
    assert_eq!(slopes(-0.0), [inf, inf, -inf]);
    assert_eq!(slopes(2.0), [-0.25, 0.375, -5.0 / 64.0]);
}

#[test]
fn values_at_the_ends_are_those_of_ieee() {
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    let (relu, softplus) = load().values([inf, -inf, nan, -0.0, 3.0, -3.0]).unwrap();
    let relu = relu.to_array().unwrap();
    assert_eq!((relu[0], relu[1], relu[4], relu[5]), (inf, 0.0, 3.0, 0.0));
    assert!(relu[2].is_nan() && relu[3] == 0.0);
    let softplus = softplus.to_array().unwrap();
    assert_eq!((softplus[0], softplus[1]), (inf, 0.0));
    assert!(softplus[2].is_nan() && (softplus[3] - 2.0_f32.ln()).abs() < 1e-7);
}

#[test]
fn the_hypotenuse_is_smooth_where_its_sides_are_equal() {
    let program = load();
    for (x, y) in [
        (0.0, 1.0),
        (1.0, 1.0),
        (-1.0, 1.0),
        (2.0, -2.0),
        (3.0, 4.0),
        (-4.0, 3.0),
    ] {
        let (first, second) = program.hypot(x, y).unwrap();
        let (first, second) = (first.to_scalar().unwrap(), second.to_scalar().unwrap());
        let length: f64 = f64::hypot(x, y);
        assert!((first - x / length).abs() < 4e-15, "{x} {y}: {first}");
        assert!(
            (second - y * y / length.powi(3)).abs() < 1e-15,
            "{x} {y}: {second}"
        );
    }
}
