//! Conditions that do more than give a value, against the same in plain Rust.

use iree_dsl::prelude::*;

#[program]
mod conditions {
    pub struct Conditions {
        #[global]
        at: Tensor<i32>,
    }

    impl Conditions {
        fn next(&mut self) -> Tensor<i32> {
            self.at += 1;
            self.at
        }

        pub fn assigns(&self, n: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
            let mut i = 0;
            let mut sum = 0;
            while {
                i += 1;
                i < n
            } {
                if i == 7 {
                    continue;
                }
                sum += i;
                if sum > 30 {
                    break;
                }
            }
            (i, sum)
        }

        pub fn stores(&mut self, n: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
            self.at = 0;
            let mut sum = 0;
            while self.next() < n {
                sum += self.at;
            }
            (self.at, sum)
        }

        /// What decides whether the condition has effects changes in the rounds.
        pub fn stores_later(&mut self, n: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
            self.at = 0;
            let mut late = false;
            let mut rounds = 0;
            while {
                if late {
                    self.at += 2;
                }
                self.at < n
            } {
                late = true;
                rounds += 1;
            }
            (self.at, rounds)
        }

        pub fn returns(&self, n: Tensor<i32>, limit: Tensor<i32>) -> Tensor<i32> {
            let mut i = 0;
            while {
                if i * i > limit {
                    return -i;
                }
                i < n
            } {
                i += 1;
            }
            i
        }

        pub fn nested(&mut self, n: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
            self.at = 0;
            let mut sum = 0;
            'outer: while self.next() < n {
                let mut k = 0;
                while {
                    k += 1;
                    k < self.at
                } {
                    sum += k;
                    if sum > 50 {
                        break 'outer;
                    }
                }
                sum += 10 * k;
            }
            (self.at, sum)
        }
    }
}

#[test]
fn a_condition_of_while_that_assigns_is_a_part_of_the_round() -> iree_dsl::Result<()> {
    let program = conditions::Conditions::load(&Device::open("local-sync")?)?;
    for n in [-1, 0, 1, 2, 5, 20] {
        let (mut i, mut sum) = (0, 0);
        while {
            i += 1;
            i < n
        } {
            if i == 7 {
                continue;
            }
            sum += i;
            if sum > 30 {
                break;
            }
        }
        let (last, total) = program.assigns(n)?;
        assert_eq!((last.to_scalar()?, total.to_scalar()?), (i, sum), "{n}");
        for limit in [-1, 0, 3, 100] {
            let found = (0..n).find(|i| i * i > limit).map(|i| -i);
            let last = n.max(0);
            let expected = found.unwrap_or(if last * last > limit { -last } else { last });
            let found = program.returns(n, limit)?.to_scalar()?;
            assert_eq!(found, expected, "{n} {limit}");
        }
    }
    Ok(())
}

#[test]
fn a_condition_of_while_that_stores_a_global_is_a_part_of_the_round() -> iree_dsl::Result<()> {
    let mut program = conditions::Conditions::load(&Device::open("local-sync")?)?;
    for n in [-1, 0, 1, 2, 5, 6] {
        let (at, sum) = program.stores(n)?;
        let rounds = (n - 1).max(0);
        let expected = (rounds + 1, (1..=rounds).sum());
        assert_eq!((at.to_scalar()?, sum.to_scalar()?), expected, "{n}");

        let (at, rounds) = program.stores_later(n)?;
        let (mut last, mut late, mut count) = (0, false, 0);
        while {
            if late {
                last += 2;
            }
            last < n
        } {
            late = true;
            count += 1;
        }
        let found = (at.to_scalar()?, rounds.to_scalar()?);
        assert_eq!(found, (last, count), "{n}");

        let (at, sum) = program.nested(n)?;
        let (mut last, mut total) = (0, 0);
        'outer: while {
            last += 1;
            last < n
        } {
            let mut k = 0;
            while {
                k += 1;
                k < last
            } {
                total += k;
                if total > 50 {
                    break 'outer;
                }
            }
            total += 10 * k;
        }
        let found = (at.to_scalar()?, sum.to_scalar()?);
        assert_eq!(found, (last, total), "{n}");
    }
    Ok(())
}
