//! Conditions, operands and indices that do more than give a value, against the same in plain Rust.

use iree_dsl::prelude::*;
use ndarray::Array2;

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

#[program]
mod operands {
    pub struct Operands {
        #[global]
        at: Tensor<i32>,
    }

    impl Operands {
        fn next(&mut self) -> Tensor<i32> {
            self.at += 1;
            self.at
        }

        pub fn and(&mut self, n: Tensor<i32>) -> (Tensor<bool>, Tensor<i32>) {
            self.at = 0;
            let all = self.next() < n && self.next() < n && self.next() < n;
            (all, self.at)
        }

        pub fn or(&mut self, n: Tensor<i32>) -> (Tensor<bool>, Tensor<i32>) {
            self.at = 0;
            let any = self.next() > n || self.next() > n || self.next() > n;
            (any, self.at)
        }

        pub fn assigns(&self, n: Tensor<i32>) -> (Tensor<bool>, Tensor<i32>) {
            let mut k = n;
            let both = n > 0 && {
                k *= 2;
                k > 8
            };
            (both, k)
        }

        pub fn returns(&self, n: Tensor<i32>) -> Tensor<i32> {
            let is_small = n < 10 || {
                if n > 20 {
                    return 20;
                }
                n == 15
            };
            if is_small { n } else { -n }
        }

        pub fn leaves(&self, n: Tensor<i32>) -> Tensor<i32> {
            let mut k = 0;
            for i in range(0, 100) {
                let _ = i < n || break;
                k += i;
            }
            k
        }

        pub fn checked(&self, n: Tensor<i32>) -> Tensor<bool> {
            n > 0 && {
                assert!(n * n < 100, "the number is small");
                n % 2 == 0
            }
        }
    }
}

#[test]
fn the_right_side_of_and_and_or_has_its_effects_only_where_it_decides() -> iree_dsl::Result<()> {
    let mut program = operands::Operands::load(&Device::open("local-sync")?)?;
    for n in -1..6 {
        let mut at = 0;
        let mut next = || {
            at += 1;
            at
        };
        let expected = next() < n && next() < n && next() < n;
        let (found, last) = program.and(n)?;
        assert_eq!(
            (found.to_scalar()?, last.to_scalar()?),
            (expected, at),
            "{n}"
        );

        let mut at = 0;
        let mut next = || {
            at += 1;
            at
        };
        let expected = next() > n || next() > n || next() > n;
        let (found, last) = program.or(n)?;
        assert_eq!(
            (found.to_scalar()?, last.to_scalar()?),
            (expected, at),
            "{n}"
        );

        let (found, last) = program.assigns(n)?;
        let expected = if n > 0 {
            (2 * n > 8, 2 * n)
        } else {
            (false, n)
        };
        assert_eq!((found.to_scalar()?, last.to_scalar()?), expected, "{n}");
        let expected: i32 = (0..n.max(0)).sum();
        assert_eq!(program.leaves(n)?.to_scalar()?, expected, "{n}");
    }
    for (n, expected) in [(3, 3), (9, 9), (10, -10), (15, 15), (20, -20), (21, 20)] {
        assert_eq!(program.returns(n)?.to_scalar()?, expected, "{n}");
    }
    Ok(())
}

#[test]
fn an_assertion_on_the_right_side_is_checked_only_where_it_decides() -> iree_dsl::Result<()> {
    let program = operands::Operands::load(&Device::open("local-sync")?)?;
    assert!(!program.checked(-20)?.to_scalar()?);
    assert!(program.checked(4)?.to_scalar()?);
    assert!(!program.checked(5)?.to_scalar()?);
    let failed = program.checked(12).and_then(|found| found.to_scalar());
    let message = failed.expect_err("12 is not small").to_string();
    assert!(message.contains("the number is small"), "{message}");
    Ok(())
}

#[program]
mod indices {
    pub struct Indices {
        #[global]
        at: Tensor<i32>,
        #[global]
        grid: Tensor<f32, 6, 3>,
        #[global]
        log: Tensor<i32, 12>,
        #[global]
        pair: [Tensor<i32, 4, 2>; 2],
    }

    impl Indices {
        fn next(&mut self) -> Tensor<i32> {
            self.at += 1;
            self.at
        }

        pub fn chained(&mut self) -> (Tensor<i32>, Tensor<f32, 6, 3>) {
            (self.at, self.grid) = (0, zeros());
            self.grid[self.next()][1] = 5.0;
            self.grid[self.next()][self.next() - 1] += 7.0;
            self.grid[self.next()] = full(2.0);
            (self.at, self.grid)
        }

        pub fn taken_apart(&mut self) -> (Tensor<i32>, Tensor<i32, 12>) {
            (self.at, self.log) = (0, zeros());
            (self.log[self.next()], self.log[self.next()]) = (self.next(), self.next());
            self.log[self.next()] += self.next() * 10;
            (self.at, self.log)
        }

        /// An index assigns to the tensor that it is an index of.
        pub fn overlapping(&self, i: Tensor<i32>) -> (Tensor<i32>, Tensor<i32, 4>) {
            let mut y = zeros::<i32, 4>();
            y[{
                y[i] = 3;
                i + 1
            }] = 5;
            let read = y[{
                y[3] = 7;
                i + 2
            }];
            (read, y)
        }

        /// The index of an array is known while building, and may have effects all the same.
        pub fn of_array(&mut self) -> (Tensor<i32>, Tensor<i32>, Tensor<i32, 4, 2>) {
            (self.at, self.pair) = (0, [zeros(), zeros()]);
            self.pair[{
                self.at += 1;
                1
            }][self.next()][1] += 8;
            let read = self.pair[{
                self.at += 1;
                1
            }][self.next() - 2][self.next() - 4];
            (self.at, read, self.pair[1])
        }

        /// Nothing is stored once the procedure has returned.
        pub fn leaving(&mut self, n: Tensor<i32>) -> Tensor<i32, 12> {
            self.log = zeros();
            self.store(n);
            self.log
        }

        fn store(&mut self, n: Tensor<i32>) {
            self.log[{
                if n > 3 {
                    return;
                }
                n
            }] = 9;
        }
    }
}

#[test]
fn an_index_has_its_effects_once() -> iree_dsl::Result<()> {
    let mut program = indices::Indices::load(&Device::open("local-sync")?)?;
    let (at, grid) = program.chained()?;
    let mut expected = Array2::<f32>::zeros((6, 3));
    expected[(1, 1)] = 5.0;
    expected[(2, 2)] = 7.0;
    expected.row_mut(4).fill(2.0);
    assert_eq!((at.to_scalar()?, grid.to_array()?), (4, expected));

    let (mut at, mut log) = (0, [0; 12]);
    let mut next = || {
        at += 1;
        at
    };
    let (x, y) = (next(), next());
    log[next() as usize] = x;
    log[next() as usize] = y;
    let more = next() * 10;
    log[next() as usize] += more;
    let (last, found) = program.taken_apart()?;
    let found = (last.to_scalar()?, found.to_array()?.to_vec());
    assert_eq!(found, (at, log.to_vec()));

    let (read, found) = program.overlapping(1)?;
    let found = (read.to_scalar()?, found.to_array()?.to_vec());
    assert_eq!(found, (7, vec![0, 3, 5, 7]));

    let (at, read, found) = program.of_array()?;
    let mut expected = Array2::<i32>::zeros((4, 2));
    expected[(2, 1)] = 8;
    assert_eq!((at.to_scalar()?, read.to_scalar()?), (5, 8));
    assert_eq!(found.to_array()?, expected);

    for (n, at) in [(2, Some(2)), (5, None)] {
        let mut expected = vec![0; 12];
        if let Some(at) = at {
            expected[at] = 9;
        }
        assert_eq!(program.leaving(n)?.to_array()?.to_vec(), expected);
    }
    Ok(())
}
