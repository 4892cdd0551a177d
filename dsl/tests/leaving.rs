//! What comes after a place that may have been left becomes a branch. Its variables are its own.

use iree_dsl::prelude::*;
use ndarray::Array2;

#[program]
mod leaving {
    pub struct Leaving;

    impl Leaving {
        /// Names stand for something else, of another structure, after each `return`.
        pub fn names(&self, x: Tensor<f32, 3>, stop: Tensor<bool>) -> Tensor<f32> {
            let y = x * 2.0;
            if stop {
                return y.sum();
            }
            let y = (y, y.sum());
            let x = y.1;
            if x > 10.0 {
                return x;
            }
            let x = (x, x + 1.0);
            let (a, b) = x;
            y.0.sum() + a * b
        }

        pub fn names_in_a_loop(&self, n: Tensor<i32>) -> Tensor<i32> {
            let mut total = 0;
            for i in range(0, n) {
                let k = i;
                if k % 3 == 0 {
                    continue;
                }
                let k = (k, k * k);
                if k.1 > 50 {
                    break;
                }
                let k = k.0 as f32;
                total += (k * 2.0) as i32;
            }
            total
        }

        /// Whether and where a number is, before any negative one.
        pub fn find(
            &self,
            numbers: Tensor<i32, 4, 5>,
            wanted: Tensor<i32>,
        ) -> (Tensor<bool>, (Tensor<i32>, Tensor<i32>)) {
            for i in range(0, 4) {
                for j in range(0, 5) {
                    if numbers[(i, j)] == wanted {
                        return (true, (i, j));
                    }
                    if numbers[(i, j)] < 0 {
                        return (false, (i, -1));
                    }
                }
            }
            (false, (-1, -1))
        }
    }
}

fn program() -> leaving::Leaving {
    leaving::Leaving::load(&Device::open("local-sync").unwrap()).unwrap()
}

#[test]
fn a_name_may_stand_for_something_else_afterwards() {
    let program = program();
    for (x, stop) in [
        ([1.0_f32, 2.0, 3.0], true),
        ([1.0, 2.0, 3.0], false),
        ([0.5; 3], false),
    ] {
        let sum: f32 = x.iter().map(|x| x * 2.0).sum();
        let expected = match stop || sum > 10.0 {
            true => sum,
            false => sum + sum * (sum + 1.0),
        };
        let found = program.names(x, stop).unwrap();
        assert_eq!(found.to_scalar().unwrap(), expected);
    }
}

#[test]
fn a_name_may_stand_for_something_else_in_the_rest_of_a_round() {
    let program = program();
    for n in [0, 1, 5, 30] {
        let rounds = (0..n).filter(|i| i % 3 != 0);
        let expected: i32 = rounds.take_while(|i| i * i <= 50).map(|i| 2 * i).sum();
        let found = program.names_in_a_loop(n).unwrap();
        assert_eq!(found.to_scalar().unwrap(), expected);
    }
}

#[test]
fn trees_are_returned_out_of_loops() {
    let program = program();
    let mut numbers = Array2::from_shape_fn((4, 5), |(i, j)| (i * 5 + j) as i32);
    let find = |numbers: &Array2<i32>, wanted: i32| {
        let (found, (i, j)) = program.find(numbers, wanted).unwrap();
        let place = (i.to_scalar().unwrap(), j.to_scalar().unwrap());
        (found.to_scalar().unwrap(), place)
    };
    assert_eq!(find(&numbers, 13), (true, (2, 3)));
    assert_eq!(find(&numbers, 0), (true, (0, 0)));
    assert_eq!(find(&numbers, 99), (false, (-1, -1)));
    numbers[(1, 2)] = -3;
    assert_eq!(find(&numbers, 13), (false, (1, -1)));
    assert_eq!(find(&numbers, 6), (true, (1, 1)));
}
