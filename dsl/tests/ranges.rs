//! Ranges with their last number, for every element type that counts, against the same in plain Rust.

use iree_dsl::prelude::*;

#[program]
mod ranges {
    pub struct Ranges {
        #[global]
        rounds: Tensor<i32>,
    }

    /// How many rounds there are, without those that are skipped, and what they count to.
    pub struct Counted<T: Int> {
        pub rounds: Tensor<i32>,
        pub sum: Tensor<T>,
        pub last: Tensor<T>,
    }

    #[kernel]
    fn count<T: Int>(first: Tensor<T>, last: Tensor<T>) -> Counted<T> {
        let mut counted = Counted {
            rounds: 0,
            sum: 0,
            last: first,
        };
        for i in first..=last {
            counted.last = i;
            if i % 4 == 3 {
                continue;
            }
            counted.rounds += 1;
            counted.sum += i;
            if counted.rounds == 300 {
                break;
            }
        }
        counted
    }

    impl Ranges {
        pub fn count_i8(&self, first: Tensor<i8>, last: Tensor<i8>) -> Counted<i8> {
            count(first, last)
        }

        pub fn count_i16(&self, first: Tensor<i16>, last: Tensor<i16>) -> Counted<i16> {
            count(first, last)
        }

        pub fn count_i32(&self, first: Tensor<i32>, last: Tensor<i32>) -> Counted<i32> {
            count(first, last)
        }

        pub fn count_i64(&self, first: Tensor<i64>, last: Tensor<i64>) -> Counted<i64> {
            count(first, last)
        }

        pub fn count_u8(&self, first: Tensor<u8>, last: Tensor<u8>) -> Counted<u8> {
            count(first, last)
        }

        pub fn count_u16(&self, first: Tensor<u16>, last: Tensor<u16>) -> Counted<u16> {
            count(first, last)
        }

        pub fn count_u32(&self, first: Tensor<u32>, last: Tensor<u32>) -> Counted<u32> {
            count(first, last)
        }

        pub fn count_u64(&self, first: Tensor<u64>, last: Tensor<u64>) -> Counted<u64> {
            count(first, last)
        }

        /// The greatest number as it is written, and one that is not the greatest.
        pub fn literal(&self, byte: Tensor<u8>, long: Tensor<i64>) -> [Tensor<i32>; 3] {
            let mut rounds = [0, 0, 0];
            for _ in byte..=255 {
                rounds[0] += 1;
            }
            for _ in long..=9223372036854775807 {
                rounds[1] += 1;
            }
            for _ in byte..=250 {
                rounds[2] += 1;
            }
            rounds
        }

        pub fn stored(&mut self, n: Tensor<u8>) -> Tensor<i32> {
            self.rounds = 0;
            for i in 0..=n {
                for _ in i..=n {
                    self.rounds += 1;
                }
            }
            self.rounds
        }

        pub fn sizes<const N: usize>(&self, x: Tensor<f32, N>) -> (Tensor<i32>, Tensor<f32>) {
            let mut rounds = 0;
            for _ in 0..=N {
                rounds += 1;
            }
            (rounds, x.sum())
        }
    }
}

use ranges::{Counted, Ranges};

fn program() -> Ranges {
    Ranges::load(&Device::open("local-sync").unwrap()).unwrap()
}

macro_rules! counts {
    ($($test:ident $method:ident $ty:ident),* $(,)?) => {$(
        #[test]
        fn $test() {
            let program = program();
            for (first, last) in [
                (0, 0),
                (3, 2),
                (2, 9),
                (0, 127),
                ($ty::MAX, $ty::MAX),
                ($ty::MAX - 5, $ty::MAX),
                ($ty::MIN, $ty::MIN + 6),
                ($ty::MIN, $ty::MIN),
                ($ty::MAX, $ty::MIN),
                ($ty::MIN, $ty::MAX),
            ] {
                let Counted { rounds, sum, last: reached } = program.$method(first, last).unwrap();
                let mut expected = (0, 0 as $ty, first);
                for i in first..=last {
                    expected.2 = i;
                    if i % 4 == 3 {
                        continue;
                    }
                    expected.0 += 1;
                    expected.1 = expected.1.wrapping_add(i);
                    if expected.0 == 300 {
                        break;
                    }
                }
                let found = (
                    rounds.to_scalar().unwrap(),
                    sum.to_scalar().unwrap(),
                    reached.to_scalar().unwrap(),
                );
                assert_eq!(found, expected, "{first}..={last}");
            }
        }
    )*};
}

counts! {
    the_last_i8_is_counted count_i8 i8,
    the_last_i16_is_counted count_i16 i16,
    the_last_i32_is_counted count_i32 i32,
    the_last_i64_is_counted count_i64 i64,
    the_last_u8_is_counted count_u8 u8,
    the_last_u16_is_counted count_u16 u16,
    the_last_u32_is_counted count_u32 u32,
    the_last_u64_is_counted count_u64 u64,
}

#[test]
fn the_greatest_number_may_be_written() {
    let program = program();
    for (byte, long) in [(0_u8, i64::MAX), (255, i64::MAX - 3), (251, i64::MAX - 1)] {
        let found = program.literal(byte, long).unwrap();
        let found = found.map(|rounds| rounds.to_scalar().unwrap());
        let expected = [
            (byte..=255).count(),
            (long..=i64::MAX).count(),
            (byte..=250).count(),
        ];
        assert_eq!(found, expected.map(|rounds| rounds as i32));
    }
}

#[test]
fn ranges_within_ranges_count_on_in_globals() {
    let mut program = program();
    for n in [0_u8, 3, 255] {
        let rounds = (0..=n).map(|i| (i..=n).count()).sum::<usize>();
        let found = program.stored(n).unwrap().to_scalar().unwrap();
        assert_eq!(found, rounds as i32);
    }
}

#[test]
fn sizes_end_ranges() {
    let (rounds, sum) = program().sizes([1.0, 2.0]).unwrap();
    assert_eq!(rounds.to_scalar().unwrap(), 3);
    assert_eq!(sum.to_scalar().unwrap(), 3.0);
}
