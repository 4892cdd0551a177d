//! Operations along axes whose size is known at the call only: one artifact, many sizes.

use half::{bf16, f16};
use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, Axis, arr1};
use num_complex::{Complex, Complex32, Complex64};
use std::{cmp::Ordering, fmt::Debug, ops::Range};

#[program]
mod lengths {
    pub struct Lengths;

    impl Lengths {
        pub fn sort_bool<const N: usize>(&self, x: Tensor<bool, N>) -> Tensor<bool, N> {
            x.sort(0)
        }

        pub fn sort_i8<const N: usize>(&self, x: Tensor<i8, N>) -> Tensor<i8, N> {
            x.sort(0)
        }

        pub fn sort_u16<const N: usize>(&self, x: Tensor<u16, N>) -> Tensor<u16, N> {
            x.sort(0)
        }

        pub fn sort_i64<const N: usize>(&self, x: Tensor<i64, N>) -> Tensor<i64, N> {
            x.sort(0)
        }

        pub fn sort_u64<const N: usize>(&self, x: Tensor<u64, N>) -> Tensor<u64, N> {
            x.sort(0)
        }

        pub fn sort_f16<const N: usize>(&self, x: Tensor<f16, N>) -> Tensor<f16, N> {
            x.sort(0)
        }

        pub fn sort_bf16<const N: usize>(&self, x: Tensor<bf16, N>) -> Tensor<bf16, N> {
            x.sort(0)
        }

        pub fn sort_f64<const N: usize>(&self, x: Tensor<f64, N>) -> Tensor<f64, N> {
            x.sort(0)
        }

        pub fn argsort<const N: usize, const M: usize>(
            &self,
            x: Tensor<f32, N, M>,
        ) -> (Tensor<i32, N, M>, Tensor<i32, N, M>) {
            (x.argsort(0), x.argsort(1))
        }

        pub fn largest<const N: usize>(
            &self,
            x: Tensor<f32, N>,
        ) -> (Tensor<f32, 3>, Tensor<i32, 3>) {
            x.top_k(3)
        }

        pub fn permuted<const N: usize>(
            &self,
            seed: Tensor<i32>,
            x: Tensor<i32, N>,
        ) -> Tensor<i32, N> {
            random::permutation(random::key(seed), x)
        }

        pub fn sums<const N: usize, const M: usize>(
            &self,
            x: Tensor<i32, N, M>,
        ) -> (Tensor<i32, N, M>, Tensor<i32, N, M>) {
            (x.cumsum(0), x.cumprod(1))
        }

        pub fn sums_u8<const N: usize>(&self, x: Tensor<u8, N>) -> (Tensor<u8, N>, Tensor<u8, N>) {
            (x.cumsum(0), x.cummin(0))
        }

        pub fn any_so_far<const N: usize>(&self, x: Tensor<bool, N>) -> Tensor<bool, N> {
            x.cummax(0)
        }

        pub fn sums_f16<const N: usize>(&self, x: Tensor<f16, N>) -> Tensor<f16, N> {
            x.cumsum(0)
        }

        pub fn extremes<const N: usize>(
            &self,
            x: Tensor<f64, N>,
        ) -> (Tensor<f64, N>, Tensor<f64, N>) {
            (x.cummax(0), x.cummin(0))
        }

        pub fn products<const N: usize>(
            &self,
            z: Tensor<Complex<f32>, N>,
        ) -> (Tensor<Complex<f32>, N>, Tensor<Complex<f32>, N>) {
            (z.cumsum(0), z.cumprod(0))
        }

        pub fn rolled<const N: usize>(
            &self,
            x: Tensor<u8, N, 2>,
        ) -> (Tensor<u8, N, 2>, Tensor<u8, N, 2>) {
            (x.roll(3, 0), x.roll(-1000, 0))
        }

        pub fn thirds<const N: usize>(&self, x: Tensor<i32, N>) -> [Tensor<i32, { N / 3 }>; 3] {
            x.split(3, 0)
        }

        pub fn picked<const N: usize, const M: usize>(
            &self,
            x: Tensor<f32, N, 2>,
            at: Tensor<i32, M, 2>,
        ) -> Tensor<f32, M, 2> {
            x.take_along_axis(at, 0)
        }

        pub fn taken<const N: usize, const M: usize>(
            &self,
            x: Tensor<f32, N>,
            at: Tensor<i64, M>,
        ) -> Tensor<f32, M> {
            x.take(at, 0)
        }

        pub fn between<const N: usize>(
            &self,
            _like: Tensor<f64, N>,
        ) -> (Tensor<f64, N>, Tensor<f16, N>) {
            (linspace(-1.0, 3.0), linspace(0.0, 1.0))
        }

        pub fn frequencies<const N: usize>(
            &self,
            z: Tensor<Complex<f64>, 2, N>,
        ) -> (Tensor<Complex<f64>, 2, N>, Tensor<Complex<f64>, 2, N>) {
            (z.fft(), z.ifft())
        }

        pub fn real_frequencies<const N: usize>(
            &self,
            x: Tensor<f32, N>,
        ) -> (Tensor<Complex<f32>, { N / 2 + 1 }>, Tensor<f32, N>) {
            let half = x.rfft();
            (half, half.irfft(N))
        }

        pub fn solved<const N: usize, const M: usize>(
            &self,
            a: Tensor<f64, N, N>,
            b: Tensor<f64, N, M>,
        ) -> (Tensor<f64, N, M>, Tensor<f64, N, N>, Tensor<f64>) {
            (a.solve(b), a.inv(), a.det())
        }

        pub fn factor<const B: usize, const N: usize>(
            &self,
            a: Tensor<f32, B, N, N>,
        ) -> (Tensor<f32, B, N, N>, Tensor<f32, B, N, N>) {
            let l = a.cholesky();
            (l, triangular_solve!(l, a))
        }

        pub fn complex_inverse<const N: usize>(
            &self,
            a: Tensor<Complex<f64>, N, N>,
        ) -> Tensor<Complex<f64>, N, N> {
            a.inv()
        }
    }
}

use lengths::Lengths;

/// None, few, around powers of two, and more than are compared with all others.
const SIZES: [usize; 11] = [0, 1, 2, 3, 7, 8, 9, 64, 1000, 4097, 8192];

fn program() -> Lengths {
    Lengths::load(&Device::open("local-task").unwrap()).unwrap()
}

/// Numbers without an order, the same in every run.
fn noise(count: usize, range: Range<i64>) -> Vec<i64> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        range.start + (state % (range.end - range.start) as u64) as i64
    };
    std::iter::repeat_with(next).take(count).collect()
}

/// Floating-point numbers with ties, both zeros, infinities and NaN among them.
fn floats(count: usize) -> Vec<f64> {
    let edges = [f64::NAN, -0.0, 0.0, f64::INFINITY, f64::NEG_INFINITY];
    let number = |place: i64| match usize::try_from(place) {
        Ok(edge) if edge < edges.len() => edges[edge],
        _ => (place - 40) as f64 / 4.0,
    };
    noise(count, 0..80).into_iter().map(number).collect()
}

/// Rising, both zeros equal, NaN last.
fn rising(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b)
        .unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

/// The same bits, whatever NaN.
fn same(found: f64, expected: f64) -> bool {
    found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan())
}

#[track_caller]
fn check_floats(found: impl IntoIterator<Item = f64>, expected: &[f64]) {
    let found: Vec<_> = found.into_iter().collect();
    let all_same = found.iter().zip(expected).all(|(a, b)| same(*a, *b));
    assert!(
        found.len() == expected.len() && all_same,
        "{found:?} is not {expected:?}"
    );
}

#[track_caller]
fn check<T>(found: &DeviceArray<T, ndarray::Ix1>, expected: Vec<T>)
where
    T: iree_dsl::Element + PartialEq + Debug,
{
    assert_eq!(found.to_array().unwrap().to_vec(), expected);
}

#[test]
fn integers_of_every_kind_are_sorted() {
    let program = program();
    for size in SIZES {
        macro_rules! sorts {
            ($($method:ident $ty:ty: $range:expr;)+) => {$({
                let x: Array1<$ty> = noise(size, $range).into_iter().map(|x| x as $ty).collect();
                let mut expected = x.to_vec();
                expected.sort();
                check(&program.$method(&x).unwrap(), expected);
            })+};
        }
        sorts! {
            sort_i8 i8: -128..128;
            sort_u16 u16: 0..65536;
            sort_i64 i64: i64::MIN / 2..i64::MAX / 2;
            sort_u64 u64: i64::MIN / 2..i64::MAX / 2;
        }
        let truths: Array1<bool> = noise(size, 0..2).into_iter().map(|x| x == 1).collect();
        let mut expected = truths.to_vec();
        expected.sort();
        check(&program.sort_bool(&truths).unwrap(), expected);
    }
}

#[test]
fn floats_of_every_kind_are_sorted() {
    let program = program();
    for size in SIZES {
        let numbers = floats(size);
        let mut expected = numbers.clone();
        expected.sort_by(|a, b| rising(*a, *b));
        let x: Array1<_> = numbers.iter().copied().collect();
        check_floats(program.sort_f64(&x).unwrap().to_array().unwrap(), &expected);
        let x: Array1<_> = numbers.iter().map(|x| f16::from_f64(*x)).collect();
        let found = program.sort_f16(&x).unwrap().to_array().unwrap();
        check_floats(found.into_iter().map(f16::to_f64), &expected);
        let x: Array1<_> = numbers.iter().map(|x| bf16::from_f64(*x)).collect();
        let found = program.sort_bf16(&x).unwrap().to_array().unwrap();
        check_floats(found.into_iter().map(bf16::to_f64), &expected);
    }
}

#[test]
fn places_are_in_order_along_any_axis() {
    let program = program();
    for (rows, columns) in [(0, 3), (3, 0), (1, 1), (5, 3), (3, 4100), (4100, 2)] {
        let numbers = floats(rows * columns).into_iter().map(|x| x as f32);
        let x = Array2::from_shape_vec((rows, columns), numbers.collect()).unwrap();
        let (down, across) = program.argsort(&x).unwrap();
        for (found, axis) in [(down, Axis(0)), (across, Axis(1))] {
            let found = found.to_array().unwrap();
            for (line, places) in x.lanes(axis).into_iter().zip(found.lanes(axis)) {
                let mut expected: Vec<_> = (0..line.len() as i32).collect();
                expected.sort_by(|a, b| rising(line[*a as usize].into(), line[*b as usize].into()));
                assert_eq!(places.to_vec(), expected);
            }
        }
    }
}

#[test]
fn the_largest_of_any_number() {
    let program = program();
    for size in [3, 4, 100, 5000] {
        let x: Array1<f32> = noise(size, 0..1000).into_iter().map(|x| x as f32).collect();
        let mut expected: Vec<_> = (0..size as i32).collect();
        expected.sort_by(|a, b| x[*b as usize].total_cmp(&x[*a as usize]));
        let (values, places) = program.largest(&x).unwrap();
        check(&places, expected[..3].to_vec());
        check(
            &values,
            expected[..3].iter().map(|at| x[*at as usize]).collect(),
        );
    }
    let mistake = program.largest(&arr1(&[1.0, 2.0])).unwrap_err().to_string();
    assert!(mistake.contains("N >= 3"), "{mistake}");
}

#[test]
fn permutations_hold_every_element() {
    let program = program();
    for size in SIZES {
        let x: Array1<i32> = (0..size as i32).collect();
        let mut found = program
            .permuted(7, &x)
            .unwrap()
            .to_array()
            .unwrap()
            .to_vec();
        assert!(size < 7 || found != x.to_vec());
        found.sort_unstable();
        assert_eq!(found, x.to_vec());
    }
}

#[test]
fn elements_are_combined_with_those_before() {
    let program = program();
    for size in SIZES {
        let numbers = noise(size, -9..9);
        let x: Array1<u8> = numbers.iter().map(|x| *x as u8).collect();
        let (sums, least) = program.sums_u8(&x).unwrap();
        check(&sums, running(x.iter().copied(), u8::wrapping_add));
        check(&least, running(x.iter().copied(), u8::min));
        let x: Array1<bool> = numbers.iter().map(|x| *x == 8).collect();
        let any = program.any_so_far(&x).unwrap();
        check(&any, running(x.iter().copied(), |a, b| a | b));
        let numbers = floats(size);
        let x: Array1<f64> = numbers.iter().copied().collect();
        let (most, least) = program.extremes(&x).unwrap();
        let larger = |a: f64, b: f64| {
            if a.is_nan() || b.is_nan() {
                f64::NAN
            } else {
                a.max(b)
            }
        };
        let smaller = |a: f64, b: f64| -larger(-a, -b);
        let positive = |x: f64| x + 0.0;
        let found = most.to_array().unwrap().mapv(positive);
        check_floats(
            found,
            &running(numbers.iter().copied().map(positive), larger),
        );
        let found = least.to_array().unwrap().mapv(positive);
        let expected = running(numbers.iter().copied().map(positive), smaller);
        check_floats(
            found,
            &expected.into_iter().map(positive).collect::<Vec<_>>(),
        );
        let ones = Array1::from_elem(size.min(2000), f16::ONE);
        let sums = program.sums_f16(&ones).unwrap();
        check(
            &sums,
            (1..=ones.len())
                .map(|sum| f16::from_f32(sum as f32))
                .collect(),
        );
    }
}

fn running<T: Copy>(numbers: impl IntoIterator<Item = T>, combine: impl Fn(T, T) -> T) -> Vec<T> {
    let mut so_far = None;
    let next = |number| {
        let next = so_far.map_or(number, |so_far| combine(so_far, number));
        so_far = Some(next);
        next
    };
    numbers.into_iter().map(next).collect()
}

#[test]
fn elements_are_combined_along_any_axis() {
    let program = program();
    for (rows, columns) in [(0, 2), (2, 0), (1, 1), (3, 4), (1000, 3), (3, 1000)] {
        let numbers = noise(rows * columns, -3..4).into_iter().map(|x| x as i32);
        let x = Array2::from_shape_vec((rows, columns), numbers.collect()).unwrap();
        let (sums, products) = program.sums(&x).unwrap();
        let (sums, products) = (sums.to_array().unwrap(), products.to_array().unwrap());
        for (line, found) in x.columns().into_iter().zip(sums.columns()) {
            assert_eq!(
                found.to_vec(),
                running(line.iter().copied(), i32::wrapping_add)
            );
        }
        for (line, found) in x.rows().into_iter().zip(products.rows()) {
            assert_eq!(
                found.to_vec(),
                running(line.iter().copied(), i32::wrapping_mul)
            );
        }
    }
    for size in [0, 1, 2, 33] {
        let z: Array1<Complex32> = (0..size)
            .map(|place| Complex32::from_polar(1.0 + 0.01 * place as f32, place as f32))
            .collect();
        let (sums, products) = program.products(&z).unwrap();
        let close = |found: DeviceArray<Complex32, _>, expected: Vec<Complex32>| {
            let found = found.to_array().unwrap();
            let pairs = found.iter().zip(&expected);
            pairs.for_each(|(a, b)| assert!((a - b).norm() < 1e-4, "{a} {b}"));
            assert_eq!(found.len(), expected.len());
        };
        close(sums, running(z.iter().copied(), |a, b| a + b));
        close(products, running(z.iter().copied(), |a, b| a * b));
    }
}

#[test]
fn elements_go_around() {
    let program = program();
    for size in SIZES {
        let x = Array2::from_shape_fn((size, 2), |(row, column)| (3 * row + column) as u8);
        let (up, down) = program.rolled(&x).unwrap();
        for (found, places) in [(up, 3), (down, -1000_i64)] {
            let from = |row: usize| (row as i64 - places).rem_euclid(size as i64) as usize;
            let expected = Array2::from_shape_fn((size, 2), |(row, column)| x[[from(row), column]]);
            assert_eq!(found.to_array().unwrap(), expected, "{size} by {places}");
        }
    }
}

#[test]
fn parts_are_equal_or_refused() {
    let program = program();
    for size in [0, 3, 9, 3000] {
        let x: Array1<i32> = (0..size).collect();
        let parts = program.thirds(&x).unwrap();
        let parts = parts
            .iter()
            .flat_map(|part| part.to_array().unwrap().to_vec());
        assert_eq!(parts.collect::<Vec<_>>(), x.to_vec());
    }
    let mistake = program
        .thirds(&arr1(&[1, 2, 3, 4]))
        .unwrap_err()
        .to_string();
    assert!(mistake.contains("N"), "{mistake}");
}

#[test]
fn places_outside_are_moved_to_the_nearest_end() {
    let program = program();
    for size in SIZES.into_iter().filter(|size| *size > 0) {
        let x = Array2::from_shape_fn((size, 2), |(row, column)| (2 * row + column) as f32);
        let last = size as i64 - 1;
        let at: Vec<_> = noise(14, -2..size as i64 + 2);
        let clamped = |place: i64| place.clamp(0, last) as f32;
        let places: Vec<_> = at.iter().map(|place| *place as i32).collect();
        let places = Array2::from_shape_vec((7, 2), places).unwrap();
        let expected = Array2::from_shape_fn((7, 2), |(row, column)| {
            2.0 * clamped(at[2 * row + column]) + column as f32
        });
        assert_eq!(
            program.picked(&x, &places).unwrap().to_array().unwrap(),
            expected
        );
        let line: Array1<f32> = (0..size).map(|place| place as f32).collect();
        let taken = program.taken(&line, &Array1::from(at.clone())).unwrap();
        check(&taken, at.iter().map(|place| clamped(*place)).collect());
    }
}

#[test]
fn nothing_is_looked_up_in_nothing() {
    let program = program();
    let (none, some) = (Array1::<f32>::zeros(0), arr1(&[0_i64, 1]));
    assert_eq!(
        program.taken(&none, &Array1::zeros(0)).unwrap().shape(),
        [0]
    );
    assert!(program.taken(&none, &some).is_err());
    let none = Array2::<f32>::zeros((0, 2));
    assert!(program.picked(&none, &Array2::zeros((3, 2))).is_err());
}

#[test]
fn numbers_at_equal_distances() {
    let program = program();
    for size in SIZES {
        let (wide, narrow) = program.between(&Array1::zeros(size)).unwrap();
        let steps = size.saturating_sub(1).max(1) as f64;
        let (wide, narrow) = (wide.to_array().unwrap(), narrow.to_array().unwrap());
        for (place, (wide, narrow)) in wide.iter().zip(&narrow).enumerate() {
            let part = place as f64 / steps;
            assert!((wide - (4.0 * part - 1.0)).abs() < 1e-15 * 4.0);
            assert!(
                (narrow.to_f64() - part).abs() <= part / 2048.0,
                "{size} {place}"
            );
        }
        assert_eq!((wide.len(), narrow.len()), (size, size));
    }
}

#[test]
fn transforms_of_any_length() {
    let program = program();
    for size in [1, 2, 3, 7, 8, 64, 100, 1000] {
        let numbers = noise(4 * size, -100..100);
        let z = Array2::from_shape_fn((2, size), |(row, column)| {
            let at = 2 * (row * size + column);
            Complex64::new(numbers[at] as f64, numbers[at + 1] as f64)
        });
        let (forward, inverse) = program.frequencies(&z).unwrap();
        let (forward, inverse) = (forward.to_array().unwrap(), inverse.to_array().unwrap());
        for row in 0..2 {
            for (found, sign, scale) in [(&forward, -1.0, 1.0), (&inverse, 1.0, size as f64)] {
                for k in (0..size).step_by(size.div_ceil(8)) {
                    let expected: Complex64 = (0..size)
                        .map(|j| z[[row, j]] * root(j * k, size, sign))
                        .sum();
                    let distance = (found[[row, k]] * scale - expected).norm();
                    assert!(distance < 1e-10 * size as f64, "{size} {k}: {distance}");
                }
            }
        }
        let x: Array1<f32> = numbers[..size].iter().map(|x| *x as f32).collect();
        let (half, back) = program.real_frequencies(&x).unwrap();
        assert_eq!(half.shape(), [size / 2 + 1]);
        for (found, expected) in back.to_array().unwrap().iter().zip(&x) {
            assert!(
                (found - expected).abs() < 1e-3,
                "{size}: {found} {expected}"
            );
        }
    }
    let nothing = Array2::<Complex64>::zeros((2, 0));
    assert!(program.frequencies(&nothing).is_err());
}

fn root(turns: usize, order: usize, sign: f64) -> Complex64 {
    let angle = std::f64::consts::TAU * (turns % order) as f64 / order as f64;
    Complex64::from_polar(1.0, sign * angle)
}

/// A matrix that is far from singular.
fn matrix(size: usize) -> Array2<f64> {
    let noise = noise(size * size, -10..10);
    Array2::from_shape_fn((size, size), |(row, column)| {
        let diagonal = if row == column {
            3.0 + size as f64
        } else {
            0.0
        };
        diagonal + noise[row * size + column] as f64 / 20.0
    })
}

#[track_caller]
fn check_close(found: &Array2<f64>, expected: &Array2<f64>, most: f64) {
    assert_eq!(found.shape(), expected.shape());
    let distance = (found - expected).mapv(f64::abs);
    let distance = distance.iter().copied().fold(0.0, f64::max);
    assert!(distance <= most, "{distance}");
}

#[test]
fn matrices_of_any_size() {
    let program = program();
    for size in [0, 1, 2, 3, 5, 8, 40] {
        // With its rows exchanged, so that pivots are looked for.
        let order: Vec<_> = (0..size).rev().collect();
        let a = matrix(size).select(Axis(0), &order);
        let b = Array2::from_shape_fn((size, 3), |(row, column)| (row * column) as f64 - 1.0);
        let (x, inverse, determinant) = program.solved(&a, &b).unwrap();
        check_close(&a.dot(&x.to_array().unwrap()), &b, 1e-9);
        let inverse = inverse.to_array().unwrap();
        check_close(&a.dot(&inverse), &Array2::eye(size), 1e-12);
        let expected = eliminated(&a);
        let found = determinant.to_array().unwrap().into_scalar();
        assert!(
            (found - expected).abs() <= 1e-10 * expected.abs(),
            "{found} {expected}"
        );
        let z = a.mapv(|x| Complex::new(x, x / 2.0));
        let inverse = program.complex_inverse(&z).unwrap().to_array().unwrap();
        check_close(&z.dot(&inverse).mapv(|z| z.re), &Array2::eye(size), 1e-12);
        let a = matrix(size);
        let symmetric = (&a + &a.t()).mapv(|x| x as f32);
        let batch = ndarray::stack![Axis(0), symmetric, symmetric];
        let (l, rest) = program.factor(&batch).unwrap();
        let (l, rest) = (l.to_array().unwrap(), rest.to_array().unwrap());
        for item in 0..2 {
            let l = l.index_axis(Axis(0), item).mapv(f64::from);
            let expected = symmetric.mapv(f64::from);
            check_close(&l.dot(&l.t()), &expected, 1e-4);
            let rest = rest.index_axis(Axis(0), item).mapv(f64::from);
            check_close(&rest, &l.t().to_owned(), 1e-4);
        }
    }
}

/// A determinant by elimination without exchanges of the rows in reverse order, which are far from singular.
fn eliminated(a: &Array2<f64>) -> f64 {
    let size = a.nrows();
    let order: Vec<_> = (0..size).rev().collect();
    let mut m = a.select(Axis(0), &order);
    let exchanges = size * size.saturating_sub(1) / 2;
    let mut product = if exchanges.is_multiple_of(2) {
        1.0
    } else {
        -1.0
    };
    for pivot in 0..size {
        product *= m[[pivot, pivot]];
        for row in pivot + 1..size {
            let factor = m[[row, pivot]] / m[[pivot, pivot]];
            for column in pivot..size {
                m[[row, column]] -= factor * m[[pivot, column]];
            }
        }
    }
    product
}
