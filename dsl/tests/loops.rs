//! Loops that change a part of a global: they do it in place, so that a round costs what it changes, and
//! they compute what plain Rust does.

use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, Axis, concatenate, s};

#[program]
mod fixed {
    pub struct Fixed {
        #[global(init = iota() * 3)]
        steps: Tensor<i32, 4>,
        #[global(init = full(10))]
        tens: Tensor<i32, 4>,
        #[global]
        last: Tensor<i32, 4>,
        #[global]
        at: Tensor<i32>,
    }

    impl Fixed {
        /// Stores what globals have that nothing changes, in loops and branches.
        pub fn store(
            &mut self,
            x: Tensor<i32, 4>,
            n: Tensor<i32>,
        ) -> (Tensor<i32, 4>, Tensor<i32>) {
            for i in range(0, n) {
                for j in range(0, i + 1) {
                    self.at = self.tens[j] + i;
                    self.last = self.steps;
                    self.last[j] = x[i];
                }
                if x[i] > 1 {
                    self.last = self.tens;
                } else {
                    self.last += self.steps.reverse(0);
                }
            }
            (self.last, self.at)
        }

        /// Joins them with what changes, and keeps what an iteration before has joined.
        pub fn join(
            &mut self,
            x: Tensor<i32, 4>,
            n: Tensor<i32>,
        ) -> (Tensor<i32, 8>, Tensor<i32, 8>) {
            let mut joined = concatenate([x, x], 0);
            let mut before = joined;
            for i in range(0, n) {
                before = joined;
                joined = concatenate([self.steps * 2, x * i], 0);
                self.last = joined[s![2..6]];
            }
            (joined, before)
        }

        /// Stores sums of numbers that are known while building.
        pub fn store_sums(&mut self, x: Tensor<i32, 4>) -> (Tensor<i32, 4>, Tensor<i32, 4>) {
            let sums = ones::<i32, 4, 4>().sum_axis(1);
            self.last = sums;
            (sums, sums + x)
        }
    }
}

#[program]
mod loops {
    pub struct Loops {
        #[global]
        keys: Tensor<f32, 8, 4>,
        #[global]
        values: Tensor<f32, 8, 4>,
    }

    impl Loops {
        /// Two globals and two variables, one of which has what another had a round ago.
        pub fn both(
            &mut self,
            n: Tensor<i32>,
            row: Tensor<f32, 4>,
        ) -> (Tensor<f32, 4>, Tensor<f32, 4>) {
            let mut last = row;
            let mut sum = row;
            for i in range(0, n) {
                self.keys[i] = sum;
                self.values[i] = last + self.keys[i];
                last = sum;
                sum += row * (i as f32);
            }
            (last, sum)
        }

        pub fn nested(&mut self, n: Tensor<i32>, row: Tensor<f32, 4>) {
            for i in range(0, n) {
                for j in range(i, n) {
                    self.keys[j] += row;
                    if (i + j) % 2 == 0 {
                        self.values[i] = self.keys[j];
                    } else {
                        self.values[j] -= 1.0;
                    }
                }
            }
        }

        /// A variable that starts as a global and changes without it.
        pub fn copy(&mut self, n: Tensor<i32>) -> (Tensor<f32, 8, 4>, Tensor<f32, 8, 4>) {
            let mut copy = self.keys;
            for i in range(0, n) {
                copy[i] = 9.0;
            }
            (copy, self.keys)
        }

        /// Variables that start as a parameter, as something that is used later, and in each round anew.
        pub fn start(
            &self,
            n: Tensor<i32>,
            x: Tensor<f32, 4>,
        ) -> (Tensor<f32, 4>, Tensor<f32, 4>, Tensor<f32>) {
            let twice = x * 2.0;
            let mut a = x;
            let mut b = twice;
            let mut sum = 0.0;
            for i in range(0, n) {
                a[i] = 7.0;
                b[i] = a[i] + 1.0;
                let mut c = twice;
                for j in range(0, i) {
                    c[j] = 0.0;
                }
                sum += c.sum();
            }
            (a + x, b + twice, sum)
        }

        /// Variables that are computed twice, by what changes nothing, and apart, of which a part changes.
        pub fn alike(
            &self,
            n: Tensor<i32>,
            x: Tensor<f32, 4>,
        ) -> (
            Tensor<f32, 4>,
            Tensor<f32, 4>,
            Tensor<f32, 4>,
            Tensor<f32, 4>,
        ) {
            let (mut a, mut b, mut c, mut d) = (x, x, x, x);
            for i in range(0, n) {
                a[i] += 1.0;
                let product = a * d;
                d = (d - a) / 2.0;
                d[i] = 3.0;
                b = a * (d + 0.0);
                c = product * 1.0;
                a = product;
                b[0] = c[1];
            }
            (a, b, c, d)
        }

        /// Follows the likeliest, and notes where it went and where it was before. In no rounds, three
        /// tensors come out that IREE keeps in one buffer.
        pub fn follow(
            &self,
            likely: Tensor<f32, 4, 4>,
            first: Tensor<i32>,
            n: Tensor<i32>,
        ) -> (Tensor<i32>, Tensor<i32>, Tensor<i32, 8>) {
            let (mut at, mut before) = (first, first);
            let mut path = zeros::<i32, 8>();
            for i in range(0, n) {
                before = at;
                at = likely[at].argmax_axis(0);
                path[i] = at;
            }
            (at, before, path)
        }

        pub fn tables(&self) -> (Tensor<f32, 8, 4>, Tensor<f32, 8, 4>) {
            (self.keys, self.values)
        }
    }
}

use fixed::Fixed;
use loops::Loops;

fn program(device: &str) -> Loops {
    Loops::load(&Device::open(device).unwrap()).unwrap()
}

#[test]
fn several_tensors_change_in_one_loop() {
    for device in ["local-sync", "local-task"] {
        let mut program = program(device);
        let row = Array1::from(vec![1.0_f32, -2.0, 0.5, 4.0]);
        let (mut keys, mut values) = (Array2::<f32>::zeros((8, 4)), Array2::<f32>::zeros((8, 4)));
        for n in [0_usize, 1, 3, 8] {
            let (mut last, mut sum) = (row.clone(), row.clone());
            for i in 0..n {
                keys.row_mut(i).assign(&sum);
                values.row_mut(i).assign(&(&last + &sum));
                last = sum.clone();
                sum = sum + &row * (i as f32);
            }
            let found = program.both(n as i32, &row).unwrap();
            assert_eq!(found.0.to_array().unwrap(), last);
            assert_eq!(found.1.to_array().unwrap(), sum);
            let tables = program.tables().unwrap();
            assert_eq!(tables.0.to_array().unwrap(), keys);
            assert_eq!(tables.1.to_array().unwrap(), values);
        }
    }
}

#[test]
fn loops_and_branches_nest_around_changes() {
    for device in ["local-sync", "local-task"] {
        let mut program = program(device);
        let row = Array1::from(vec![1.0_f32, -2.0, 0.5, 4.0]);
        let (mut keys, mut values) = (Array2::<f32>::zeros((8, 4)), Array2::<f32>::zeros((8, 4)));
        for n in [0_usize, 1, 5, 8] {
            for i in 0..n {
                for j in i..n {
                    let mut key = keys.row_mut(j);
                    key += &row;
                    if (i + j) % 2 == 0 {
                        values.row_mut(i).assign(&key);
                    } else {
                        values.row_mut(j).mapv_inplace(|value| value - 1.0);
                    }
                }
            }
            program.nested(n as i32, &row).unwrap();
            let tables = program.tables().unwrap();
            assert_eq!(tables.0.to_array().unwrap(), keys);
            assert_eq!(tables.1.to_array().unwrap(), values);
        }
    }
}

#[test]
fn a_copy_of_a_global_changes_without_it() {
    let mut program = program("local-sync");
    let row = Array1::from(vec![1.0_f32, -2.0, 0.5, 4.0]);
    program.both(8, &row).unwrap();
    let (keys, _) = program.tables().unwrap();
    let keys = keys.to_array().unwrap();
    for n in [0_usize, 3, 8] {
        let mut expected = keys.clone();
        expected.slice_mut(s![..n, ..]).fill(9.0);
        let (copy, same) = program.copy(n as i32).unwrap();
        assert_eq!(copy.to_array().unwrap(), expected);
        assert_eq!(same.to_array().unwrap(), keys);
    }
}

#[test]
fn variables_that_come_out_alike_change_apart() {
    let program = program("local-sync");
    let x = Array1::from(vec![1.0_f32, -2.0, 0.5, 4.0]);
    for n in [0_usize, 1, 2, 4] {
        let (mut a, mut b, mut c, mut d) = (x.clone(), x.clone(), x.clone(), x.clone());
        for i in 0..n {
            a[i] += 1.0;
            let product = &a * &d;
            d = (&d - &a) / 2.0;
            d[i] = 3.0;
            b = &a * &d;
            c = product.clone();
            a = product;
            b[0] = c[1];
        }
        let found = program.alike(n as i32, &x).unwrap();
        assert_eq!(found.0.to_array().unwrap(), a, "{n}");
        assert_eq!(found.1.to_array().unwrap(), b, "{n}");
        assert_eq!(found.2.to_array().unwrap(), c, "{n}");
        assert_eq!(found.3.to_array().unwrap(), d, "{n}");
    }
}

#[test]
fn what_was_chosen_is_noted_and_handed_on() {
    for device in ["local-sync", "local-task"] {
        let program = program(device);
        let mut likely = Array2::<f32>::zeros((4, 4));
        let next = [2, 0, 3, 1_i32];
        next.iter()
            .enumerate()
            .for_each(|(from, to)| likely[(from, *to as usize)] = 1.0);
        for n in [0, 1, 3, 8] {
            let (mut at, mut before, mut path) = (1_i32, 1_i32, [0; 8]);
            for place in &mut path[..n] {
                before = at;
                at = next[at as usize];
                *place = at;
            }
            let found = program.follow(&likely, 1, n as i32).unwrap();
            assert_eq!(found.0.to_scalar().unwrap(), at);
            assert_eq!(found.1.to_scalar().unwrap(), before);
            assert_eq!(found.2.to_array().unwrap().to_vec(), path);
        }
    }
}

#[test]
fn what_a_loop_starts_from_stays() {
    let program = program("local-sync");
    let x = Array1::from(vec![1.0_f32, -2.0, 0.5, 4.0]);
    for n in [0_usize, 1, 4] {
        let twice = &x * 2.0;
        let (mut a, mut b, mut sum) = (x.clone(), twice.clone(), 0.0);
        for i in 0..n {
            a[i] = 7.0;
            b[i] = 8.0;
            sum += twice.slice(s![i..]).sum();
        }
        let input = x.clone();
        let found = program.start(n as i32, &input).unwrap();
        assert_eq!(found.0.to_array().unwrap(), &a + &x);
        assert_eq!(found.1.to_array().unwrap(), &b + &twice);
        assert_eq!(found.2.to_scalar().unwrap(), sum);
        assert_eq!(input, x);
    }
}

#[test]
fn globals_that_nothing_changes_are_stored_and_joined_in_loops() {
    for device in ["local-sync", "local-task"] {
        let mut program = Fixed::load(&Device::open(device).unwrap()).unwrap();
        let x = Array1::from(vec![4, -1, 0, 2]);
        let (steps, tens) = (Array1::from(vec![0, 3, 6, 9]), Array1::from_elem(4, 10));
        let (mut last, mut at) = (Array1::zeros(4), 0);
        for n in [0_usize, 1, 2, 4] {
            for i in 0..n {
                at = 10 + i as i32;
                last = steps.clone();
                last[i] = x[i];
                last = match x[i] > 1 {
                    true => tens.clone(),
                    false => last + steps.slice(s![..;-1]),
                };
            }
            let found = program.store(&x, n as i32).unwrap();
            assert_eq!(found.0.to_array().unwrap(), last);
            assert_eq!(found.1.to_scalar().unwrap(), at);
        }
        let joined = |part: &Array1<i32>, i| concatenate![Axis(0), *part, &x * i];
        let (found, before) = program.join(&x, 4).unwrap();
        assert_eq!(found.to_array().unwrap(), joined(&(&steps * 2), 3));
        assert_eq!(before.to_array().unwrap(), joined(&(&steps * 2), 2));
        let (sums, moved) = program.store_sums(&x).unwrap();
        assert_eq!(sums.to_array().unwrap(), Array1::from_elem(4, 4));
        assert_eq!(moved.to_array().unwrap(), &x + 4);
    }
}
