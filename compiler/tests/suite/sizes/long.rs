//! Sums of so many numbers that `f32` does not hold what each of them adds, with sizes that are known while building
//! and at the call only, compared with sums in `f64` of plain Rust.

use crate::{
    device::{Call, Expected, HostTensor, Tolerance, check_calls},
    language::trace_right,
};
use iree_abi::CpuLevel;
use libtest_mimic::{Failed, Trial};

/// The rows of `x` and the elements of `v`, of which no number of parts is as long as the others.
const ROWS: usize = 300_007;
const COLUMNS: usize = 4;
/// The rows and columns of `y`.
const PARTS: (usize, usize) = (1 << 17, 10);

/// An expression, its type, and the result in plain Rust.
type Case = (&'static str, &'static str, fn() -> Vec<f64>);

const CASES: &[Case] = &[
    ("x.mean()", "Tensor<f32>", || vec![mean(&x())]),
    ("x.std()", "Tensor<f32>", || vec![variance(&x()).sqrt()]),
    ("x.mean_axis(0)", "Tensor<f32, 4>", || {
        columns().map(|column| mean(&column)).collect()
    }),
    ("x.t().mean_axis(1)", "Tensor<f32, 4>", || {
        columns().map(|column| mean(&column)).collect()
    }),
    ("x.var_axis(0)", "Tensor<f32, 4>", || {
        columns().map(|column| variance(&column)).collect()
    }),
    ("(x * x).sum().sqrt()", "Tensor<f32>", || {
        vec![product(&x(), &x()).sqrt()]
    }),
    ("x.flatten().dot(x.flatten())", "Tensor<f32>", || {
        vec![product(&x(), &x())]
    }),
    ("x.t().dot(x)", "Tensor<f32, 4, 4>", || {
        columns()
            .flat_map(|a| columns().map(move |b| product(&a, &b)))
            .collect()
    }),
    ("v.dot(x)", "Tensor<f32, 4>", || {
        columns().map(|column| product(&column, &v())).collect()
    }),
    ("x.t().dot(v)", "Tensor<f32, 4>", || {
        columns().map(|column| product(&column, &v())).collect()
    }),
    ("v.cumsum(0)", "Tensor<f32, N>", || {
        let sums = v().into_iter().scan(0.0, |sum, number| {
            *sum += number;
            Some(*sum)
        });
        sums.collect()
    }),
    (
        "x.cast::<bf16>().sum_axis(0).cast::<f32>()",
        "Tensor<f32, 4>",
        || {
            let sums = columns().map(|column| column.iter().sum::<f64>());
            sums.map(|sum| half::bf16::from_f64(sum).into()).collect()
        },
    ),
    ("complex(x, x * 0.5).sum().im()", "Tensor<f32>", || {
        vec![x().iter().sum::<f64>() / 2.0]
    }),
    ("y.t().dot(y)", "Tensor<f32, 10, 10>", || {
        let y: Vec<_> = y().collect();
        let columns: Vec<Vec<_>> = (0..PARTS.1)
            .map(|column| y.iter().copied().skip(column).step_by(PARTS.1).collect())
            .collect();
        columns
            .iter()
            .flat_map(|a| columns.iter().map(move |b| product(a, b)))
            .collect()
    }),
];

pub(super) fn trials() -> Vec<Trial> {
    let known = || check(&format!("const N: usize = {ROWS};"), "");
    let unknown = || check("", "<const N: usize>");
    vec![
        Trial::test("sizes/long/known", known),
        Trial::test("sizes/long/unknown", unknown),
    ]
}

fn check(item: &str, generics: &str) -> Result<(), Failed> {
    let parameters = "x: Tensor<f32, N, 4>, v: Tensor<f32, N>, y: Tensor<f32, 131072, 10>";
    let procedures = (0..).zip(CASES).map(|(number, (expression, result, _))| {
        format!(
            "pub fn case_{number}{generics}(&self, {parameters}) -> {result} {{ {expression} }}\n"
        )
    });
    let procedures: String = procedures.collect();
    let program = format!("mod long {{ {item} pub struct Long; impl Long {{\n{procedures}}} }}");
    let inputs = [
        HostTensor::new(&[ROWS, COLUMNS], &narrow(&x())),
        HostTensor::list(&narrow(&v())),
        HostTensor::new(&[PARTS.0, PARTS.1], &narrow(&y().collect::<Vec<_>>())),
    ];
    let calls = (0..).zip(CASES).map(|(number, (expression, _, result))| {
        let expected = Expected {
            label: (*expression).to_owned(),
            tolerance: Tolerance {
                units: 64.0,
                least: 0.0,
            },
            tensor: HostTensor::list(&narrow(&result())),
        };
        Call {
            function: format!("case_{number}"),
            inputs: inputs.to_vec(),
            expected: vec![expected],
        }
    });
    let calls: Vec<_> = calls.collect();
    check_calls(trace_right(&program)?, &calls, CpuLevel::of_this_machine())
}

fn x() -> Vec<f64> {
    (0..ROWS * COLUMNS)
        .map(|index| (index * 7919 % 256) as f64)
        .collect()
}

fn v() -> Vec<f64> {
    (0..ROWS)
        .map(|index| (index * 31 % 251 + 1) as f64)
        .collect()
}

/// Fractions whose products are rounded up as often as down.
fn y() -> impl Iterator<Item = f64> {
    let hash = |index: usize| (index as u32).wrapping_mul(0x9E37_79B1) >> 16;
    (0..PARTS.0 * PARTS.1).map(move |index| f64::from(hash(index)) / 65536.0)
}

fn columns() -> impl Iterator<Item = Vec<f64>> {
    (0..COLUMNS).map(|column| x().into_iter().skip(column).step_by(COLUMNS).collect())
}

fn narrow(numbers: &[f64]) -> Vec<f32> {
    numbers.iter().map(|number| *number as f32).collect()
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

fn variance(numbers: &[f64]) -> f64 {
    let mean = mean(numbers);
    let squares = numbers.iter().map(|number| (number - mean).powi(2));
    squares.sum::<f64>() / numbers.len() as f64
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
