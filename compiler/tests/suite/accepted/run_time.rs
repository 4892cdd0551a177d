//! Sizes that are known at the call only: products, parts of them, factors that come from one reduction, and what is computed
//! beside; and numbers that are computed from sizes.

use super::{Case, Numbers};
use ndarray::{Array1, Array2, Array3, Axis, Ix1, Ix2, Ix3, Ix4, s};

pub(super) const CASES: &[Case] = &[
    Case {
        text: "<const N: usize>(&self, x: Tensor<f32, N, N>) -> (Tensor<f32, N>, Tensor<f32, N, N>) {
            (einsum!(\"ab,ba->a\", x, x), x.cumsum(0))
        }",
        inputs: &[("f32", &[6, 6])],
        results: &["f32", "f32"],
        expected: |x| {
            let x = matrix(&x[0]);
            let mut down = x.clone();
            down.accumulate_axis_inplace(Axis(0), |before, it| *it += before);
            vec![(&x * &x.t()).sum_axis(Axis(1)).into_dyn(), down.into_dyn()]
        },
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<f32, N, N>) -> (Tensor<f32, N, N>, Tensor<f32, N, N>) {
            (x.cumsum(1).dot(x), x.dot((x * 0.5).cumsum(0)))
        }",
        inputs: &[("f32", &[7, 7])],
        results: &["f32", "f32"],
        expected: |x| {
            let x = matrix(&x[0]);
            let (mut along, mut down) = (x.clone(), x.mapv(|x| x * 0.5));
            along.accumulate_axis_inplace(Axis(1), |before, it| *it += before);
            down.accumulate_axis_inplace(Axis(0), |before, it| *it += before);
            vec![along.dot(&x).into_dyn(), x.dot(&down).into_dyn()]
        },
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<f32, N, N>) -> (Tensor<f32, _, N>, Tensor<f32, N>) {
            (x.matmul(x)[s![..-1, ..]], x.matmul(x).tanh()[1])
        }",
        inputs: &[("f32", &[5, 5])],
        results: &["f32", "f32"],
        expected: |x| {
            let product = square(&x[0]);
            let part = product.slice(s![..-1, ..]).to_owned();
            vec![part.into_dyn(), product.row(1).mapv(f64::tanh).into_dyn()]
        },
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<f32, N, N>) -> Tensor<f32, N, _> { x.matmul(x)[s![.., 1..]] }",
        inputs: &[("f32", &[40, 40])],
        results: &["f32"],
        expected: |x| vec![square(&x[0]).slice(s![.., 1..]).to_owned().into_dyn()],
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<f32, N, N>, k: Tensor<i32>) -> Tensor<f32, N> { x.matmul(x)[k * 0 + 2] }",
        inputs: &[("f32", &[7, 7]), ("i32", &[])],
        results: &["f32"],
        expected: |x| vec![square(&x[0]).row(2).to_owned().into_dyn()],
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<f32, 64, N>, y: Tensor<f32, N, 64>) -> Tensor<f32, 63, 64> { x.matmul(y)[s![1.., ..]] }",
        inputs: &[("f32", &[64, 3]), ("f32", &[3, 64])],
        results: &["f32"],
        expected: |x| {
            let product = matrix(&x[0]).dot(&matrix(&x[1]));
            vec![product.slice(s![1.., ..]).to_owned().into_dyn()]
        },
    },
    Case {
        text: "<const N: usize, const M: usize>(&self, x: Tensor<f32, N, 64>, y: Tensor<f32, 64, M>) -> Tensor<f32, M> {
            x.matmul(y)[s![1.., ..]].sum_axis(0)
        }",
        inputs: &[("f32", &[4, 64]), ("f32", &[64, 5])],
        results: &["f32"],
        expected: |x| {
            let product = matrix(&x[0]).dot(&matrix(&x[1]));
            vec![product.slice(s![1.., ..]).sum_axis(Axis(0)).into_dyn()]
        },
    },
    Case {
        text: "<const B: usize, const N: usize>(&self, x: Tensor<f32, B, N, 8>) -> Tensor<f32, B, _, N> {
            x.matmul(x.swap_axes(1, 2))[s![.., 1.., ..]]
        }",
        inputs: &[("f32", &[2, 5, 8])],
        results: &["f32"],
        expected: |x| {
            let x: Array3<f64> = x[0].clone().into_dimensionality::<Ix3>().expect("three axes");
            let mut products = Array3::zeros((2, 4, 5));
            for (of, mut product) in x.outer_iter().zip(products.outer_iter_mut()) {
                product.assign(&of.dot(&of.t()).slice(s![1.., ..]));
            }
            vec![products.into_dyn()]
        },
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<f32, 3, 16, 3, N>, y: Tensor<f32, 1, 16, 3, N>) -> Tensor<f32, N, 16, 3> {
            let sum = x.sum_axis(3); einsum!(\"abcd,abc->dbc\", y * sum.insert_axis(3), sum)
        }",
        inputs: &[("f32", &[3, 16, 3, 5]), ("f32", &[1, 16, 3, 5])],
        results: &["f32"],
        expected: |x| {
            let squares = x[0].sum_axis(Axis(3)).mapv(|sum| sum * sum).sum_axis(Axis(0));
            let y = x[1].clone().into_dimensionality::<Ix4>().expect("four axes");
            let scaled = &y.index_axis(Axis(0), 0) * &squares.insert_axis(Axis(2));
            let scaled = scaled.into_dimensionality::<Ix3>().expect("three axes");
            vec![scaled.permuted_axes([2, 0, 1]).into_dyn()]
        },
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<f32, 16, N>, y: Tensor<f32, 16, N>) -> Tensor<f32, N> {
            let sum = x.sum_axis(1); sum.dot(y * sum.insert_axis(1))
        }",
        inputs: &[("f32", &[16, 9]), ("f32", &[16, 9])],
        results: &["f32"],
        expected: |x| {
            let squares: Array1<f64> = matrix(&x[0]).sum_axis(Axis(1)).mapv(|sum| sum * sum);
            let squares = squares.into_dimensionality::<Ix1>().expect("an axis");
            vec![squares.dot(&matrix(&x[1])).into_dyn()]
        },
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<f64, N, 8>, w: Tensor<f64, 8, 8>) -> Tensor<f64, N, 8> {
            let a = x.dot(w).tanh(); let b = a * 2.0 + x; b.dot(w) + a
        }",
        inputs: &[("f64", &[5, 8]), ("f64", &[8, 8])],
        results: &["f64"],
        expected: |x| {
            let (x, w) = (matrix(&x[0]), matrix(&x[1]));
            let a = x.dot(&w).mapv(f64::tanh);
            vec![((&a * 2.0 + &x).dot(&w) + a).into_dyn()]
        },
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<f32, N, 8>, w: Tensor<f32, 8, 8>) -> Tensor<f32, 8, N> {
            let h = w.tanh(); h.exp().dot(x.dot(h).t())
        }",
        inputs: &[("f32", &[5, 8]), ("f32", &[8, 8])],
        results: &["f32"],
        expected: |x| {
            let (x, h) = (matrix(&x[0]), matrix(&x[1]).mapv(f64::tanh));
            vec![h.mapv(f64::exp).dot(&x.dot(&h).t()).into_dyn()]
        },
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<f32, N, 8>, w: Tensor<f32, 8, 8, 8>) -> (Tensor<f32, 8, N>, Tensor<f32, 8, 8, 8>) {
            let y = x.dot(w.sum_axis(2));
            let half = (w * 0.5).sum_axis(2);
            let mut squares = w * w;
            squares[3] = squares[2] * 2.0;
            (half.dot(y.t()), squares)
        }",
        inputs: &[("f32", &[5, 8]), ("f32", &[8, 8, 8])],
        results: &["f32", "f32"],
        expected: |x| {
            let sums = matrix(&x[1].sum_axis(Axis(2)));
            let mut squares = x[1].mapv(|w| w * w);
            let double = squares.index_axis(Axis(0), 2).mapv(|square| square * 2.0);
            squares.index_axis_mut(Axis(0), 3).assign(&double);
            let product = (&sums * 0.5).dot(&matrix(&x[0]).dot(&sums).t());
            vec![product.into_dyn(), squares]
        },
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<f32, N, 8>, w: Tensor<f32, 8, 8>) -> Tensor<f32, N, 8> {
            let a = x.tanh(); let b = a.sin(); b.cos().dot(w) * a * b
        }",
        inputs: &[("f32", &[5, 8]), ("f32", &[8, 8])],
        results: &["f32"],
        expected: |x| {
            let (x, w) = (matrix(&x[0]), matrix(&x[1]));
            let a = x.mapv(f64::tanh);
            let b = a.mapv(f64::sin);
            vec![(b.mapv(f64::cos).dot(&w) * a * b).into_dyn()]
        },
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<f64, N, 8>, w: Tensor<f64, 8, 16>, v: Tensor<f64, 16, 8>) -> Tensor<f64, 8, 16> {
            let u = x.dot(w); let s = u.sigmoid(); let h = u * s;
            let y = h.dot(v) * 2.0;
            x.t().dot(y.dot(v.t()) * (s + h * (1.0 - s)))
        }",
        inputs: &[("f64", &[5, 8]), ("f64", &[8, 16]), ("f64", &[16, 8])],
        results: &["f64"],
        expected: |x| {
            let (x, w, v) = (matrix(&x[0]), matrix(&x[1]), matrix(&x[2]));
            let u = x.dot(&w);
            let s = u.mapv(|u| 1.0 / (1.0 + (-u).exp()));
            let h = &u * &s;
            let y = h.dot(&v) * 2.0;
            let slope = &s + &h * (1.0 - &s);
            vec![x.t().dot(&(y.dot(&v.t()) * slope)).into_dyn()]
        },
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<Complex<f32>, N, 1>) -> (Tensor<Complex<f32>, N, 1>, Tensor<Complex<f32>, N, 1>) {
            (x.mean_axis(0).insert_axis(0) / x, x / x)
        }",
        inputs: &[("Complex<f32>", &[7, 1])],
        results: &["Complex<f32>", "Complex<f32>"],
        expected: |x| {
            let mean = x[0].mean().expect("some");
            vec![x[0].mapv(|x| mean / x), x[0].mapv(|_| 1.0)]
        },
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<Complex<f64>, N>) -> (Tensor<Complex<f64>, N>, Tensor<Complex<f64>>) {
            ((x + 1.0) / x, (x * 2.0 - 1.0).sum())
        }",
        inputs: &[("Complex<f64>", &[300])],
        results: &["Complex<f64>", "Complex<f64>"],
        expected: |x| {
            // 1 / (x + 2xi) has the real part 1 / 5x.
            let sum = x[0].mapv(|x| 2.0 * x - 1.0).sum();
            vec![x[0].mapv(|x| 1.0 + 0.2 / x), ndarray::arr0(sum).into_dyn()]
        },
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<Complex<f32>, N, N>, y: Tensor<Complex<f32>, N, N>)
            -> (Tensor<Complex<f32>>, Tensor<Complex<f32>, N, N>) { (x.t().sum(), x.t() - y) }",
        inputs: &[("Complex<f32>", &[6, 6]), ("Complex<f32>", &[6, 6])],
        results: &["Complex<f32>", "Complex<f32>"],
        expected: |x| {
            let difference = x[0].t().to_owned() - &x[1];
            vec![ndarray::arr0(x[0].sum()).into_dyn(), difference]
        },
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<f64, 33, N>, y: Tensor<f64, 33, N>) -> Tensor<f64, 33> { concatenate([x, y], 1).var_axis(1) }",
        inputs: &[("f64", &[33, 5]), ("f64", &[33, 5])],
        results: &["f64"],
        expected: |x| vec![variance(&ndarray::concatenate![Axis(1), x[0], x[1]])],
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<f32, 33, N>) -> Tensor<f32, 33> { pad!(x, high = [0, 3], value = 1.0).var_axis(1) }",
        inputs: &[("f32", &[33, 5])],
        results: &["f32"],
        expected: |x| {
            let ones = Numbers::ones(vec![33, 3]);
            vec![variance(&ndarray::concatenate![Axis(1), x[0], ones])]
        },
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<f32, N, 6>, y: Tensor<f32, 1, 6>) -> Tensor<f32, _, 6> {
            let all = concatenate([x, y], 0); all / all.sum_axis(0)
        }",
        inputs: &[("f32", &[9, 6]), ("f32", &[1, 6])],
        results: &["f32"],
        expected: |x| {
            let all = ndarray::concatenate![Axis(0), x[0], x[1]];
            let sum = all.sum_axis(Axis(0));
            vec![all / sum]
        },
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<f64, N, 3, 3>, y: Tensor<f64, N, 3>) -> Tensor<f64, N, 3> {
            let sums = x.sum_axis(0); y.dot(1.0 / (sums * sums + 1.0)).dot(sums)
        }",
        inputs: &[("f64", &[7, 3, 3]), ("f64", &[7, 3])],
        results: &["f64"],
        expected: |x| {
            let sums = matrix(&x[0].sum_axis(Axis(0)));
            let first = matrix(&x[1]).dot(&sums.mapv(|x| 1.0 / (x * x + 1.0)));
            vec![first.dot(&sums).into_dyn()]
        },
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<f32, N, 12>, y: Tensor<f32, 12>) -> Tensor<f32, N> { (x + 1.0).dot(y / y.sum()) }",
        inputs: &[("f32", &[7, 12]), ("f32", &[12])],
        results: &["f32"],
        expected: |x| {
            let shares = &x[1] / x[1].sum();
            vec![((&x[0] + 1.0) * shares).sum_axis(Axis(1))]
        },
    },
    Case {
        text: "(&self, x: Tensor<f32>, y: Tensor<f32, 3, 2>, z: Tensor<f32, 2, 3>) -> Tensor<Complex<f32>, 2, 2> { complex(z.dot(y), x) }",
        inputs: &[("f32", &[]), ("f32", &[3, 2]), ("f32", &[2, 3])],
        results: &["Complex<f32>"],
        expected: |x| vec![matrix(&x[2]).dot(&matrix(&x[1])).into_dyn()],
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<f16, N>) -> Tensor<f16> { let mean = x.mean(); mean * mean + mean.exp() }",
        inputs: &[("f16", &[11])],
        results: &["f16"],
        expected: |x| {
            let mean = x[0].sum() / 11.0;
            vec![ndarray::arr0(mean * mean + mean.exp()).into_dyn()]
        },
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<bf16, 1, N>) -> Tensor<bf16> { x.mean_axis(1).std_axis(0) }",
        inputs: &[("bf16", &[1, 11])],
        results: &["bf16"],
        expected: |_| vec![ndarray::arr0(0.0).into_dyn()],
    },
];

fn matrix(x: &Numbers) -> Array2<f64> {
    let matrix = x.clone().into_dimensionality::<Ix2>();
    matrix.expect("two axes")
}

fn square(x: &Numbers) -> Array2<f64> {
    let x = matrix(x);
    x.dot(&x)
}

/// Along the second axis.
fn variance(x: &Numbers) -> Numbers {
    x.var_axis(Axis(1), 0.0)
}
