//! Integers and truth values that loops count and decide with, against the same in plain Rust: IREE's
//! machine computes them, not the device, and they must come out as those in tensors do.

use iree_dsl::prelude::*;
use ndarray::{Array1, array};

#[program]
mod registers {
    pub struct Registers {
        #[global]
        count: Tensor<u32>,
        #[global]
        last: Tensor<i16>,
        #[global(init = Table { rows: iota::<f32, 8>() })]
        table: Table,
    }

    pub struct Table {
        pub rows: Tensor<f32, 8>,
    }

    /// What arithmetic makes of two numbers in some rounds.
    pub struct Churned<T: Int> {
        pub sum: Tensor<T>,
        pub quotient: Tensor<T>,
        pub remainder: Tensor<T>,
        pub bits: Tensor<T>,
        pub up: Tensor<T>,
        pub down: Tensor<T>,
        pub least: Tensor<T>,
        pub greatest: Tensor<T>,
        pub order: Tensor<i32>,
    }

    #[kernel]
    fn churn<T: Int>(a: Tensor<T>, b: Tensor<T>, rounds: Tensor<i32>) -> Churned<T> {
        let mut c = Churned {
            sum: a,
            quotient: b,
            remainder: a,
            bits: b,
            up: a,
            down: b,
            least: a,
            greatest: a,
            order: 0,
        };
        for k in range(0, rounds) {
            let x = a + k as T;
            let y = b - k as T;
            c.sum = c.sum * 3 + y - x;
            c.quotient = c.quotient ^ (x / y);
            c.remainder += x % y;
            c.bits = ((c.bits & x) | !y) ^ (0 - c.bits);
            c.up = c.up ^ (x << y);
            c.down = c.down ^ (x >> y);
            c.least = c.least.minimum(x * y);
            c.greatest = c.greatest.maximum(x * y);
            if x < y {
                c.order += 1;
            }
            if x >= y {
                c.order += 10;
            }
            if (x > y) != (x <= c.sum) {
                c.order += 100;
            }
            if x != y && !(c.sum == x) {
                c.order += 1000;
            }
        }
        c
    }

    impl Registers {
        pub fn i8(&self, a: Tensor<i8>, b: Tensor<i8>, n: Tensor<i32>) -> Churned<i8> {
            churn(a, b, n)
        }
        pub fn i16(&self, a: Tensor<i16>, b: Tensor<i16>, n: Tensor<i32>) -> Churned<i16> {
            churn(a, b, n)
        }
        pub fn i32(&self, a: Tensor<i32>, b: Tensor<i32>, n: Tensor<i32>) -> Churned<i32> {
            churn(a, b, n)
        }
        pub fn i64(&self, a: Tensor<i64>, b: Tensor<i64>, n: Tensor<i32>) -> Churned<i64> {
            churn(a, b, n)
        }
        pub fn u8(&self, a: Tensor<u8>, b: Tensor<u8>, n: Tensor<i32>) -> Churned<u8> {
            churn(a, b, n)
        }
        pub fn u16(&self, a: Tensor<u16>, b: Tensor<u16>, n: Tensor<i32>) -> Churned<u16> {
            churn(a, b, n)
        }
        pub fn u32(&self, a: Tensor<u32>, b: Tensor<u32>, n: Tensor<i32>) -> Churned<u32> {
            churn(a, b, n)
        }
        pub fn u64(&self, a: Tensor<u64>, b: Tensor<u64>, n: Tensor<i32>) -> Churned<u64> {
            churn(a, b, n)
        }

        /// Conversions between all widths, with and without a sign, and what has a sign only.
        pub fn convert(
            &self,
            start: Tensor<i64>,
            n: Tensor<i32>,
        ) -> (Tensor<i64>, Tensor<u64>, Tensor<i32>, Tensor<bool>) {
            let mut x = start;
            let mut narrow = 0_u64;
            let mut sizes = 0;
            let mut odd = false;
            for k in range(0, n) {
                x = x * -7 + k as i64;
                narrow = narrow * 31
                    + (x as i8) as u64
                    + (x as u8) as u64
                    + ((x as i16) as u32) as u64
                    + ((x as u16) as i64) as u64
                    + ((x as i32).abs() as u8) as u64
                    + ((x as u32) as i16).abs() as u64;
                sizes += x.cast::<bool>() as i32 + (x > 0) as i32 + ((x as i8).abs() < 0) as i32;
                odd = odd ^ (x % 2 != 0);
            }
            (x, narrow, sizes, odd)
        }

        /// A counter without a sign that ends below zero, with steps of 3.
        pub fn down(&self, start: Tensor<u8>) -> (Tensor<u8>, Tensor<i32>) {
            let mut at = start;
            let mut rounds = 0;
            while at <= start {
                at -= 3;
                rounds += 1;
            }
            (at, rounds)
        }

        /// The greatest common divisor.
        pub fn divisor(&self, a: Tensor<u64>, b: Tensor<u64>) -> Tensor<u64> {
            let (mut a, mut b) = (a, b);
            while b != 0 {
                (a, b) = (b, a % b);
            }
            a
        }

        /// A generator of numbers, whose state is carried although no condition depends on it.
        pub fn generate(
            &self,
            seed: Tensor<u32>,
            step: Tensor<u32>,
            n: Tensor<u16>,
        ) -> Tensor<u32> {
            let mut state = seed;
            for k in range(0, n) {
                state = state * 1664525 + step + k as u32;
            }
            state
        }

        /// Loops in loops, left in each way.
        pub fn search(&self, n: Tensor<i64>, product: Tensor<i64>) -> (Tensor<i64>, Tensor<i64>) {
            for i in range(1, n) {
                let mut j = n;
                while j > 0 {
                    j -= 1;
                    if (i + j) % 3 == 0 {
                        continue;
                    }
                    if j < i {
                        break;
                    }
                    if i * j == product {
                        return (i, j);
                    }
                }
            }
            (-1, -1)
        }

        /// A counter that is stored to globals in each round, and a place that is too large.
        pub fn store(&mut self, n: Tensor<i32>) -> Tensor<f32> {
            let mut sum = 0.0;
            for k in range(-2, n) {
                self.count += 2;
                self.last = k as i16;
                self.table.rows[k * 3] = k as f32;
                sum += self.table.rows[k + 1];
            }
            sum
        }

        pub fn state(&self) -> (Tensor<u32>, Tensor<i16>, Tensor<f32, 8>) {
            (self.count, self.last, self.table.rows)
        }

        /// What the device computes decides, and numbers are of either.
        pub fn decide(&self, x: Tensor<i32, 5>, limit: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
            let mut at = 0;
            let mut sum = 0;
            while sum < limit && at < 9 {
                let here = x[at];
                sum += here;
                at += if here > 2 { here } else { 1 };
            }
            (at, sum)
        }

        /// Loops in branches read what others read too.
        pub fn branches(
            &self,
            x: Tensor<f32, 4>,
            first: Tensor<bool>,
            n: Tensor<i32>,
        ) -> (Tensor<f32, 4>, Tensor<i32>) {
            let mut y = x;
            let mut count = 0;
            if first {
                for k in range(0, n) {
                    y += k as f32;
                    count = count + k;
                }
            } else {
                for k in range(0, n) {
                    y[k] -= 1.0;
                    count = n - k;
                }
            }
            for k in range(count, count + n) {
                y *= 2.0;
                if first {
                    count += k;
                }
            }
            (y, count)
        }

        /// Sizes of the call are numbers in registers.
        pub fn sizes<const N: usize>(&self, x: Tensor<f32, N>) -> (Tensor<i32>, Tensor<f32>) {
            let mut rounds = 0;
            let mut sum = 0.0;
            let mut k = x.len() as i64 - 1;
            while k >= 0 {
                sum += x[k] * k as f32;
                k -= 2;
                rounds += 1;
            }
            (rounds, sum / x.len() as f32)
        }
    }
}

use registers::Registers;

fn program() -> Registers {
    Registers::load(&Device::open("local-sync").unwrap()).unwrap()
}

/// Compares a type's arithmetic with Rust's.
macro_rules! compare {
    ($program:ident, $ty:ident) => {
        let divide = |x: $ty, y: $ty| match y {
            0 => !0,
            _ => x.wrapping_div(y),
        };
        let remainder = |x: $ty, y: $ty| match y {
            0 => x,
            _ => x.wrapping_rem(y),
        };
        // A distance below zero is past the width too.
        let distance = |y: $ty| u32::try_from(y).ok();
        let up = |x: $ty, y| distance(y).and_then(|y| x.checked_shl(y)).unwrap_or(0);
        let down = |x: $ty, y| {
            let past = (x >> ($ty::BITS - 1)) * $ty::from($ty::MIN != 0);
            distance(y).and_then(|y| x.checked_shr(y)).unwrap_or(past)
        };
        let numbers = [
            0,
            1,
            2,
            7,
            100,
            $ty::MAX,
            $ty::MAX - 1,
            $ty::MIN,
            $ty::MIN + 3,
            !0,
            !4,
        ];
        for (a, b) in numbers.iter().flat_map(|a| numbers.map(|b| (*a, b))) {
            let (mut sum, mut quotient, mut left, mut bits) = (a, b, a, b);
            let (mut shifted_up, mut shifted_down, mut least, mut greatest) = (a, b, a, a);
            let mut order = 0;
            for k in 0..4 {
                let (x, y) = (a.wrapping_add(k as $ty), b.wrapping_sub(k as $ty));
                sum = sum.wrapping_mul(3).wrapping_add(y).wrapping_sub(x);
                quotient ^= divide(x, y);
                left = left.wrapping_add(remainder(x, y));
                bits = ((bits & x) | !y) ^ bits.wrapping_neg();
                shifted_up ^= up(x, y);
                shifted_down ^= down(x, y);
                least = least.min(x.wrapping_mul(y));
                greatest = greatest.max(x.wrapping_mul(y));
                order += i32::from(x < y) + 10 * i32::from(x >= y);
                order += 100 * i32::from((x > y) != (x <= sum));
                order += 1000 * i32::from(x != y && sum != x);
            }
            let found = $program.$ty(a, b, 4).unwrap();
            let place = format!("{} {a} {b}", stringify!($ty));
            assert_eq!(found.sum.to_scalar().unwrap(), sum, "sum {place}");
            assert_eq!(
                found.quotient.to_scalar().unwrap(),
                quotient,
                "quotient {place}"
            );
            assert_eq!(
                found.remainder.to_scalar().unwrap(),
                left,
                "remainder {place}"
            );
            assert_eq!(found.bits.to_scalar().unwrap(), bits, "bits {place}");
            assert_eq!(found.up.to_scalar().unwrap(), shifted_up, "up {place}");
            assert_eq!(
                found.down.to_scalar().unwrap(),
                shifted_down,
                "down {place}"
            );
            assert_eq!(found.least.to_scalar().unwrap(), least, "least {place}");
            assert_eq!(
                found.greatest.to_scalar().unwrap(),
                greatest,
                "greatest {place}"
            );
            assert_eq!(found.order.to_scalar().unwrap(), order, "order {place}");
        }
    };
}

#[test]
fn every_integer_type_computes_as_in_rust() {
    let program = program();
    compare!(program, i8);
    compare!(program, i16);
    compare!(program, i32);
    compare!(program, i64);
    compare!(program, u8);
    compare!(program, u16);
    compare!(program, u32);
    compare!(program, u64);
}

#[test]
fn conversions_wrap_and_extend() {
    let program = program();
    for start in [0_i64, 1, -1, 40_000, -3_000_000_000, i64::MAX, i64::MIN] {
        let (mut x, mut narrow, mut sizes, mut odd) = (start, 0_u64, 0, false);
        for k in 0..9 {
            x = x.wrapping_mul(-7).wrapping_add(k);
            narrow = narrow
                .wrapping_mul(31)
                .wrapping_add((x as i8) as u64)
                .wrapping_add((x as u8).into())
                .wrapping_add(((x as i16) as u32).into())
                .wrapping_add((x as u16).into())
                .wrapping_add(((x as i32).wrapping_abs() as u8).into())
                .wrapping_add(((x as u32) as i16).wrapping_abs() as u64);
            sizes += i32::from(x != 0) + i32::from(x > 0) + i32::from((x as i8) == i8::MIN);
            odd ^= x % 2 != 0;
        }
        let found = program.convert(start, 9).unwrap();
        assert_eq!(found.0.to_scalar().unwrap(), x);
        assert_eq!(found.1.to_scalar().unwrap(), narrow, "{start}");
        assert_eq!(found.2.to_scalar().unwrap(), sizes, "{start}");
        assert_eq!(found.3.to_scalar().unwrap(), odd);
    }
}

#[test]
fn a_counter_without_a_sign_wraps() {
    let program = program();
    for start in [0_u8, 1, 2, 3, 200, 254] {
        let (mut at, mut rounds) = (start, 0);
        while at <= start {
            at = at.wrapping_sub(3);
            rounds += 1;
        }
        let found = program.down(start).unwrap();
        assert_eq!(found.0.to_scalar().unwrap(), at);
        assert_eq!(found.1.to_scalar().unwrap(), rounds);
    }
}

#[test]
fn variables_change_places() {
    let program = program();
    for (a, b, divisor) in [(84, 36, 12), (0, 5, 5), (5, 0, 5), (u64::MAX, 15, 15)] {
        let found = program.divisor(a, b).unwrap();
        assert_eq!(found.to_scalar().unwrap(), divisor);
    }
}

#[test]
fn a_variable_starts_as_an_argument() {
    let program = program();
    for n in [0_u16, 1, 1000] {
        let state = (0..u32::from(n)).fold(42_u32, |state, k| {
            let next = state.wrapping_mul(1664525);
            next.wrapping_add(1013904223).wrapping_add(k)
        });
        let found = program.generate(42, 1013904223, n).unwrap();
        assert_eq!(found.to_scalar().unwrap(), state);
    }
}

fn search(n: i64, product: i64) -> (i64, i64) {
    for i in 1..n {
        let mut j = n;
        while j > 0 {
            j -= 1;
            if (i + j) % 3 == 0 {
                continue;
            }
            if j < i {
                break;
            }
            if i * j == product {
                return (i, j);
            }
        }
    }
    (-1, -1)
}

#[test]
fn nested_loops_are_left_in_each_way() {
    let program = program();
    for (n, product) in [(0, 4), (1, 4), (9, 28), (9, 12), (12, 64), (7, 1000)] {
        let found = program.search(n, product).unwrap();
        let found = (found.0.to_scalar().unwrap(), found.1.to_scalar().unwrap());
        assert_eq!(found, search(n, product), "{n} {product}");
    }
}

#[test]
fn counters_are_stored_and_places_clamp() {
    let mut program = program();
    let (mut count, mut last) = (0, 0);
    let mut rows: Vec<_> = (0..8).map(|k| k as f32).collect();
    for n in [0_i32, -5, 6] {
        let mut sum = 0.0;
        for k in -2..n {
            count += 2;
            last = k as i16;
            rows[(k * 3).clamp(0, 7) as usize] = k as f32;
            sum += rows[(k + 1).clamp(0, 7) as usize];
        }
        assert_eq!(program.store(n).unwrap().to_scalar().unwrap(), sum);
        let state = program.state().unwrap();
        assert_eq!(state.0.to_scalar().unwrap(), count);
        assert_eq!(state.1.to_scalar().unwrap(), last);
        assert_eq!(state.2.to_array().unwrap().to_vec(), rows);
    }
}

#[test]
fn what_the_device_computes_decides() {
    let program = program();
    let x = array![1, 5, -2, 3, 1];
    for limit in [0, 1, 4, 9, 100] {
        let (mut at, mut sum) = (0_i32, 0);
        while sum < limit && at < 9 {
            let here: i32 = x[at.clamp(0, 4) as usize];
            sum += here;
            at += if here > 2 { here } else { 1 };
        }
        let found = program.decide(&x, limit).unwrap();
        assert_eq!(found.0.to_scalar().unwrap(), at, "{limit}");
        assert_eq!(found.1.to_scalar().unwrap(), sum, "{limit}");
    }
}

#[test]
fn loops_in_branches_read_what_others_read() {
    let program = program();
    let x = array![1.0_f32, 2.0, 3.0, 4.0];
    for (first, n) in [(true, 0), (true, 3), (false, 0), (false, 4)] {
        let (mut y, mut count): (Array1<f32>, i32) = (x.clone(), 0);
        for k in 0..n {
            if first {
                y += k as f32;
                count += k;
            } else {
                y[k as usize] -= 1.0;
                count = n - k;
            }
        }
        let start = count;
        for k in start..start + n {
            y *= 2.0;
            if first {
                count += k;
            }
        }
        let found = program.branches(&x, first, n).unwrap();
        assert_eq!(found.0.to_array().unwrap(), y);
        assert_eq!(found.1.to_scalar().unwrap(), count);
    }
}

#[test]
fn sizes_of_the_call_are_counted_down_from() {
    let program = program();
    for size in [1_usize, 2, 5, 8] {
        let x = Array1::from_iter((0..size).map(|k| k as f32 + 0.5));
        let places = (0..size).rev().step_by(2);
        let sum: f32 = places.clone().map(|k| x[k] * k as f32).sum();
        let found = program.sizes(&x).unwrap();
        assert_eq!(found.0.to_scalar().unwrap(), places.count() as i32);
        assert_eq!(found.1.to_scalar().unwrap(), sum / size as f32);
    }
}
