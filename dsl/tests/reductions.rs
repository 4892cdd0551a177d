//! Reductions along sizes that are known at the call only, of tensors that are used otherwise as well.

use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, ArrayView1, Axis};

#[program]
mod reductions {
    pub struct Reductions {
        #[global(init = random::uniform::<f32, 3, 1>(random::key(7)) * 0.1)]
        w: Tensor<f32, 3, 1>,
    }

    impl Reductions {
        pub fn weights(&self) -> Tensor<f32, 3, 1> {
            self.w
        }

        pub fn train<const B: usize>(
            &mut self,
            x: Tensor<f32, B, 3>,
            y: Tensor<f32, B, 1>,
            rounds: Tensor<i32>,
        ) -> Tensor<f32> {
            let mut loss = 0.0;
            for _ in range(0, rounds) {
                let error = x.dot(self.w) - y;
                loss = (error * error).mean();
                self.w = self.w - x.t().dot(error) * (0.2 / B as f32);
            }
            loss
        }

        /// Each reduction to a scalar, of a tensor that is returned.
        pub fn to_scalars<const N: usize>(
            &self,
            x: Tensor<f32, N>,
        ) -> (
            Tensor<f32, N>,
            Tensor<f32>,
            Tensor<f32>,
            Tensor<f32>,
            Tensor<f32>,
            Tensor<f32>,
            Tensor<f32>,
            Tensor<i32>,
            Tensor<bool>,
            Tensor<bool>,
        ) {
            let y = x.tanh() * 1.5;
            (
                y,
                y.sum(),
                y.prod(),
                y.max(),
                y.min(),
                y.var(),
                y.logsumexp_axis(0),
                y.argmax_axis(0),
                (y > 1.25).any(),
                (y > -1.25).all(),
            )
        }

        /// The same in a loop, whose rounds hand the tensor on.
        pub fn in_rounds<const N: usize>(
            &self,
            x: Tensor<f32, N>,
            rounds: Tensor<i32>,
        ) -> (Tensor<f32, N>, Tensor<f32>) {
            let mut y = x;
            let mut total = 0.0;
            for _ in range(0, rounds) {
                let next = y.tanh();
                total += next.max() - next.min() + next.sum();
                y = next * 0.5;
            }
            (y, total)
        }

        /// Reductions to rows, of the factors of products.
        pub fn to_rows<const B: usize>(
            &self,
            x: Tensor<f32, B, 3>,
        ) -> (
            Tensor<f32, 3>,
            Tensor<f32, 3>,
            Tensor<i32, 3>,
            Tensor<f32, 3, 3>,
        ) {
            let y = x.tanh();
            (
                y.min_axis(0),
                y.mean_axis(0),
                y.argmax_axis(0),
                y.t().dot(y * 2.0),
            )
        }

        /// Along either axis, and the first of them stored as well.
        pub fn along_either<const B: usize>(
            &self,
            x: Tensor<f32, B, 4>,
        ) -> (Tensor<f32, B, 4>, Tensor<f32, B, 4>, Tensor<f32, B, 4>) {
            let y = x.tanh();
            ((y - x).softmax(1), x.softmax(0), y)
        }

        /// One reduction after the other.
        pub fn twice<const B: usize>(
            &self,
            x: Tensor<f32, B, B>,
        ) -> (Tensor<i32, B>, Tensor<i32>, Tensor<f32>) {
            let best = x.argmax_axis(1);
            (best, best.argmax_axis(0), x.sum_axis(0).max())
        }

        /// What kernels compute and reduce.
        pub fn by_kernels<const B: usize>(
            &self,
            x: Tensor<f32, B, 3>,
        ) -> (Tensor<f32, B, 3>, Tensor<f32>, Tensor<f32>) {
            let (y, z) = both(x);
            (z, squares(y), y.max())
        }

        /// Written twice, which is computed once.
        pub fn written_twice<const N: usize>(
            &self,
            x: Tensor<f32, N>,
            y: Tensor<f32, N>,
        ) -> (Tensor<f32, N>, Tensor<f32>) {
            (x - y, (x - y).sum())
        }
    }

    #[kernel]
    fn both<const M: usize, const N: usize>(
        x: Tensor<f32, M, N>,
    ) -> (Tensor<f32, M, N>, Tensor<f32, M, N>) {
        let y = x.tanh();
        (y, y * 2.0)
    }

    #[kernel]
    fn squares<const M: usize, const N: usize>(x: Tensor<f32, M, N>) -> Tensor<f32> {
        (x * x).sum()
    }
}

use reductions::Reductions;

const SIZES: [usize; 4] = [1, 2, 17, 300];

fn load() -> Reductions {
    Reductions::load(&Device::open("local-sync").unwrap()).unwrap()
}

/// Numbers between -2 and 2, no two of which are equal.
fn rows(count: usize, width: usize) -> Array2<f32> {
    let number = |(row, column)| ((row * width + column) as f32 * 1.7).sin() * 2.0;
    Array2::from_shape_fn((count, width), number)
}

fn row(count: usize) -> Array1<f32> {
    rows(count, 1).remove_axis(Axis(1))
}

#[track_caller]
fn assert_close<'a>(
    found: impl IntoIterator<Item = &'a f32>,
    expected: impl IntoIterator<Item = &'a f32>,
) {
    let (found, expected) = (
        found.into_iter().collect::<Vec<_>>(),
        expected.into_iter().collect::<Vec<_>>(),
    );
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        let difference = (*found - *expected).abs();
        let bound = 2e-4 * expected.abs().max(1.0);
        assert!(difference <= bound, "{found}, and not {expected}");
    }
}

fn position(numbers: ArrayView1<f32>, is_better: impl Fn(f32, f32) -> bool) -> usize {
    let better = |best: usize, next: usize| match is_better(numbers[next], numbers[best]) {
        true => next,
        false => best,
    };
    (0..numbers.len()).reduce(better).unwrap()
}

fn largest(numbers: ArrayView1<f32>) -> usize {
    position(numbers, |one, other| one > other)
}

fn smallest(numbers: ArrayView1<f32>) -> usize {
    position(numbers, |one, other| one < other)
}

fn softmax(x: &Array2<f32>, axis: Axis) -> Array2<f32> {
    let e = x.mapv(f32::exp);
    &e / &e.sum_axis(axis).insert_axis(axis)
}

#[test]
fn a_loss_is_computed_with_its_gradient() {
    for count in SIZES {
        let (x, y) = (rows(count, 3), rows(count, 1));
        let mut program = load();
        let mut w = program.weights().unwrap().to_array().unwrap();
        let loss = program.train(&x, &y, 4).unwrap().to_scalar().unwrap();
        let mut expected = 0.0;
        for _ in 0..4 {
            let error = x.dot(&w) - &y;
            expected = (&error * &error).mean().unwrap();
            w = w - x.t().dot(&error) * (0.2 / count as f32);
        }
        assert_close(&[loss], &[expected]);
        assert_close(&program.weights().unwrap().to_array().unwrap(), &w);
    }
}

#[test]
fn a_tensor_is_returned_with_its_reductions() {
    for count in SIZES {
        let found = load().to_scalars(&row(count)).unwrap();
        let y = row(count).mapv(|x| x.tanh() * 1.5);
        let (most, least) = (y[largest(y.view())], y[smallest(y.view())]);
        let mean = y.mean().unwrap();
        assert_close(&found.0.to_array().unwrap(), &y);
        let scalars = [found.1, found.2, found.3, found.4, found.5, found.6];
        let scalars = scalars.map(|scalar| scalar.to_scalar().unwrap());
        let expected = [
            y.sum(),
            y.product(),
            most,
            least,
            y.mapv(|y| (y - mean).powi(2)).mean().unwrap(),
            y.mapv(f32::exp).sum().ln(),
        ];
        assert_close(&scalars, &expected);
        assert_eq!(found.7.to_scalar().unwrap(), largest(y.view()) as i32);
        assert_eq!(found.8.to_scalar().unwrap(), most > 1.25);
        assert_eq!(found.9.to_scalar().unwrap(), least > -1.25);
    }
}

#[test]
fn rounds_of_a_loop_reduce_what_they_hand_on() {
    for count in SIZES {
        let (y, total) = load().in_rounds(&row(count), 3).unwrap();
        let (mut expected, mut sum) = (row(count), 0.0);
        for _ in 0..3 {
            let next = expected.mapv(f32::tanh);
            let (most, least) = (largest(next.view()), smallest(next.view()));
            sum += next[most] - next[least] + next.sum();
            expected = next * 0.5;
        }
        assert_close(&y.to_array().unwrap(), &expected);
        assert_close(&[total.to_scalar().unwrap()], &[sum]);
    }
}

#[test]
fn factors_of_a_product_are_reduced_to_rows() {
    for count in SIZES {
        let (least, mean, best, product) = load().to_rows(&rows(count, 3)).unwrap();
        let y = rows(count, 3).mapv(f32::tanh);
        let columns = || y.axis_iter(Axis(1));
        let expected: Array1<f32> = columns().map(|column| column[smallest(column)]).collect();
        assert_close(&least.to_array().unwrap(), &expected);
        assert_close(&mean.to_array().unwrap(), &y.mean_axis(Axis(0)).unwrap());
        let expected: Array1<i32> = columns().map(|column| largest(column) as i32).collect();
        assert_eq!(best.to_array().unwrap(), expected);
        assert_close(&product.to_array().unwrap(), &y.t().dot(&(&y * 2.0)));
    }
}

#[test]
fn a_tensor_is_reduced_along_either_axis() {
    for count in SIZES {
        let x = rows(count, 4);
        let (one, other, y) = load().along_either(&x).unwrap();
        let tanh = x.mapv(f32::tanh);
        assert_close(&one.to_array().unwrap(), &softmax(&(&tanh - &x), Axis(1)));
        assert_close(&other.to_array().unwrap(), &softmax(&x, Axis(0)));
        assert_close(&y.to_array().unwrap(), &tanh);
    }
}

#[test]
fn a_reduction_is_reduced() {
    for count in SIZES {
        let x = rows(count, count);
        let (best, last, sum) = load().twice(&x).unwrap();
        let expected: Array1<i32> = x.outer_iter().map(|row| largest(row) as i32).collect();
        let floats = expected.mapv(|place| place as f32);
        assert_eq!(best.to_array().unwrap(), expected);
        assert_eq!(last.to_scalar().unwrap(), largest(floats.view()) as i32);
        let sums = x.sum_axis(Axis(0));
        assert_close(&[sum.to_scalar().unwrap()], &[sums[largest(sums.view())]]);
    }
}

#[test]
fn kernels_reduce_what_others_return() {
    for count in SIZES {
        let (z, squares, most) = load().by_kernels(&rows(count, 3)).unwrap();
        let y = rows(count, 3).mapv(f32::tanh);
        assert_close(&z.to_array().unwrap(), &(&y * 2.0));
        let flat = y.flatten();
        let expected = [(&y * &y).sum(), flat[largest(flat.view())]];
        let found = [squares, most].map(|scalar| scalar.to_scalar().unwrap());
        assert_close(&found, &expected);
    }
}

#[test]
fn what_is_written_twice_is_reduced() {
    for count in SIZES {
        let (x, y) = (row(count), row(count).mapv(f32::cos));
        let (difference, sum) = load().written_twice(&x, &y).unwrap();
        assert_close(&difference.to_array().unwrap(), &(&x - &y));
        assert_close(&[sum.to_scalar().unwrap()], &[(&x - &y).sum()]);
    }
}
