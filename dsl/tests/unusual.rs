//! Operations put together as tests of single ones do not: element types that are seldom used, tensors
//! without axes, without elements and with many axes, and sizes that are known at the call only.

use half::f16;
use iree_dsl::prelude::*;
use ndarray::{Array, Array1, Array2, ArrayD, Axis, IxDyn, arr0, arr1, arr2};
use num_complex::{Complex32, Complex64};

#[program]
mod unusual {
    pub struct Unusual;

    impl Unusual {
        /// How often each of 16 numbers occurs, and the most frequent one.
        pub fn histogram<const N: usize>(
            &self,
            x: Tensor<u16, N>,
        ) -> (Tensor<u8, 16>, Tensor<i32>) {
            let counts = zeros::<u8, 16>().scatter_add((x % 16) as i32, ones::<u8, N>(), 0);
            (counts, counts.argmax_axis(0))
        }

        /// The positions of numbers above the median first.
        pub fn partition<const N: usize>(
            &self,
            x: Tensor<f64, N>,
        ) -> (Tensor<f64, N>, Tensor<f64>) {
            let median = x.sort(0).take((N as i32 - 1) / 2, 0);
            let above = (x > median) as i8;
            (x.sort_by_key(-above, 0), median)
        }

        /// Runs of equal numbers, numbered.
        pub fn runs<const N: usize>(&self, x: Tensor<i8, N>) -> Tensor<i32, N> {
            let starts = (x != x.roll(1, 0)) & (iota::<i32, N>(0) > 0);
            (starts as i32).cumsum(0)
        }

        /// A product of complex polynomials by transforms.
        pub fn polynomials<const N: usize, const M: usize>(
            &self,
            a: Tensor<Complex<f64>, N>,
            b: Tensor<Complex<f64>, M>,
        ) -> Tensor<Complex<f64>, { N + M - 1 }> {
            let a = concatenate([a, zeros::<Complex<f64>, { M - 1 }>()], 0);
            let b = concatenate([b, zeros::<Complex<f64>, { N - 1 }>()], 0);
            (a.fft() * b.fft()).ifft()
        }

        /// Six axes, of which one is empty or not.
        pub fn six_axes<const N: usize>(
            &self,
            x: Tensor<i64, 2, N, 1, 3, 2, 2>,
        ) -> (Tensor<i64, 2, 2, 3, N>, Tensor<bool, N>, Tensor<i64, 2, 1>) {
            let turned = x.permute([5, 4, 3, 1, 0, 2]).remove_axis(5).sum_axis(4);
            (
                turned.reverse([0, 3]),
                (x > 5).any_axis([0, 2, 3, 4, 5]),
                x.max_axis([1, 3, 4, 5]),
            )
        }

        /// Scalars of every kind.
        pub fn scalars(
            &self,
            x: Tensor<f16>,
            k: Tensor<u64>,
            z: Tensor<Complex<f32>>,
            t: Tensor<bool>,
        ) -> (Tensor<f16, 1>, Tensor<i8>, Tensor<f32>, Tensor<u8, 2, 2>) {
            (
                x.exp().insert_axis(0).sort(0).cumsum(0),
                (k.leading_zeros() as i8) << 7,
                (z * z.conj()).re().sqrt(),
                t.broadcast_to([2, 2]) as u8,
            )
        }

        /// Whether an odd number of bits is set in each column.
        pub fn parity<const N: usize>(&self, bits: Tensor<bool, N, 8>) -> Tensor<u32, 8> {
            let words = ((bits as u32) << iota::<u32, N, 8>(1)).sum_axis(1);
            words.reduce(0, 0, |a, b| a ^ b) >> iota::<u32, 8>(0) & 1
        }

        /// The least squares line through points.
        pub fn line<const N: usize>(&self, x: Tensor<f64, N>, y: Tensor<f64, N>) -> Tensor<f64, 2> {
            let design = stack([x, ones::<f64, N>()], 1);
            design.t().dot(design).solve(design.t().dot(y))
        }

        /// Distances of all pairs, and the nearest other point of each.
        pub fn nearest<const N: usize>(
            &self,
            points: Tensor<f32, N, 3>,
        ) -> (Tensor<i32, N, 2>, Tensor<f32, N, 2>) {
            let apart = points.insert_axis(1) - points.insert_axis(0);
            let distances = (apart * apart).sum_axis(-1);
            let order = distances.argsort(1);
            let first = order[s![.., 1..3]];
            (first, distances.take_along_axis(first, 1).sqrt())
        }

        /// A walk until it leaves an interval.
        pub fn walk<const N: usize>(&self, steps: Tensor<i8, N>) -> (Tensor<i32>, Tensor<i8>) {
            let mut place: Tensor<i8> = zeros();
            let mut count = 0;
            while count < N as i32 && place.abs() < 100 {
                place += steps[count];
                count += 1;
            }
            (count, place)
        }

        /// Integers divided by zero, and shifted too far.
        pub fn edges<const N: usize>(
            &self,
            a: Tensor<i16, N>,
            b: Tensor<i16, N>,
        ) -> [Tensor<i16, N>; 4] {
            [a / b, a % b, a << b, a >> b]
        }

        /// Means and deviations of groups.
        pub fn groups<const N: usize>(
            &self,
            x: Tensor<f64, N>,
            group: Tensor<u8, N>,
        ) -> (Tensor<f64, 4>, Tensor<f64, 4>) {
            let count = zeros::<f64, 4>().scatter_add(group, 1.0, 0);
            let mean = zeros::<f64, 4>().scatter_add(group, x, 0) / count;
            let apart = x - mean.take(group, 0);
            (
                mean,
                (zeros::<f64, 4>().scatter_add(group, apart * apart, 0) / count).sqrt(),
            )
        }

        /// The element at a place that the program computes, of what may have none.
        pub fn at<const N: usize>(&self, x: Tensor<f32, N>, place: Tensor<i32>) -> Tensor<f32> {
            x[place]
        }

        /// The same in a loop that may have no rounds.
        pub fn all<const N: usize>(&self, x: Tensor<f32, N>) -> Tensor<f32> {
            let mut sum = 0.0;
            for i in range(0, N) {
                sum += x[i];
            }
            sum
        }

        /// One element replaced.
        pub fn put<const N: usize>(&self, x: Tensor<i8, N>, place: Tensor<i32>) -> Tensor<i8, N> {
            let mut x = x;
            x[place] = 7;
            x
        }

        /// The same of a row.
        pub fn row<const N: usize>(
            &self,
            x: Tensor<u8, N, 3>,
            place: Tensor<i32>,
        ) -> Tensor<u8, 3> {
            x[place]
        }
    }
}

use unusual::Unusual;

fn program() -> Unusual {
    Unusual::load(&Device::open("local-task").unwrap()).unwrap()
}

#[test]
fn histograms_of_any_length() {
    let program = program();
    for size in [0, 1, 15, 700] {
        let x: Array1<u16> = (0..size).map(|i| (i * i) as u16).collect();
        let mut expected = [0_u8; 16];
        x.iter().for_each(|x| {
            expected[(x % 16) as usize] = expected[(x % 16) as usize].wrapping_add(1)
        });
        let (counts, most) = program.histogram(&x).unwrap();
        assert_eq!(counts.to_array().unwrap().to_vec(), expected);
        let largest = expected.iter().max().unwrap();
        let first = expected.iter().position(|count| count == largest).unwrap();
        assert_eq!(most.to_scalar().unwrap(), first as i32);
    }
}

#[test]
fn partitions_by_a_median() {
    let program = program();
    for size in [1, 2, 7, 100] {
        let x: Array1<f64> = (0..size).map(|i| f64::from(i * 37 % 11) - 5.0).collect();
        let mut sorted = x.to_vec();
        sorted.sort_by(f64::total_cmp);
        let median = sorted[(sorted.len() - 1) / 2];
        let (above, below): (Vec<f64>, Vec<f64>) = x.iter().partition(|x| **x > median);
        let (found, found_median) = program.partition(&x).unwrap();
        assert_eq!(found_median.to_scalar().unwrap(), median);
        assert_eq!(found.to_array().unwrap().to_vec(), [above, below].concat());
    }
}

#[test]
fn runs_are_numbered() {
    let program = program();
    let found = program.runs([1, 1, 2, 2, 2, 1, 3]).unwrap();
    assert_eq!(found.to_array().unwrap().to_vec(), [0, 0, 1, 1, 1, 2, 3]);
    assert_eq!(program.runs([7]).unwrap().to_array().unwrap().to_vec(), [0]);
    assert_eq!(program.runs(&Array1::zeros(0)).unwrap().shape(), [0]);
}

#[test]
fn polynomials_are_multiplied() {
    let program = program();
    let complex = |re: f64, im: f64| Complex64::new(re, im);
    for (n, m) in [(1, 1), (3, 2), (5, 9)] {
        let a: Array1<_> = (0..n).map(|i| complex(f64::from(i) + 1.0, 0.5)).collect();
        let b: Array1<_> = (0..m).map(|i| complex(1.0, -f64::from(i))).collect();
        let mut expected = Array1::<Complex64>::zeros(a.len() + b.len() - 1);
        for (i, a) in a.iter().enumerate() {
            for (j, b) in b.iter().enumerate() {
                expected[i + j] += a * b;
            }
        }
        let found = program.polynomials(&a, &b).unwrap().to_array().unwrap();
        assert_eq!(found.len(), expected.len());
        assert!((found - expected).iter().all(|z| z.norm() < 1e-12));
    }
}

#[test]
fn six_axes_with_or_without_elements() {
    let program = program();
    for n in [1, 4] {
        let x = Array::from_shape_fn(IxDyn(&[2, n, 1, 3, 2, 2]), |at| {
            (0..6).fold(0_i64, |sum, axis| 3 * sum + at[axis] as i64) % 17
        });
        let x = x.into_dimensionality::<ndarray::Ix6>().unwrap();
        let (turned, any, most) = program.six_axes(&x).unwrap();
        let turned = turned.to_array().unwrap();
        for ((a, b, c, d), found) in turned.indexed_iter() {
            let expected: i64 = (0..2)
                .map(|first| x[[first, n - 1 - d, 0, c, b, 1 - a]])
                .sum();
            assert_eq!(*found, expected);
        }
        for (found, part) in any.to_array().unwrap().iter().zip(x.axis_iter(Axis(1))) {
            assert_eq!(*found, part.iter().any(|x| *x > 5));
        }
        for (found, part) in most.to_array().unwrap().iter().zip(x.axis_iter(Axis(0))) {
            assert_eq!(found, part.iter().max().unwrap());
        }
    }
    let none = ArrayD::zeros(IxDyn(&[2, 0, 1, 3, 2, 2]));
    let none = none.into_dimensionality::<ndarray::Ix6>().unwrap();
    let (turned, any, most) = program.six_axes(&none).unwrap();
    assert_eq!((turned.shape(), any.shape()), (&[2, 2, 3, 0][..], &[0][..]));
    assert_eq!(
        most.to_array().unwrap(),
        Array2::from_elem((2, 1), i64::MIN)
    );
}

#[test]
fn scalars_of_every_kind() {
    let z = Complex32::new(3.0, -4.0);
    let (x, k, size, t) = program().scalars(f16::ONE, 1_u64 << 62, z, true).unwrap();
    assert_eq!(x.to_array().unwrap(), arr1(&[f16::from_f32(1_f32.exp())]));
    assert_eq!(k.to_array().unwrap(), arr0(i8::MIN));
    assert_eq!(size.to_scalar().unwrap(), 5.0);
    assert_eq!(t.to_array().unwrap(), arr2(&[[1, 1], [1, 1]]));
}

#[test]
fn bits_are_combined() {
    let program = program();
    for rows in [0, 1, 6] {
        let bits = Array2::from_shape_fn((rows, 8), |(row, column)| (row * column + row) % 3 == 1);
        let expected: Vec<_> = bits
            .columns()
            .into_iter()
            .map(|column| column.iter().filter(|bit| **bit).count() as u32 % 2)
            .collect();
        assert_eq!(
            program.parity(&bits).unwrap().to_array().unwrap().to_vec(),
            expected
        );
    }
}

#[test]
fn lines_through_points() {
    let x: Array1<f64> = (0..9).map(f64::from).collect();
    let y = x.mapv(|x| 3.0 - 0.5 * x);
    let found = program().line(&x, &y).unwrap().to_array().unwrap();
    assert!((found[0] + 0.5).abs() < 1e-12 && (found[1] - 3.0).abs() < 1e-12);
}

#[test]
fn nearest_points() {
    let program = program();
    for size in [3, 10] {
        let points = Array2::from_shape_fn((size, 3), |(i, k)| ((i * i * (k + 2)) % 23) as f32);
        let (first, distances) = program.nearest(&points).unwrap();
        let (first, distances) = (first.to_array().unwrap(), distances.to_array().unwrap());
        for (row, point) in points.rows().into_iter().enumerate() {
            let apart = |other: usize| {
                let apart = &point - &points.row(other);
                apart.dot(&apart)
            };
            let mut order: Vec<_> = (0..size).collect();
            order.sort_by(|a, b| apart(*a).total_cmp(&apart(*b)));
            for place in 0..2 {
                assert_eq!(first[[row, place]] as usize, order[place + 1]);
                let expected = apart(order[place + 1]).sqrt();
                assert!((distances[[row, place]] - expected).abs() <= 1e-5 * expected);
            }
        }
    }
}

#[test]
fn walks_end() {
    let program = program();
    let walk = |steps: &[i8]| {
        let (count, place) = program.walk(&arr1(steps)).unwrap();
        (count.to_scalar().unwrap(), place.to_scalar().unwrap())
    };
    assert_eq!(walk(&[]), (0, 0));
    assert_eq!(walk(&[60, 60, 60]), (2, 120));
    assert_eq!(walk(&[5, -5]), (2, 0));
}

#[test]
fn integers_at_their_edges() {
    let a = arr1(&[i16::MIN, 7, -7, 1, -1]);
    let b = arr1(&[-1, 0, 0, 16, 300]);
    let [quotient, rest, left, right] = program().edges(&a, &b).unwrap();
    assert_eq!(
        quotient.to_array().unwrap().to_vec(),
        [i16::MIN, -1, -1, 0, 0]
    );
    assert_eq!(rest.to_array().unwrap().to_vec(), [0, 7, -7, 1, -1]);
    assert_eq!(left.to_array().unwrap().to_vec(), [0, 7, -7, 0, 0]);
    assert_eq!(right.to_array().unwrap().to_vec(), [-1, 7, -7, 0, -1]);
}

#[test]
fn groups_of_numbers() {
    let x = arr1(&[1.0, 2.0, 3.0, 10.0, 5.0]);
    let (mean, deviation) = program().groups(&x, [0, 0, 1, 3, 1]).unwrap();
    let (mean, deviation) = (mean.to_array().unwrap(), deviation.to_array().unwrap());
    assert_eq!((mean[0], mean[1], mean[3]), (1.5, 4.0, 10.0));
    assert_eq!((deviation[0], deviation[1], deviation[3]), (0.5, 1.0, 0.0));
    assert!(mean[2].is_nan() && deviation[2].is_nan());
}

#[test]
fn nothing_is_at_a_place_of_nothing() {
    let program = program();
    assert_eq!(program.at([1.0, 2.0], 7).unwrap().to_scalar().unwrap(), 2.0);
    let mistake = program.at(&Array1::zeros(0), 0).unwrap_err().to_string();
    assert_eq!(mistake, "`at` needs `N >= 1`, but N is 0");
    assert_eq!(
        program.all(&Array1::zeros(0)).unwrap().to_scalar().unwrap(),
        0.0
    );
    assert_eq!(
        program.put([1, 2], 5).unwrap().to_array().unwrap().to_vec(),
        [1, 7]
    );
    assert!(program.put(&Array1::zeros(0), 0).is_err());
    assert_eq!(
        program
            .row([[1, 2, 3]], -3)
            .unwrap()
            .to_array()
            .unwrap()
            .to_vec(),
        [1, 2, 3]
    );
    assert!(program.row(&Array2::zeros((0, 3)), 0).is_err());
}
