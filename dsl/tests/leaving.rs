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

        /// A branch inside another for each round.
        pub fn first(&self, x: Tensor<f32, 24>) -> Tensor<i32> {
            for i in 0..24 {
                if x[i] > 0.0 {
                    return i;
                }
            }
            -1
        }

        pub fn digits(&self, x: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
            let mut n = x;
            let mut rounds = 0;
            for _ in 0..16 {
                if n == 0 {
                    break;
                }
                n /= 10;
                rounds += 1;
                if rounds % 3 == 1 {
                    continue;
                }
                n *= 1;
            }
            (n, rounds)
        }

        /// What the loop and the block are left with takes its type from their places.
        pub fn builds(&self, n: Tensor<i32>) -> Tensor<f64, 2> {
            let mut i = n;
            let first: Tensor<f64, 2> = loop {
                i += 1;
                if i % 5 == 0 {
                    break ones();
                }
                if i > 17 {
                    break zeros();
                }
            };
            let second: Tensor<f64> = 'known: {
                if n > 16 {
                    break 'known 0.5;
                }
                i as f64
            };
            first + second
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

        pub fn doubled(&self, x: Tensor<f32>) -> Tensor<f32> {
            let mut y = x;
            loop {
                y *= 2.0;
                if y > 100.0 {
                    return y;
                }
            }
        }

        /// Each loop ends in two ways, and what comes after it is never reached.
        pub fn without_an_end(
            &self,
            x: Tensor<i32>,
            n: Tensor<i32>,
        ) -> (Tensor<i32>, [Tensor<f32>; 2]) {
            if n == 0 {
                return (x, [0.0, 1.0]);
            }
            let mut y = x;
            if n > 10 {
                loop {
                    y += 3;
                    if y % n == 0 {
                        return (y, [1.0, 0.0]);
                    } else if y > 1000 {
                        return (-1, [2.0, y as f32]);
                    }
                }
            } else {
                'outer: loop {
                    y += n;
                    let z: Tensor<i32> = loop {
                        y += 1;
                        if y % 7 == 0 {
                            continue 'outer;
                        }
                        if y > 50 {
                            return (y, [3.0, n as f32]);
                        }
                        if y % 5 == 0 {
                            break 'outer;
                        }
                    };
                    y = z;
                }
                y *= 2;
            }
            if y > 30 {
                return (y, [4.0; 2]);
            }
            return (y + 1, [5.0; 2]);
        }

        /// No branch reaches what comes after it.
        pub fn in_a_block(&self, n: Tensor<i32>) -> Tensor<i32> {
            let k = 'block: {
                if n > 5 {
                    break 'block n;
                } else {
                    return -n;
                }
            };
            k * 2
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
fn what_is_left_takes_its_type_from_the_place_of_what_it_leaves() -> iree_dsl::Result<()> {
    let program = program();
    for (n, expected) in [(1, 6.0), (15, 18.0), (17, 0.5), (19, 1.5)] {
        assert_eq!(
            program.builds(n)?.to_array()?.to_vec(),
            [expected; 2],
            "{n}"
        );
    }
    Ok(())
}

#[test]
fn unrolled_loops_are_left_in_any_round() -> iree_dsl::Result<()> {
    let program = program();
    for at in [0, 1, 11, 23, 24] {
        let x: [f32; 24] = std::array::from_fn(|i| if i < at { -1.0 } else { 2.0 });
        let expected = if at == 24 { -1 } else { at as i32 };
        assert_eq!(program.first(x)?.to_scalar()?, expected);
    }
    for (x, rounds) in [(0, 0), (5, 1), (123, 3), (i32::MAX, 10)] {
        let (n, found) = program.digits(x)?;
        assert_eq!((n.to_scalar()?, found.to_scalar()?), (0, rounds), "{x}");
    }
    Ok(())
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

#[test]
fn a_loop_without_a_break_ends_where_it_returns() {
    let program = program();
    for x in [1.0_f32, 3.0, 50.0, 99.5, 200.0] {
        let mut y = x;
        let expected = loop {
            y *= 2.0;
            if y > 100.0 {
                break y;
            }
        };
        let found = program.doubled(x).unwrap();
        assert_eq!(found.to_scalar().unwrap(), expected);
    }
}

fn without_an_end(x: i32, n: i32) -> (i32, [f32; 2]) {
    if n == 0 {
        return (x, [0.0, 1.0]);
    }
    let mut y = x;
    if n > 10 {
        loop {
            y += 3;
            if y % n == 0 {
                return (y, [1.0, 0.0]);
            } else if y > 1000 {
                return (-1, [2.0, y as f32]);
            }
        }
    }
    'outer: loop {
        y += n;
        loop {
            y += 1;
            if y % 7 == 0 {
                continue 'outer;
            }
            if y > 50 {
                return (y, [3.0, n as f32]);
            }
            if y % 5 == 0 {
                break 'outer;
            }
        }
    }
    y *= 2;
    match y > 30 {
        true => (y, [4.0; 2]),
        false => (y + 1, [5.0; 2]),
    }
}

#[test]
fn what_comes_after_an_endless_loop_is_never_reached() {
    let program = program();
    for n in [0, 1, 2, 3, 5, 11, 12, 50] {
        for x in [-3, 0, 4, 17, 29, 49] {
            let (y, rest) = program.without_an_end(x, n).unwrap();
            let found = (y.to_scalar().unwrap(), rest.map(|r| r.to_scalar().unwrap()));
            assert_eq!(found, without_an_end(x, n), "{x} {n}");
        }
    }
    for n in [-2, 5, 6] {
        let expected = if n > 5 { 2 * n } else { -n };
        let found = program.in_a_block(n).unwrap();
        assert_eq!(found.to_scalar().unwrap(), expected);
    }
}
