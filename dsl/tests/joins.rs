//! Numbers and tensors that come to where branches and loops end from several places, with what else is needed
//! there: what one place hands on must not take the room of what is read from another.

use iree_dsl::prelude::*;

#[program]
mod joins {
    pub struct Joins {
        #[global]
        a: Tensor<i32, 4>,
        #[global]
        b: Tensor<i32, 4>,
        #[global]
        c: Tensor<i32, 4>,
        #[global]
        at: Tensor<i32>,
    }

    impl Joins {
        pub fn set(&mut self, a: Tensor<i32, 4>, b: Tensor<i32, 4>, c: Tensor<i32, 4>) {
            self.a = a;
            self.b = b;
            self.c = c;
        }

        pub fn get(&self) -> [Tensor<i32, 4>; 3] {
            [self.a, self.b, self.c]
        }

        /// With this, no global of the module is of a size that IREE knows from what is stored.
        pub fn fill(&mut self, rounds: Tensor<i32>) {
            for i in range(0, rounds) {
                self.a[i] = 1;
                self.b[i] = 2;
                self.c[i] = 3;
            }
        }

        /// The old `b` and the new one.
        pub fn rotate(&mut self, rounds: Tensor<i32>) -> (Tensor<i32, 4>, Tensor<i32, 4>) {
            let first = self.b;
            for _ in range(0, rounds) {
                let first = self.a;
                self.a = self.b;
                self.b = self.c;
                self.c = first;
            }
            (first, self.b)
        }

        /// A global that comes from an argument inside of two loops, or from before them.
        pub fn nested(
            &mut self,
            x: Tensor<i32, 4>,
            rounds: Tensor<i32>,
        ) -> (Tensor<i32, 4>, Tensor<i32, 4>) {
            let mut y = x;
            y[s![2..4]] = y[s![0..2]];
            let old = self.b;
            self.b = self.c;
            self.c = old;
            self.a[rounds] = self.at;
            for i in range(0, rounds) {
                if i > self.b[2] {
                    continue;
                }
                for _ in range(0, rounds) {
                    self.c[self.at] = i;
                    self.b = x;
                }
                if rounds < rounds {
                    continue;
                }
            }
            (x, y)
        }

        /// What is computed before a part of `b` changes is needed on both sides of a branch.
        pub fn on_both_sides(&mut self, x: Tensor<i32, 4>, k: Tensor<i32>) {
            self.a[1] = self.b[k];
            self.b[k] += k;
            if self.at + 5 > k {
                let first = self.a;
                self.a = self.c;
                self.c = first;
                for i in range(0, k) {
                    self.b[i] += k;
                    for j in range(0, k) {
                        self.a = (x + j).reverse(0);
                    }
                }
            } else {
                self.c = self.b.reverse(0);
            }
        }

        /// A number beside a tensor, which two branches do the same with: one in a round of its own.
        pub fn count_beside(&mut self, x: Tensor<i32, 4>, k: Tensor<i32>) -> Tensor<i32> {
            for _ in range(0, k) {
                if self.c[1] < k {
                    for _ in range(0, 1) {
                        self.c[2] = 4;
                    }
                } else {
                    for _ in range(0, 1) {
                        self.at += x[1];
                        if self.at > self.at + k {
                            break;
                        }
                    }
                }
            }
            self.at
        }

        /// `n + 77` of a number that is 77 on one of two ways.
        pub fn sum(&self, n: Tensor<i32>) -> Tensor<i32> {
            let mut i = 0;
            let found = if n > 3 {
                while i * i < n {
                    i += 3;
                }
                77
            } else {
                while i * i < n {
                    i += 1;
                }
                n
            };
            count_to(found + 77)
        }

        pub fn checked_sum(&self, n: Tensor<i32>) -> Tensor<i32> {
            let found = if n > 3 {
                assert!(n < 100, "too many");
                77
            } else {
                n
            };
            count_to(found + 77)
        }

        pub fn sum_of_wide(&mut self, n: Tensor<i64>) -> Tensor<i64> {
            let found = if n > 3 {
                for _ in range(0, n) {
                    self.a += 1;
                }
                77
            } else {
                n
            };
            count_to(found + 77)
        }

        pub fn sum_of_flags(&mut self, n: Tensor<i32>) -> Tensor<i32> {
            let found = if n > 3 {
                for _ in range(0, n) {
                    self.a += 1;
                }
                true
            } else {
                n == 2
            };
            count_to((found as i32) + (n > 3) as i32)
        }
    }

    /// The same number, as the machine counts it.
    #[kernel]
    fn count_to<T: Integer>(number: Tensor<T>) -> Tensor<T> {
        let mut count = number - number;
        while count < number {
            count += 1;
        }
        count
    }
}

fn program(device: &str) -> joins::Joins {
    joins::Joins::load(&Device::open(device).unwrap()).unwrap()
}

fn all(program: &joins::Joins) -> [Vec<i32>; 3] {
    let arrays = program.get().unwrap();
    arrays.map(|array| array.to_array().unwrap().to_vec())
}

#[test]
fn globals_that_a_loop_exchanges_stay_apart() {
    for device in ["local-sync", "local-task"] {
        for rounds in 0..4 {
            let mut program = program(device);
            program.set([1; 4], [2; 4], [3; 4]).unwrap();
            let (first, second) = program.rotate(rounds).unwrap();
            let mut expected = [1, 2, 3].map(|number| vec![number; 4]);
            expected.rotate_left(rounds as usize % 3);
            assert_eq!(all(&program), expected, "{device} {rounds}");
            assert_eq!(first.to_array().unwrap().to_vec(), [2; 4]);
            assert_eq!(second.to_array().unwrap().to_vec(), expected[1]);
        }
    }
}

#[test]
fn numbers_are_not_lost_beside_tensors() {
    for device in ["local-sync", "local-task"] {
        for rounds in 0..4_i32 {
            let mut program = program(device);
            program.set([0; 4], [0; 4], [0, 7, 14, 21]).unwrap();
            let count = program.count_beside([1, 8, 3, 4], rounds).unwrap();
            assert_eq!(count.to_scalar().unwrap(), 8 * rounds);
            assert_eq!(all(&program)[2], [0, 7, 14, 21]);
        }
    }
}

#[test]
fn a_global_may_come_out_of_nested_loops_or_from_before_them() {
    for device in ["local-sync", "local-task"] {
        for rounds in 0..4_i32 {
            let mut program = program(device);
            program.set([8; 4], [5; 4], [4; 4]).unwrap();
            let x = [3, 8, -3, 7];
            let (returned, moved) = program.nested(x, rounds).unwrap();
            assert_eq!(returned.to_array().unwrap().to_vec(), x);
            assert_eq!(moved.to_array().unwrap().to_vec(), [3, 8, 3, 8]);

            let (mut a, mut b, mut c) = ([8; 4], [4; 4], [5; 4]);
            a[rounds as usize] = 0;
            for i in 0..rounds {
                if i > b[2] {
                    continue;
                }
                for _ in 0..rounds {
                    c[0] = i;
                    b = x;
                }
            }
            assert_eq!(all(&program), [a, b, c].map(Vec::from), "{device} {rounds}");
        }
    }
}

#[test]
fn what_is_read_before_a_part_changes_is_needed_on_both_sides() {
    for device in ["local-sync", "local-task"] {
        for k in [0, 1, 3, 6] {
            let mut program = program(device);
            program.set([8; 4], [5, 6, 7, 9], [4; 4]).unwrap();
            let x = [3, 8, -3, 7];
            program.on_both_sides(x, k).unwrap();

            let (mut a, mut b, mut c) = ([8; 4], [5, 6, 7, 9], [4; 4]);
            let at = (k as usize).min(3);
            a[1] = b[at];
            b[at] += k;
            if 5 > k {
                (a, c) = (c, a);
                for i in 0..k {
                    b[i as usize] += k;
                    a = x.map(|number| number + k - 1);
                    a.reverse();
                }
            } else {
                c = b;
                c.reverse();
            }
            assert_eq!(all(&program), [a, b, c].map(Vec::from), "{device} {k}");
        }
    }
}

#[test]
fn a_number_of_one_way_does_not_take_the_place_of_a_constant() {
    let mut program = program("local-sync");
    for n in 0..8 {
        let expected = if n > 3 { 77 } else { n } + 77;
        let sum = program.sum(n).unwrap().to_scalar().unwrap();
        assert_eq!(sum, expected, "{n}");
        let sum = program.checked_sum(n).unwrap().to_scalar().unwrap();
        assert_eq!(sum, expected, "{n}");
        let sum = program.sum_of_wide(i64::from(n)).unwrap();
        assert_eq!(sum.to_scalar().unwrap(), i64::from(expected), "{n}");
        let flags = program.sum_of_flags(n).unwrap().to_scalar().unwrap();
        assert_eq!(flags, if n > 3 { 2 } else { i32::from(n == 2) }, "{n}");
    }
}
