//! Control flow that depends on what happens at run time, against the same in plain Rust.

use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, array};

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

        /// Two variables start from one tensor, and a third from a constant.
        pub fn countdown(&self, n: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>, Tensor<i32>) {
            let mut k = n;
            let mut sum = n;
            let mut rounds = 0;
            while k > 1 {
                k -= 1;
                sum += k;
                rounds += 1;
            }
            (k, sum, rounds)
        }

        pub fn highest(&self, n: Tensor<i64>) -> Tensor<i64> {
            let mut k = n;
            let mut highest = n;
            while k != 1 {
                k = if k % 2 == 0 { k / 2 } else { 3 * k + 1 };
                highest = highest.maximum(k);
            }
            highest
        }

        pub fn return_from_within(&self, n: Tensor<i32>) -> Tensor<i32> {
            let mut sum = 0;
            for i in range(0, n) {
                for j in range(i, n) {
                    sum += j;
                }
                if sum > 3000 {
                    return sum;
                }
                sum += 1000;
            }
            sum
        }

        /// The first pair with this product, and how many pairs were tried.
        pub fn first_pair(
            &self,
            n: Tensor<i32>,
            product: Tensor<i32>,
        ) -> (Tensor<i32>, Tensor<i32>, Tensor<i32>) {
            let mut found = (-1, -1);
            let mut tried = 0;
            'rows: for i in range(0, n) {
                for j in range(0, n) {
                    if j > i {
                        continue 'rows;
                    }
                    tried += 1;
                    if i * j == product {
                        found = (i, j);
                        break 'rows;
                    }
                }
                tried += 100;
            }
            (found.0, found.1, tried)
        }

        /// The same, unrolled.
        pub fn first_pair_unrolled(&self, product: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
            let (mut a, mut b) = (-1, -1);
            'rows: for i in 0..6 {
                for j in 0..6 {
                    if j > i {
                        continue 'rows;
                    }
                    if product == i * j {
                        (a, b) = (i, j);
                        break 'rows;
                    }
                }
            }
            (a, b)
        }

        pub fn labelled_block(&self, x: Tensor<f32>) -> Tensor<f32> {
            let root = 'root: {
                if x < 0.0 {
                    break 'root 0.0;
                }
                let mut guess = x;
                for _ in range(0, 40) {
                    guess = (guess + x / guess.maximum(1e-30)) / 2.0;
                }
                guess
            };
            root + 1.0
        }

        pub fn left_with_a_value(&self, limit: Tensor<i32>) -> Tensor<i32> {
            let mut n = 1;
            'outer: loop {
                loop {
                    n *= 2;
                    if n > limit {
                        break 'outer n;
                    }
                    if n % 16 == 0 {
                        break;
                    }
                }
                n += 1;
            }
        }

        pub fn fibonacci(&self, n: Tensor<i32>) -> Tensor<i64> {
            let (mut a, mut b) = (0i64 as i64, 1i64 as i64);
            for _ in range(0, n) {
                (a, b) = (b, a + b);
            }
            a
        }

        /// Whatever comes after a `return` in the middle of an expression does not happen.
        pub fn store_unless(&mut self, stop: Tensor<bool>) -> Tensor<i32> {
            self.count = {
                if stop {
                    return -1;
                }
                7
            };
            self.count = { if self.count == 7 { 8 } else { 9 } }
                + self.bump({
                    if stop {
                        return -2;
                    }
                    1
                });
            self.count
        }

        fn bump(&mut self, by: Tensor<i32>) -> Tensor<i32> {
            self.sum += by as f32;
            by
        }

        pub fn sum(&self) -> Tensor<f32, 3> {
            self.sum
        }

        /// Both branches are too large to compute at once, and hand back two tensors each.
        pub fn large_branches(
            &self,
            x: Tensor<f32, 128, 128>,
            up: Tensor<bool>,
        ) -> (Tensor<f32, 128, 128>, Tensor<f32, 128, 128>) {
            if up {
                let y = x + 1.0;
                (y, y * 2.0)
            } else {
                (x, x)
            }
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
fn variables_that_start_alike_are_told_apart() {
    let program = program();
    for n in [0, 1, 2, 27] {
        let (mut k, mut sum, mut rounds) = (n, n, 0);
        while k > 1 {
            k -= 1;
            sum += k;
            rounds += 1;
        }
        let found = program.countdown(n).unwrap();
        assert_eq!(found.0.to_scalar().unwrap(), k);
        assert_eq!(found.1.to_scalar().unwrap(), sum);
        assert_eq!(found.2.to_scalar().unwrap(), rounds);
    }
    assert_eq!(program.highest(27).unwrap().to_scalar().unwrap(), 9232);
}

#[test]
fn return_leaves_nested_loops() {
    let program = program();
    for n in [0, 2, 10, 40] {
        let mut sum = 0;
        for i in 0..n {
            sum += (i..n).sum::<i32>();
            if sum > 3000 {
                break;
            }
            sum += 1000;
        }
        let found = program.return_from_within(n).unwrap();
        assert_eq!(found.to_scalar().unwrap(), sum);
    }
}

#[test]
fn large_branches_hand_back_several_tensors() {
    let program = program();
    let x = Array2::from_shape_fn((128, 128), |(row, column)| (row * 128 + column) as f32);
    let (y, z) = program.large_branches(&x, true).unwrap();
    assert_eq!(y.to_array().unwrap(), &x + 1.0);
    assert_eq!(z.to_array().unwrap(), (&x + 1.0) * 2.0);
    let (y, z) = program.large_branches(&x, false).unwrap();
    assert_eq!(y.to_array().unwrap(), x);
    assert_eq!(z.to_array().unwrap(), x);
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

#[test]
fn labels_name_the_loop_that_is_left() {
    let program = program();
    for (n, product) in [(0, 0), (4, 0), (9, 20), (9, 1000), (9, 64)] {
        let (mut expected, mut tried) = ((-1, -1), 0);
        'rows: for i in 0..n {
            for j in 0..n {
                if j > i {
                    continue 'rows;
                }
                tried += 1;
                if i * j == product {
                    expected = (i, j);
                    break 'rows;
                }
            }
            tried += 100;
        }
        let (i, j, count) = program.first_pair(n, product).unwrap();
        let found = (i.to_scalar().unwrap(), j.to_scalar().unwrap());
        assert_eq!((found, count.to_scalar().unwrap()), (expected, tried));
    }
    for (product, expected) in [(0, (0, 0)), (12, (4, 3)), (25, (5, 5)), (7, (-1, -1))] {
        let (a, b) = program.first_pair_unrolled(product).unwrap();
        assert_eq!((a.to_scalar().unwrap(), b.to_scalar().unwrap()), expected);
    }
}

#[test]
fn blocks_and_loops_are_left_with_values() {
    let program = program();
    for (x, expected) in [(-4.0, 1.0), (9.0, 4.0)] {
        let found = program.labelled_block(x).unwrap();
        assert_eq!(found.to_scalar().unwrap(), expected);
    }
    for limit in [0, 1, 100, 5000] {
        let mut n = 1;
        let expected = 'outer: loop {
            loop {
                n *= 2;
                if n > limit {
                    break 'outer n;
                }
                if n % 16 == 0 {
                    break;
                }
            }
            n += 1;
        };
        let found = program.left_with_a_value(limit).unwrap();
        assert_eq!(found.to_scalar().unwrap(), expected);
    }
}

#[test]
fn variables_are_assigned_together() {
    let program = program();
    for (n, expected) in [(0, 0), (1, 1), (10, 55), (90, 2_880_067_194_370_816_120)] {
        let found = program.fibonacci(n).unwrap();
        assert_eq!(found.to_scalar().unwrap(), expected);
    }
}

#[test]
fn nothing_happens_after_a_return_inside_an_expression() {
    let mut program = program();
    let result = program.store_unless(true).unwrap();
    assert_eq!(result.to_scalar().unwrap(), -1);
    assert_eq!(program.count().unwrap().to_scalar().unwrap(), 0);
    assert_eq!(
        program.sum().unwrap().to_array().unwrap(),
        array![0.0, 0.0, 0.0]
    );
    let result = program.store_unless(false).unwrap();
    assert_eq!(result.to_scalar().unwrap(), 9);
    assert_eq!(
        program.sum().unwrap().to_array().unwrap(),
        array![1.0, 1.0, 1.0]
    );
}
