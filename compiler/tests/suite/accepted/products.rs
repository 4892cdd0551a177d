//! Products that reductions read, and of what is reduced.

use super::{Case, Numbers};
use ndarray::{Array1, Array2, Axis, Ix2};

pub(super) const CASES: &[Case] = &[
    Case {
        text: "(&self, x: Tensor<f32, 7, 7>, y: Tensor<f32, 7, 1>) -> Tensor<f32, 7> { (x.matmul(y) + x).max_axis(1) }",
        inputs: &[("f32", &[7, 7]), ("f32", &[7, 1])],
        results: &["f32"],
        expected: |x| {
            let (x, y) = (matrix(&x[0]), matrix(&x[1]));
            vec![largest(&(&x.dot(&y) + &x)).into_dyn()]
        },
    },
    Case {
        text: "(&self, x: Tensor<f32, 20, 30>, y: Tensor<f32, 30>, z: Tensor<f32, 20, 50>) -> (Tensor<f32, 20>, Tensor<f32, 20>) {
            let all = x.dot(y).insert_axis(1) + z; (all.max_axis(1) - all.min_axis(1), x.dot(y))
        }",
        inputs: &[("f32", &[20, 30]), ("f32", &[30]), ("f32", &[20, 50])],
        results: &["f32", "f32"],
        expected: |x| {
            let product = matrix(&x[0]).dot(&vector(&x[1]));
            let all = &product.clone().insert_axis(Axis(1)) + &matrix(&x[2]);
            vec![
                (largest(&all) + largest(&-all)).into_dyn(),
                product.into_dyn(),
            ]
        },
    },
    Case {
        text: "(&self, x: Tensor<f32, 3, 4, 3, 3>) -> Tensor<f32, 3, 3> { einsum!(\"abcd,abef->ce\", x, x) }",
        inputs: &[("f32", &[3, 4, 3, 3])],
        results: &["f32"],
        expected: |x| {
            let sums = x[0].sum_axis(Axis(3));
            let sums = sums.into_shape_with_order((12, 3)).expect("as many elements");
            vec![sums.t().dot(&sums).into_dyn()]
        },
    },
    Case {
        text: "(&self, x: Tensor<f32, 5, 5>, y: Tensor<f32, 5, 3>) -> (Tensor<f32, 0, 2>, Tensor<f32, 5>) {
            let v = einsum!(\"ab,ac->b\", y, x) + y; let mut w = v[s![3..3;2, ..;-2]]; w[s![.., ..]] -= 1.0; (w, v.max_axis(1))
        }",
        inputs: &[("f32", &[5, 5]), ("f32", &[5, 3])],
        results: &["f32", "f32"],
        expected: |x| {
            let (x, y) = (matrix(&x[0]), matrix(&x[1]));
            let v = &y.t().dot(&x.sum_axis(Axis(1))) + &y;
            vec![Array2::zeros((0, 2)).into_dyn(), largest(&v).into_dyn()]
        },
    },
    Case {
        text: "(&self, x: Tensor<Complex<f32>, 2, 3>) -> (Tensor<Complex<f32>, 1, 2>, Tensor<Complex<f32>, 1>) {
            let v = x.sum_axis(1).insert_axis(1); let w = v * v; (w.t(), w.t().matmul(w).sum_axis(0))
        }",
        inputs: &[("Complex<f32>", &[2, 3])],
        results: &["Complex<f32>", "Complex<f32>"],
        expected: |x| {
            // The square of 1 + 2i is -3 + 4i, whose square is -7 - 24i.
            let sums = matrix(&x[0]).sum_axis(Axis(1));
            let fourth: f64 = sums.mapv(|x| x.powi(4)).sum();
            let squares = sums.mapv(|x| -3.0 * x * x).insert_axis(Axis(0));
            vec![squares.into_dyn(), Array1::from_elem(1, -7.0 * fourth).into_dyn()]
        },
    },
    // Vectors, and matrices that are computed.
    Case {
        text: "(&self, x: Tensor<f32, 128, 128>, y: Tensor<f32, 1, 128>, v: Tensor<f32, 128>) -> (Tensor<f32, 128>, Tensor<f32, 128>) {
            let c = x - y; (c.dot(v), c.t().dot(v))
        }",
        inputs: &[("f32", &[128, 128]), ("f32", &[1, 128]), ("f32", &[128])],
        results: &["f32", "f32"],
        expected: |x| {
            let (c, v) = (matrix(&(&x[0] - &x[1])), vector(&x[2]));
            vec![c.dot(&v).into_dyn(), c.t().dot(&v).into_dyn()]
        },
    },
    Case {
        text: "(&self, x: Tensor<f32, 64, 784>, v: Tensor<f32, 64>) -> Tensor<f32, 784> { v.dot(x * x) }",
        inputs: &[("f32", &[64, 784]), ("f32", &[64])],
        results: &["f32"],
        expected: |x| vec![matrix(&x[0]).mapv(|x| x * x).t().dot(&vector(&x[1])).into_dyn()],
    },
    Case {
        text: "(&self, x: Tensor<f32, 5, 128, 128>, v: Tensor<f32, 5, 128, 1>) -> Tensor<f32, 5, 128, 1> { x.abs().matmul(v) + 1.0 }",
        inputs: &[("f32", &[5, 128, 128]), ("f32", &[5, 128, 1])],
        results: &["f32"],
        expected: |x| {
            let each = x[0].outer_iter().zip(x[1].outer_iter());
            let each = each.map(|(x, v)| matrix(&x.mapv(f64::abs)).dot(&matrix(&v.to_owned())) + 1.0);
            let each: Vec<_> = each.collect();
            let views: Vec<_> = each.iter().map(|each| each.view()).collect();
            vec![ndarray::stack(Axis(0), &views).expect("the same shape").into_dyn()]
        },
    },
    Case {
        text: "(&self, x: Tensor<f32, 10000, 16>, v: Tensor<f32, 16>) -> Tensor<f32, 10000> { x.minimum(1.0).dot(v).relu() }",
        inputs: &[("f32", &[10000, 16]), ("f32", &[16])],
        results: &["f32"],
        expected: |x| {
            let product = matrix(&x[0]).mapv(|x| x.min(1.0)).dot(&vector(&x[1]));
            vec![product.mapv(|x| x.max(0.0)).into_dyn()]
        },
    },
    Case {
        text: "(&self, x: Tensor<f16, 128, 128>, v: Tensor<f16, 128>) -> Tensor<f32, 128> { (x * 0.5).dot(v) as f32 }",
        inputs: &[("f16", &[128, 128]), ("f16", &[128])],
        results: &["f32"],
        expected: |x| vec![(matrix(&x[0]).dot(&vector(&x[1])) * 0.5).into_dyn()],
    },
    Case {
        text: "(&self, x: Tensor<bf16, 512, 512>, v: Tensor<bf16, 512>) -> Tensor<f32, 512> { x.dot(v) as f32 }",
        inputs: &[("bf16", &[512, 512]), ("bf16", &[512])],
        results: &["f32"],
        expected: |x| {
            let product = matrix(&x[0]).dot(&vector(&x[1]));
            let rounded = product.mapv(|x| half::bf16::from_f64(x).to_f64());
            vec![rounded.into_dyn()]
        },
    },
    // A factor that is reduced to a number besides.
    Case {
        text: "(&self, x: Tensor<f32, 5, 5>, y: Tensor<f32, 5, 5>) -> (Tensor<f32>, Tensor<f32, 5, 5>) {
            let h = x.dot(y).minimum(9.0); ((h * h).sum(), x.dot(h))
        }",
        inputs: &[("f32", &[5, 5]), ("f32", &[5, 5])],
        results: &["f32", "f32"],
        expected: |x| {
            let (x, y) = (matrix(&x[0]), matrix(&x[1]));
            let h = x.dot(&y).mapv(|h| h.min(9.0));
            vec![number((&h * &h).sum()), x.dot(&h).into_dyn()]
        },
    },
    Case {
        text: "(&self, x: Tensor<f32, 100, 100>, y: Tensor<f32, 100, 100>) -> (Tensor<f32>, Tensor<f32, 100, 100>) {
            let v = y.abs() + 1.0; ((v + v).max(), x.dot(v.t()))
        }",
        inputs: &[("f32", &[100, 100]), ("f32", &[100, 100])],
        results: &["f32", "f32"],
        expected: |x| {
            let v = matrix(&x[1]).mapv(|v| v.abs() + 1.0);
            let most = 2.0 * v.fold(f64::MIN, |a, b| b.max(a));
            vec![number(most), matrix(&x[0]).dot(&v.t()).into_dyn()]
        },
    },
    Case {
        text: "(&self, x: Tensor<f32, 3, 3>, z: Tensor<Complex<f32>, 3, 3>) -> (Tensor<f32>, Tensor<f32, 3, 3>) {
            let v = z.re(); (v.sum(), x.dot(v))
        }",
        inputs: &[("f32", &[3, 3]), ("Complex<f32>", &[3, 3])],
        results: &["f32", "f32"],
        expected: |x| {
            let v = matrix(&x[1]);
            vec![number(v.sum()), matrix(&x[0]).dot(&v).into_dyn()]
        },
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<f32, N, 5>, y: Tensor<f32, 5, 5>) -> (Tensor<f32>, Tensor<f32, N, 5>) {
            let v = y * y; (v.max(), x.dot(v))
        }",
        inputs: &[("f32", &[7, 5]), ("f32", &[5, 5])],
        results: &["f32", "f32"],
        expected: |x| {
            let v = matrix(&x[1]).mapv(|v| v * v);
            let most = v.fold(f64::MIN, |a, b| b.max(a));
            vec![number(most), matrix(&x[0]).dot(&v).into_dyn()]
        },
    },
    // Factors of which long rows are reduced besides.
    Case {
        text: "(&self, x: Tensor<f32, 128, 1024>, w: Tensor<f32, 1024, 64>) -> (Tensor<f32, 128, 64>, Tensor<f32, 128>) {
            let h = x.minimum(1.0) * 2.0; (h.dot(w), h.sum_axis(1))
        }",
        inputs: &[("f32", &[128, 1024]), ("f32", &[1024, 64])],
        results: &["f32", "f32"],
        expected: |x| {
            let h = matrix(&x[0]).mapv(|h| h.min(1.0) * 2.0);
            vec![h.dot(&matrix(&x[1])).into_dyn(), h.sum_axis(Axis(1)).into_dyn()]
        },
    },
    Case {
        text: "(&self, a: Tensor<f32, 1024, 64>, b: Tensor<f32, 64, 128>, x: Tensor<f32, 1024, 64>)
            -> (Tensor<f32, 128, 64>, Tensor<f32, 128>) { let h = a.dot(b).maximum(-9.0); (h.t().dot(x), h.max_axis(0)) }",
        inputs: &[("f32", &[1024, 64]), ("f32", &[64, 128]), ("f32", &[1024, 64])],
        results: &["f32", "f32"],
        expected: |x| {
            let h = matrix(&x[0]).dot(&matrix(&x[1])).mapv(|h| h.max(-9.0));
            let most = largest(&h.t().to_owned());
            vec![h.t().dot(&matrix(&x[2])).into_dyn(), most.into_dyn()]
        },
    },
    Case {
        text: "<const N: usize>(&self, x: Tensor<f32, 7, 7>, y: Tensor<f32, 7>, z: Tensor<f32, N, 7>) -> Tensor<f32, 7> {
            (x.dot(y) + z).max_axis(0)
        }",
        inputs: &[("f32", &[7, 7]), ("f32", &[7]), ("f32", &[5, 7])],
        results: &["f32"],
        expected: |x| {
            let all = &matrix(&x[2]) + &matrix(&x[0]).dot(&vector(&x[1]));
            vec![largest(&all.t().to_owned()).into_dyn()]
        },
    },
];

fn number(x: f64) -> Numbers {
    ndarray::arr0(x).into_dyn()
}

fn matrix(x: &Numbers) -> Array2<f64> {
    x.clone().into_dimensionality::<Ix2>().expect("two axes")
}

fn vector(x: &Numbers) -> Array1<f64> {
    x.iter().copied().collect()
}

/// The largest number of each row.
fn largest(x: &Array2<f64>) -> Array1<f64> {
    let rows = x.rows().into_iter();
    rows.map(|row| row.iter().copied().fold(f64::MIN, f64::max))
        .collect()
}
