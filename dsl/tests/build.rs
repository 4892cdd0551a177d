//! Constructors, and elementwise operations that have no values of their own to compare with an oracle.

use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, array};

#[program]
mod building {
    pub struct Building;

    impl Building {
        pub fn diagonals(&self, x: Tensor<i32, 3, 3>) -> [Tensor<i32, 3, 3>; 4] {
            [eye(), x.tri_lower(), x.tri_upper(), x.tri_upper(1)]
        }

        pub fn sequences(&self, last: Tensor<f32>) -> [Tensor<f32, 5>; 3] {
            [arange(), linspace(-1.0, last), linspace::<f32, 5>(2.0, 3.0)]
        }

        pub fn bounded(&self, x: Tensor<f32, 3>, high: Tensor<f32>) -> [Tensor<f32, 3>; 3] {
            [
                x.clamp(-1.0, high),
                x.mul_add(x, 1.0),
                x.to_bits().from_bits::<f32>().stop_gradient(),
            ]
        }

        pub fn bits(&self, x: Tensor<f64, 2>) -> Tensor<u64, 2> {
            x.to_bits()
        }

        pub fn complex(&self, x: Tensor<f32>, y: Tensor<f32>) -> Tensor<Complex<f32>> {
            complex(x, y)
        }

        pub fn truth(&self, a: Tensor<bool>, b: Tensor<bool>) -> [Tensor<bool>; 4] {
            [a && b, a || b, true && a || false, !a && (b || true)]
        }
    }
}

fn load() -> building::Building {
    building::Building::load(&Device::open("local-sync").unwrap()).unwrap()
}

#[test]
fn diagonals_are_where_rows_and_columns_meet() {
    let x = array![[1, 2, 3], [4, 5, 6], [7, 8, 9]];
    let results = load().diagonals(&x).unwrap();
    let [eye, lower, upper, above] = results.map(|result| result.to_array().unwrap());
    assert_eq!(eye, Array2::<i32>::eye(3));
    assert_eq!(lower, array![[1, 0, 0], [4, 5, 0], [7, 8, 9]]);
    assert_eq!(upper, array![[1, 2, 3], [0, 5, 6], [0, 0, 9]]);
    assert_eq!(above, array![[0, 2, 3], [0, 0, 6], [0, 0, 0]]);
}

#[test]
fn sequences_end_where_they_are_told() {
    let results = load().sequences(7.0).unwrap();
    let [counted, given, known] = results.map(|result| result.to_array().unwrap());
    assert_eq!(counted, array![0.0, 1.0, 2.0, 3.0, 4.0]);
    assert_eq!(given, array![-1.0, 1.0, 3.0, 5.0, 7.0]);
    assert_eq!(known, array![2.0, 2.25, 2.5, 2.75, 3.0]);
}

#[test]
fn numbers_stay_in_bounds_and_bits_come_back() {
    let x = [-3.0, 0.5, 9.0];
    let results = load().bounded(x, 2.0).unwrap();
    let [clamped, product, bits] = results.map(|result| result.to_array().unwrap());
    assert_eq!(clamped, array![-1.0, 0.5, 2.0]);
    assert_eq!(product, array![10.0, 1.25, 82.0]);
    assert_eq!(bits, Array1::from(x.to_vec()));
    let bits = load().bits([1.5, -0.0]).unwrap().to_array().unwrap();
    assert_eq!(bits, array![1.5_f64.to_bits(), (-0.0_f64).to_bits()]);
    let complex = load().complex(1.0, -2.0).unwrap().to_scalar().unwrap();
    assert_eq!(complex, Complex::new(1.0, -2.0));
}

#[test]
fn single_truth_values_are_combined() {
    for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
        let results = load().truth(a, b).unwrap();
        let results = results.map(|result| result.to_scalar().unwrap());
        assert_eq!(results, [a && b, a || b, a, !a]);
    }
}
