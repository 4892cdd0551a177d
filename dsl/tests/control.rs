//! Control flow that depends on what happens at run time, against the same in plain Rust.

use iree_dsl::prelude::*;
use ndarray::{Array1, array};

#[program]
mod control {
    pub struct Control {
        #[global]
        count: Tensor<i32>,
        #[global]
        sum: Tensor<f32, 3>,
    }

    impl Control {
        pub fn collatz(&mut self, start: Tensor<i64>) -> Tensor<i32> {
            let mut n = start;
            self.count = 0;
            while n != 1 {
                n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
                self.count += 1;
            }
            self.count
        }

        pub fn count(&self) -> Tensor<i32> {
            self.count
        }

        /// The first multiple that is larger than the limit.
        pub fn first_above(&self, x: Tensor<f32>, limit: Tensor<f32>) -> Tensor<i32> {
            for k in range(0, 100) {
                if x * (k as f32) > limit {
                    return k;
                }
            }
            -1
        }

        pub fn odd_sum(&mut self, n: Tensor<i32>) -> Tensor<f32, 3> {
            self.sum = zeros();
            for k in 0..n {
                if k % 2 == 0 {
                    continue;
                }
                if k > 7 {
                    break;
                }
                self.sum += k as f32;
            }
            self.sum
        }

        pub fn square_root(&self, x: Tensor<f64>) -> Tensor<f64> {
            let mut guess = x;
            loop {
                let next = 0.5 * (guess + x / guess);
                if (next - guess).abs() < 1e-12 {
                    break;
                }
                guess = next;
            }
            guess
        }

        pub fn sign(&self, x: Tensor<f32>) -> Tensor<i8> {
            if x > 0.0 {
                1
            } else if x < 0.0 {
                -1
            } else {
                0
            }
        }

        pub fn pairs(&self, n: Tensor<i32>, stop: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
            let mut found = (0, 0);
            for i in range(0, n) {
                for j in range(i, n) {
                    if i * j == stop {
                        found = (i, j);
                        break;
                    }
                }
            }
            found
        }

        pub fn unrolled_with_break(&self, x: Tensor<f32, 3>, limit: Tensor<f32>) -> Tensor<f32> {
            let mut sum = 0.0;
            for k in 0..3 {
                if sum > limit {
                    break;
                }
                sum += x[k];
            }
            sum
        }
    }
}

fn program() -> control::Control {
    control::Control::load(&Device::open("local-task").unwrap()).unwrap()
}

#[test]
fn while_stores_a_global_each_round() {
    let mut program = program();
    for (start, steps) in [(1, 0), (6, 8), (27, 111)] {
        let found = program.collatz(start).unwrap().to_scalar().unwrap();
        assert_eq!(found, steps);
        assert_eq!(program.count().unwrap().to_scalar().unwrap(), steps);
    }
}

#[test]
fn return_leaves_a_loop() {
    let program = program();
    for (x, limit, expected) in [(2.0, 9.0, 5), (10.0, 9.0, 1), (0.01, 9.0, -1)] {
        let found = program.first_above(x, limit).unwrap();
        assert_eq!(found.to_scalar().unwrap(), expected);
    }
}

#[test]
fn break_and_continue_end_rounds() {
    let mut program = program();
    for n in [0, 1, 2, 6, 50] {
        let expected: i32 = (0..n).filter(|k| k % 2 == 1).take_while(|k| *k <= 7).sum();
        let sum = program.odd_sum(n).unwrap().to_array().unwrap();
        assert_eq!(sum, Array1::from_elem(3, expected as f32));
    }
}

#[test]
fn loop_runs_until_break() {
    let root = program().square_root(2.0).unwrap().to_scalar().unwrap();
    assert!((root - 2.0_f64.sqrt()).abs() < 1e-11);
}

#[test]
fn branches_nest() {
    let program = program();
    for (x, sign) in [(3.5, 1), (-2.0, -1), (0.0, 0), (f32::NAN, 0)] {
        assert_eq!(program.sign(x).unwrap().to_scalar().unwrap(), sign);
    }
}

#[test]
fn break_leaves_the_inner_loop_only() {
    let (i, j) = program().pairs(10, 12).unwrap();
    let (i, j) = (i.to_scalar().unwrap(), j.to_scalar().unwrap());
    let mut expected = (0, 0);
    for a in 0..10 {
        for b in a..10 {
            if a * b == 12 {
                expected = (a, b);
                break;
            }
        }
    }
    assert_eq!((i, j), expected);
}

#[test]
fn an_unrolled_loop_can_be_left() {
    let program = program();
    let x = array![1.0_f32, 2.0, 4.0];
    for (limit, expected) in [(-1.0, 0.0), (0.5, 1.0), (2.0, 3.0), (9.0, 7.0)] {
        let sum = program.unrolled_with_break(&x, limit).unwrap();
        assert_eq!(sum.to_scalar().unwrap(), expected);
    }
}
