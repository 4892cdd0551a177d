//! Reductions beside others, and what is repeated of them.

use super::{Case, Numbers};
use ndarray::{Array1, Array2, Axis, Ix2};

pub(super) const CASES: &[Case] = &[
    // What is repeated along an axis, and reduced along it.
    Case {
        text: "<const N: usize, const M: usize>(&self, x: Tensor<i32, N, M>) -> Tensor<i32, N, M> {
            (x.insert_axis(2).broadcast_to([N, M, N]) & 3).sum_axis(2)
        }",
        inputs: &[("i32", &[6, 50])],
        results: &["i32"],
        expected: |x| vec![x[0].mapv(|x| 6.0 * f64::from(x as i32 & 3))],
    },
    Case {
        text: "<const N: usize, const M: usize>(&self, x: Tensor<f32, N, M>) -> Tensor<f32, N, M> {
            (x.broadcast_to([N, N, M]) * 3.0).max_axis(0)
        }",
        inputs: &[("f32", &[6, 50])],
        results: &["f32"],
        expected: |x| vec![&x[0] * 3.0],
    },
    Case {
        text: "(&self, x: Tensor<f32, 100>) -> Tensor<f32> { (x.broadcast_to([100, 100]) * 3.0).sum() }",
        inputs: &[("f32", &[100])],
        results: &["f32"],
        expected: |x| vec![ndarray::arr0(x[0].sum() * 300.0).into_dyn()],
    },
    Case {
        text: "(&self, x: Tensor<f64, 1000>) -> Tensor<f64, 1000> { x.insert_axis(1).broadcast_to([1000, 1000]).sum_axis(1) }",
        inputs: &[("f64", &[1000])],
        results: &["f64"],
        expected: |x| vec![&x[0] * 1000.0],
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<Complex<f32>, N, 1>) -> (Tensor<Complex<f32>, N, 1>, Tensor<Complex<f32>, N, 1>) {
            (x.sum_axis(0).insert_axis(0) / x, x / x)
        }",
        inputs: &[("Complex<f32>", &[6, 1])],
        results: &["Complex<f32>", "Complex<f32>"],
        expected: |x| {
            let sum = x[0].sum();
            vec![x[0].mapv(|x| sum / x), x[0].mapv(|_| 1.0)]
        },
    },
    Case {
        text: "(&self, x: Tensor<bool, 3, 4>, y: Tensor<bool, 4>) -> (Tensor<bool, 4>, Tensor<bool, 3>) {
            let v = y.maximum(x.max_axis(1).insert_axis(1)); let w = v.maximum(x.all_axis(0)); (w.max_axis(0), w.all_axis(1))
        }",
        inputs: &[("bool", &[3, 4]), ("bool", &[4])],
        results: &["bool", "bool"],
        expected: |x| {
            let (x, y) = (matrix(&x[0]), &x[1]);
            let any = |row: &[f64]| row.contains(&1.0);
            let w = Array2::from_shape_fn(x.dim(), |(i, j)| {
                let all = x.column(j).iter().all(|x| *x == 1.0);
                f64::from(u8::from(y[[j]] == 1.0 || any(&x.row(i).to_vec()) || all))
            });
            let columns: Array1<f64> = w.columns().into_iter().map(|it| it.fold(0.0, |a, b| b.max(a))).collect();
            let rows: Array1<f64> = w.rows().into_iter().map(|it| it.fold(1.0, |a, b| b.min(a))).collect();
            vec![columns.into_dyn(), rows.into_dyn()]
        },
    },
    Case {
        text: "(&self, x: Tensor<f64, 1, 2>, y: Tensor<f64, 17>, z: Tensor<f64, 2, 17>) -> (Tensor<f64, 2, 2>, Tensor<f64, 2, 17>) {
            let most = z.max_axis(1); (x - most.insert_axis(1), y - most.insert_axis(1))
        }",
        inputs: &[("f64", &[1, 2]), ("f64", &[17]), ("f64", &[2, 17])],
        results: &["f64", "f64"],
        expected: |x| {
            let most = |row: usize| x[2].index_axis(Axis(0), row).fold(f64::MIN, |a, b| b.max(a));
            let most = Array2::from_shape_fn((2, 1), |(row, _)| most(row)).into_dyn();
            vec![&x[0] - &most, &x[1] - &most]
        },
    },
    // Views of a view, of which one is repeated and both are changed alike.
    Case {
        text: "(&self, x: Tensor<f32, 3>, y: Tensor<f32, 3, 1>) -> (Tensor<f32, 3, 1>, Tensor<f32, 3, 3>) {
            let v = x.insert_axis(0); (-v.t() + y, -v.broadcast_to([3, 3]))
        }",
        inputs: &[("f32", &[3]), ("f32", &[3, 1])],
        results: &["f32", "f32"],
        expected: |x| {
            let row = -x[0].clone().insert_axis(Axis(0));
            let wide = row.broadcast(vec![3, 3]).expect("an axis of one").into_owned();
            vec![&row.t() + &x[1], wide]
        },
    },
    // What is computed with more digits is widened first.
    Case {
        text: "(&self, x: Tensor<f16, 3>, y: Tensor<f16, 3, 2>) -> (Tensor<f16, 1, 2>, Tensor<f16, 3, 3>) {
            let v = x.insert_axis(0); (v.matmul(y), v.broadcast_to([3, 3]).exp())
        }",
        inputs: &[("f16", &[3]), ("f16", &[3, 2])],
        results: &["f16", "f16"],
        expected: |x| {
            let row = matrix(&x[0].clone().insert_axis(Axis(0)));
            let wide = row.broadcast((3, 3)).expect("an axis of one");
            vec![row.dot(&matrix(&x[1])).into_dyn(), wide.mapv(f64::exp).into_dyn()]
        },
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<bf16, N>) -> (Tensor<bf16, 1>, Tensor<bf16, 1, N>, Tensor<bf16, 4, N>) {
            let v = x.insert_axis(0); (v.sum_axis(1), v.cumsum(1), v.broadcast_to([4, N]).exp())
        }",
        inputs: &[("bf16", &[3])],
        results: &["bf16", "bf16", "bf16"],
        expected: |x| {
            let sum = |count: usize| x[0].iter().take(count).sum::<f64>();
            let sums = Array2::from_shape_fn((1, 3), |(_, place)| sum(place + 1));
            let wide = x[0].broadcast(vec![4, 3]).expect("a new axis");
            vec![Array1::from_elem(1, sum(3)).into_dyn(), sums.into_dyn(), wide.mapv(f64::exp)]
        },
    },
    Case {
        text: "(&self, x: Tensor<f32, 3>, y: Tensor<f32, 2>) -> (Tensor<f32, 2, 3>, Tensor<f32, 2, 5>) {
            let v = y.insert_axis(1); (x + v.broadcast_to([2, 3]).abs(), v.broadcast_to([2, 5]).abs())
        }",
        inputs: &[("f32", &[3]), ("f32", &[2])],
        results: &["f32", "f32"],
        expected: |x| {
            let v = x[1].mapv(f64::abs).insert_axis(Axis(1));
            let wide = v.broadcast(vec![2, 5]).expect("an axis of one").into_owned();
            vec![&x[0] + &v, wide]
        },
    },
    Case {
        text: "(&self, x: Tensor<f32, 33>) -> (Tensor<f32, 33, 1>, Tensor<f32, 33, 5>) {
            let v = x.insert_axis(1); (v.abs(), v.broadcast_to([33, 5]).abs())
        }",
        inputs: &[("f32", &[33])],
        results: &["f32", "f32"],
        expected: |x| {
            let v = x[0].mapv(f64::abs).insert_axis(Axis(1));
            let wide = v.broadcast(vec![33, 5]).expect("an axis of one").into_owned();
            vec![v, wide]
        },
    },
    Case {
        text: "(&self, x: Tensor<f32, 3, 4>) -> (Tensor<f32, 4, 3>, Tensor<f32, 2, 4, 3>) {
            let v = x.t(); (v.floor(), v.broadcast_to([2, 4, 3]).floor())
        }",
        inputs: &[("f32", &[3, 4])],
        results: &["f32", "f32"],
        expected: |x| {
            let v = x[0].mapv(f64::floor).reversed_axes();
            let deep = v.broadcast(vec![2, 4, 3]).expect("a new axis").into_owned();
            vec![v, deep]
        },
    },
    Case {
        text: "(&self, x: Tensor<f32, 16, 2000>) -> (Tensor<f32, 2000>, Tensor<f32, 2000>) {
            let sum = x.sum_axis(0); let y = x - sum; (sum, (y * y).sum_axis(0))
        }",
        inputs: &[("f32", &[16, 2000])],
        results: &["f32", "f32"],
        expected: |x| deviations(&x[0], Axis(0)),
    },
    Case {
        text: "(&self, x: Tensor<f32, 1000, 300>) -> (Tensor<f32, 1000>, Tensor<f32, 1000>) {
            let sum = x.sum_axis(1); let y = x - sum.insert_axis(1); (sum, (y * y).sum_axis(1))
        }",
        inputs: &[("f32", &[1000, 300])],
        results: &["f32", "f32"],
        expected: |x| deviations(&x[0], Axis(1)),
    },
    Case {
        text: "(&self, x: Tensor<f64, 4, 33, 4>) -> (Tensor<f64, 4, 33, 4>, Tensor<f64, 33, 4>) {
            let sum = x.sum_axis(0); let y = sum.maximum(x); (y + y.sum_axis(0), sum)
        }",
        inputs: &[("f64", &[4, 33, 4])],
        results: &["f64", "f64"],
        expected: |x| {
            let sum = x[0].sum_axis(Axis(0));
            let larger = ndarray::Zip::from(&x[0])
                .and_broadcast(&sum)
                .map_collect(|x, sum| x.max(*sum));
            vec![&larger + &larger.sum_axis(Axis(0)), sum]
        },
    },
    // What is read again is a view of the sum.
    Case {
        text: "(&self, x: Tensor<f32, 33, 33>, y: Tensor<f32, 1, 33>) -> (Tensor<f32, 1, 1>, Tensor<f32>) {
            let sum = x.sum_axis(1).insert_axis(1); (y.matmul(sum), (sum - x).max())
        }",
        inputs: &[("f32", &[33, 33]), ("f32", &[1, 33])],
        results: &["f32", "f32"],
        expected: |x| {
            let sum = x[0].sum_axis(Axis(1)).insert_axis(Axis(1));
            let product = matrix(&x[1]).dot(&matrix(&sum)).into_dyn();
            vec![product, largest(&(&sum - &x[0]))]
        },
    },
    Case {
        text: "(&self, x: Tensor<f64, 33, 40>) -> (Tensor<f64, 11, 3>, Tensor<f64>) {
            let sum = x.sum_axis(1).reshape([11, 3]); (sum, (sum.flatten().insert_axis(1) * x).max())
        }",
        inputs: &[("f64", &[33, 40])],
        results: &["f64", "f64"],
        expected: |x| {
            let sum = x[0].sum_axis(Axis(1)).insert_axis(Axis(1));
            let table = sum.to_shape(vec![11, 3]).expect("33 sums").into_owned();
            vec![table, largest(&(&sum * &x[0]))]
        },
    },
    Case {
        text: "(&self, x: Tensor<f32, 33, 40>) -> (Tensor<f32, 33, 40>, Tensor<f32>) {
            let sum = x.sum_axis(1).insert_axis(1).broadcast_to([33, 40]); (sum, (sum - x).max())
        }",
        inputs: &[("f32", &[33, 40])],
        results: &["f32", "f32"],
        expected: |x| {
            let sum = x[0].sum_axis(Axis(1)).insert_axis(Axis(1));
            let wide = sum.broadcast(vec![33, 40]).expect("an axis of one").into_owned();
            let most = largest(&(&wide - &x[0]));
            vec![wide, most]
        },
    },
    // Reductions with numbers of 64 bits around them, twice.
    Case {
        text: "(&self, x: Tensor<f64, 5, 3>) -> (Tensor<f64, 8>, Tensor<f64, 8>) {
            let s = x.sum_axis(1); (pad!(s, low = [1], high = [2], value = 1.0), pad!(s, low = [2], high = [1], value = 2.0))
        }",
        inputs: &[("f64", &[5, 3])],
        results: &["f64", "f64"],
        expected: |x| {
            let sums = x[0].sum_axis(Axis(1));
            vec![padded(&sums, (1, 2), 1.0), padded(&sums, (2, 1), 2.0)]
        },
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<Complex<f64>, N, 3>) -> Tensor<f64, { N + 3 }> {
            pad!(x.sum_axis(1), low = [1], high = [2], value = 1.0).re()
        }",
        inputs: &[("Complex<f64>", &[5, 3])],
        results: &["f64"],
        expected: |x| vec![padded(&x[0].sum_axis(Axis(1)), (1, 2), 1.0)],
    },
];

/// A vector with so many of a number before and behind it.
fn padded(x: &Numbers, (low, high): (usize, usize), number: f64) -> Numbers {
    let ends = [low, high].map(|size| Numbers::from_elem(vec![size], number));
    ndarray::concatenate![Axis(0), ends[0], *x, ends[1]]
}

fn largest(x: &Numbers) -> Numbers {
    ndarray::arr0(x.fold(f64::MIN, |a, b| b.max(a))).into_dyn()
}

fn matrix(x: &Numbers) -> Array2<f64> {
    x.clone().into_dimensionality::<Ix2>().expect("two axes")
}

/// Sums along an axis, and the squared distances from them.
fn deviations(x: &Numbers, axis: Axis) -> Vec<Numbers> {
    let sum = x.sum_axis(axis);
    let squares = (x - &sum.clone().insert_axis(axis)).mapv(|x| x * x);
    vec![sum, squares.sum_axis(axis)]
}
