//! Products of matrices with sizes that are known at the call only, products of them, and booleans in expressions of
//! products. With data tiling, IREE packs what these are computed from.

mod joined;
mod rows;

use crate::{
    device::{Call, Expected, HostTensor, Tolerance, check_calls},
    language::trace_right,
};
use iree_abi::CpuLevel;
use libtest_mimic::{Failed, Trial};
use ndarray::{Array1, Array2, Array3, ArrayView2, Axis, s};

/// What is no multiple of any tile, and what is packed by more than one workgroup.
const SIZES: [(usize, usize); 5] = [(12, 100), (3, 17), (1, 65), (70, 9), (24, 128)];

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        Trial::test("products/of_products", of_products),
        Trial::test("products/normalized", normalized),
        Trial::test("products/joined", joined::joined),
        Trial::test("products/rows", rows::rows),
        Trial::test("products/masks_known", || masks("", "37", &[37])),
        Trial::test("products/masks_unknown", || {
            masks("<const S: usize>", "S", &[37, 100])
        }),
    ]
}

const CHAINS: &str = r#"mod products { pub struct P; impl P {
    pub fn single<const N: usize, const S: usize>(&self, q: Tensor<f32, N, S, 8>) -> Tensor<f32, N, S, 8> {
        q.matmul(q.swap_axes(1, 2)).matmul(q)
    }
    pub fn double<const N: usize, const S: usize>(&self, q: Tensor<f64, N, S, 8>) -> Tensor<f64, N, S, 8> {
        let p = q.matmul(q.swap_axes(1, 2));
        ((p + p.swap_axes(1, 2)) / 2).matmul(q)
    }
    pub fn integers<const N: usize, const S: usize>(&self, q: Tensor<i32, N, S, 8>) -> Tensor<i32, N, S, 8> {
        einsum!("nkq,nkd->nqd", einsum!("nqd,nkd->nkq", q, q), q)
    }
    pub fn heads<const N: usize, const S: usize>(&self, q: Tensor<f32, N, S, 8>) -> Tensor<f32, N, S, 8> {
        let q = q.reshape([N, S, 1, 8]);
        let q = concatenate([q, q], 2);
        let p = einsum!("nqhd,nkhd->nhqk", q, q);
        einsum!("nhqk,nkhd->nqhd", p, q)[s![.., .., 1]]
    }
    pub fn vector<const N: usize, const S: usize>(&self, q: Tensor<f32, N, S, 8>) -> Tensor<f32, N, S> {
        einsum!("nqk,nk->nq", q.matmul(q.swap_axes(1, 2)), q[s![.., .., 0]])
    }
} }"#;

/// Small integers, so that all sums are exact.
fn numbers(n: usize, s: usize) -> Array3<f64> {
    Array3::from_shape_fn((n, s, 8), |(i, j, k)| {
        ((i * 5 + j * 3 + k * 7 + j * k) % 5) as f64 - 2.0
    })
}

/// What a function makes of each of a batch of matrices.
fn each(x: &Array3<f64>, of: impl Fn(ArrayView2<'_, f64>) -> Array2<f64>) -> Array3<f64> {
    let results: Vec<_> = x.outer_iter().map(of).collect();
    let results: Vec<_> = results.iter().map(|result| result.view()).collect();
    ndarray::stack(Axis(0), &results).expect("all are of one shape")
}

fn single(numbers: impl IntoIterator<Item = f64>, shape: &[usize]) -> HostTensor {
    let numbers = numbers.into_iter().map(|x| x as f32);
    HostTensor::new(shape, &numbers.collect::<Vec<_>>())
}

fn call(function: &str, inputs: Vec<HostTensor>, result: HostTensor, units: f64) -> Call {
    let expected = Expected {
        label: function.to_owned(),
        tensor: result,
        tolerance: Tolerance { units, least: 1.0 },
    };
    Call {
        function: function.to_owned(),
        inputs,
        expected: vec![expected],
    }
}

fn of_products() -> Result<(), Failed> {
    let mut calls = Vec::new();
    for (n, s) in SIZES {
        let q = numbers(n, s);
        let product = each(&q, |q| q.dot(&q.t()).dot(&q));
        let shape = &[n, s, 8];
        let tensor = |x: &Array3<f64>| single(x.iter().copied(), shape);
        for function in ["single", "heads"] {
            calls.push(call(function, vec![tensor(&q)], tensor(&product), 0.0));
        }
        let wide = |x: &Array3<f64>| HostTensor::new(shape, &x.iter().copied().collect::<Vec<_>>());
        calls.push(call("double", vec![wide(&q)], wide(&product), 0.0));
        let integers = |x: &Array3<f64>| {
            HostTensor::new(shape, &x.iter().map(|x| *x as i32).collect::<Vec<_>>())
        };
        calls.push(call(
            "integers",
            vec![integers(&q)],
            integers(&product),
            0.0,
        ));
        let first = single(product.slice(s![.., .., 0]).iter().copied(), &[n, s]);
        calls.push(call("vector", vec![tensor(&q)], first, 0.0));
    }
    check_calls(trace_right(CHAINS)?, &calls, CpuLevel::of_this_machine())
}

/// Booleans that are read, and that are computed, where they meet a product.
fn masks(generics: &str, size: &str, sizes: &[usize]) -> Result<(), Failed> {
    let source = format!(
        "mod masks {{ pub struct P; impl P {{
            pub fn masked{generics}(&self, x: Tensor<f32, {size}, 8>, m: Tensor<bool, {size}, {size}>) -> Tensor<f32, {size}, {size}> {{
                select(m, x.dot(x.t()), -1)
            }}
            pub fn attention{generics}(&self, x: Tensor<f32, {size}, 8>, m: Tensor<bool, {size}>) -> Tensor<f32, {size}, 8> {{
                select(m.reshape([1, {size}]), x.dot(x.t()) / 8, -1e9).softmax(-1).dot(x)
            }}
            pub fn labels{generics}(&self, x: Tensor<f32, {size}, 8>, m: Tensor<bool, {size}>) -> Tensor<f32, 8> {{
                x.t().dot(x.dot(x[0]) - m as f32)
            }}
            pub fn wide{generics}(&self, x: Tensor<f64, {size}, 8>, m: Tensor<bool, {size}>) -> Tensor<f64, {size}> {{
                x.dot(x[0]) - m as f64
            }}
            pub fn backwards{generics}(&self, x: Tensor<f32, {size}, 8>) -> Tensor<f32, {size}, {size}> {{
                let z = x.dot(x.t());
                let m = z > 0;
                select(m, select(m, z, 0).dot(z), 0)
            }}
        }} }}"
    );
    let calls: Vec<_> = sizes.iter().flat_map(|size| masked(*size)).collect();
    check_calls(trace_right(&source)?, &calls, CpuLevel::of_this_machine())
}

fn masked(size: usize) -> Vec<Call> {
    let x = numbers(1, size).index_axis_move(Axis(0), 0);
    let square = Array2::from_shape_fn((size, size), |(i, j)| (i * 3 + j * j) % 4 != 0);
    let row = Array1::from_shape_fn(size, |i| i % 3 != 1);
    let truth = |m: &[bool], shape: &[usize]| HostTensor::new(shape, m);
    let matrix = |x: &Array2<f64>| single(x.iter().copied(), x.shape());
    let product = x.dot(&x.t());
    let bits: Vec<bool> = square.iter().copied().collect();
    let mut masked = product.clone();
    masked.zip_mut_with(&square, |x, m| *x = if *m { *x } else { -1.0 });

    let mut weights = product.mapv(|x| (x / 8.0).exp());
    weights = weights * row.mapv(|m| f64::from(u8::from(m)));
    let sums = weights.sum_axis(Axis(1)).insert_axis(Axis(1));
    let attention = (weights / sums).dot(&x);

    let error = x.dot(&x.row(0)) - row.mapv(|m| f64::from(u8::from(m)));
    let relu = product.mapv(|x| x.max(0.0)).dot(&product);
    let backwards = relu * product.mapv(|x| f64::from(u8::from(x > 0.0)));
    let (row, rows) = (row.to_vec(), [size]);
    let wide: Vec<f64> = x.iter().copied().collect();
    vec![
        call(
            "masked",
            vec![matrix(&x), truth(&bits, &[size, size])],
            matrix(&masked),
            0.0,
        ),
        call(
            "attention",
            vec![matrix(&x), truth(&row, &rows)],
            matrix(&attention),
            64.0,
        ),
        call(
            "labels",
            vec![matrix(&x), truth(&row, &rows)],
            single(x.t().dot(&error), &[8]),
            0.0,
        ),
        call(
            "wide",
            vec![HostTensor::new(&[size, 8], &wide), truth(&row, &rows)],
            HostTensor::new(&rows, &error.to_vec()),
            0.0,
        ),
        call("backwards", vec![matrix(&x)], matrix(&backwards), 0.0),
    ]
}

/// How many matrices, and how many rows, summed numbers and columns they have.
const BATCHES: [(usize, usize, usize, usize); 7] = [
    (2, 3, 5, 6),
    (2, 6, 5, 6),
    (3, 7, 7, 7),
    (2, 5, 64, 64),
    (2, 8, 5, 6),
    (4, 17, 33, 9),
    (1, 3, 5, 6),
];

/// Rows that are divided by their sums, of which products are taken.
fn normalized() -> Result<(), Failed> {
    let procedures = BATCHES.iter().map(|(b, m, k, n)| {
        let types = format!(
            "x: Tensor<f32, {b}, {m}, {k}>, v: Tensor<f32, {b}, {k}, {n}>) -> Tensor<f32, {b}, {m}, {n}>"
        );
        format!(
            "pub fn shares_{b}_{m}_{k}(&self, {types} {{ (x / x.sum_axis(2).insert_axis(2)).matmul(v) }}\n\
             pub fn softmax_{b}_{m}_{k}(&self, {types} {{ x.softmax(-1).matmul(v) }}\n"
        )
    });
    let procedures: String = procedures.collect();
    let source = format!("mod normalized {{ pub struct P; impl P {{ {procedures} }} }}");
    let calls: Vec<_> = BATCHES.into_iter().flat_map(normalized_calls).collect();
    check_calls(trace_right(&source)?, &calls, CpuLevel::of_this_machine())
}

fn normalized_calls((b, m, k, n): (usize, usize, usize, usize)) -> [Call; 2] {
    let number = |at: usize| 0.25 + (at * 29 % 23) as f64 / 16.0;
    let x = Array3::from_shape_fn((b, m, k), |(i, j, l)| number((i * m + j) * k + l));
    let v = Array3::from_shape_fn((b, k, n), |(i, j, l)| number((i * k + j) * n + l + 7) - 1.0);
    let host = |tensor: &Array3<f64>| {
        let (a, b, c) = tensor.dim();
        let elements: Vec<_> = tensor.iter().map(|element| *element as f32).collect();
        HostTensor::new(&[a, b, c], &elements)
    };
    let call = |name: &str, weight: fn(f64) -> f64| {
        let result = Array3::from_shape_fn((b, m, n), |(i, j, l)| {
            let sum: f64 = (0..k).map(|at| weight(x[(i, j, at)])).sum();
            let terms = (0..k).map(|at| weight(x[(i, j, at)]) * v[(i, at, l)]);
            terms.sum::<f64>() / sum
        });
        Call {
            function: format!("{name}_{b}_{m}_{k}"),
            inputs: vec![host(&x), host(&v)],
            expected: vec![Expected {
                label: "the result".to_owned(),
                tensor: host(&result),
                tolerance: Tolerance {
                    units: 64.0,
                    least: 1.0,
                },
            }],
        }
    };
    [call("shares", |x| x), call("softmax", f64::exp)]
}
