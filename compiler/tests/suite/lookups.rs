//! Rows that are looked up in a table, added to others and reduced, as the first layer of a language model does, with rows
//! that are short and long, against plain Rust.

use crate::{
    device::{Call, Expected, HostTensor, Tolerance, check_calls},
    language::trace_right,
};
use iree_abi::CpuLevel;
use libtest_mimic::{Failed, Trial};

/// The body of a procedure of `table: Tensor<T, WORDS, WIDTH>`, `positions: Tensor<T, LENGTH, WIDTH>` and
/// `ids: Tensor<i32, 3, LENGTH>`, and what it makes of the sum of two rows.
type Rows = (&'static str, fn(&[f64]) -> Vec<f64>);

const ROWS: &[Rows] = &[
    (
        "let x = table.take(ids, 0) + positions; x.normalize_axis(-1, 1e-5)",
        normal,
    ),
    ("(table.take(ids, 0) + positions).softmax(-1)", softmax),
    (
        "let x = table.take(ids, 0) + positions; let y = x.normalize_axis(-1, 1e-5); y + y.normalize_axis(-1, 1e-5) + x",
        |row| {
            let once = normal(row);
            let twice = normal(&once);
            let sums = once.iter().zip(&twice).zip(row);
            sums.map(|((a, b), c)| a + b + c).collect()
        },
    ),
    (
        "let x = table.take(ids, 0) + positions; (x - x.max_axis(-1).insert_axis(-1)) * x.min_axis(-1).insert_axis(-1)",
        |row| {
            let most = row.iter().copied().fold(f64::MIN, f64::max);
            let least = row.iter().copied().fold(f64::MAX, f64::min);
            row.iter().map(|a| (a - most) * least).collect()
        },
    ),
    (
        "let x = table.take(ids, 0).reshape([3, LENGTH, WIDTH]) * 2.0 + positions - table.take(ids, 0); x / x.abs().sum_axis(2).insert_axis(2)",
        |row| {
            let sum: f64 = row.iter().map(|a| a.abs()).sum();
            row.iter().map(|a| a / sum).collect()
        },
    ),
];

const WORDS: usize = 17;
const WIDTHS: [usize; 3] = [5, 64, 384];
const LENGTHS: [usize; 2] = [1, 37];

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for dtype in ["f32", "f64"] {
        for is_known in [true, false] {
            let name = if is_known { "known" } else { "unknown" };
            trials.push(Trial::test(
                format!("lookups/{name}_length/{dtype}"),
                move || check(dtype, is_known),
            ));
        }
    }
    trials
}

/// A program for each length, or one for all of them.
fn check(dtype: &str, is_known: bool) -> Result<(), Failed> {
    let lengths: Vec<&[usize]> = match is_known {
        true => LENGTHS.chunks(1).skip(1).collect(),
        false => vec![&LENGTHS],
    };
    for lengths in lengths {
        let (constant, generic) = match is_known {
            true => (format!("const LENGTH: usize = {};", lengths[0]), ""),
            false => (String::new(), "<const LENGTH: usize>"),
        };
        let procedures = WIDTHS.map(|width| procedures(dtype, width, generic));
        let procedures = procedures.concat();
        let source = format!("mod p {{ {constant} pub struct P {{ }} impl P {{ {procedures} }} }}");
        let calls = lengths.iter().flat_map(|length| {
            let of_length = |width| calls(dtype, width, *length);
            WIDTHS.into_iter().flat_map(of_length)
        });
        let calls: Vec<_> = calls.collect();
        check_calls(trace_right(&source)?, &calls, CpuLevel::of_this_machine())?;
    }
    Ok(())
}

fn procedures(dtype: &str, width: usize, generic: &str) -> String {
    let tensor = |sizes: &str| format!("Tensor<{dtype}, {sizes}>");
    let table = tensor(&format!("{WORDS}, {width}"));
    let positions = tensor(&format!("LENGTH, {width}"));
    let result = tensor(&format!("3, LENGTH, {width}"));
    let bodies = ROWS.iter().enumerate().map(|(index, (body, _))| {
        let body = body.replace("WIDTH", &width.to_string());
        format!(
            "pub fn rows_{index}_{width}{generic}(&self, table: {table}, positions: {positions}, \
             ids: Tensor<i32, 3, LENGTH>) -> {result} {{ {body} }}\n"
        )
    });
    bodies.collect()
}

fn calls(dtype: &str, width: usize, length: usize) -> Vec<Call> {
    let number = |index: usize| ((index * 37 + 11) % 64) as f64 / 32.0 - 0.75;
    let table: Vec<f64> = (0..WORDS * width).map(number).collect();
    let positions: Vec<f64> = (0..length * width)
        .map(|index| number(3 * index + index / 7))
        .collect();
    let ids: Vec<i32> = (0..3 * length)
        .map(|index| (index * 5 % WORDS) as i32)
        .collect();
    let row = |place: usize| {
        let word = &table[ids[place] as usize * width..][..width];
        let position = &positions[place % length * width..][..width];
        let sums = word.iter().zip(position);
        sums.map(|(a, b)| a + b).collect::<Vec<_>>()
    };
    let inputs = [
        host(dtype, &[WORDS, width], &table),
        host(dtype, &[length, width], &positions),
        HostTensor::new(&[3, length], &ids),
    ];
    let calls = ROWS.iter().enumerate().map(|(index, (_, of))| {
        let expected: Vec<f64> = (0..3 * length).flat_map(|place| of(&row(place))).collect();
        Call {
            function: format!("rows_{index}_{width}"),
            inputs: inputs.to_vec(),
            expected: vec![Expected {
                label: "the result".to_owned(),
                tensor: host(dtype, &[3, length, width], &expected),
                // Sums of a thousand numbers in another order.
                tolerance: Tolerance {
                    units: 4000.0,
                    least: 0.01,
                },
            }],
        }
    });
    calls.collect()
}

fn host(dtype: &str, shape: &[usize], numbers: &[f64]) -> HostTensor {
    let singles: Vec<f32> = numbers.iter().map(|number| *number as f32).collect();
    match dtype {
        "f32" => HostTensor::new(shape, &singles),
        _ => HostTensor::new(shape, numbers),
    }
}

fn normal(row: &[f64]) -> Vec<f64> {
    let count = row.len() as f64;
    let mean = row.iter().sum::<f64>() / count;
    let variance = row.iter().map(|a| (a - mean) * (a - mean)).sum::<f64>() / count;
    let scale = (variance + 1e-5).sqrt();
    row.iter().map(|a| (a - mean) / scale).collect()
}

fn softmax(row: &[f64]) -> Vec<f64> {
    let sum: f64 = row.iter().map(|a| a.exp()).sum();
    row.iter().map(|a| a.exp() / sum).collect()
}
