//! Operations that undo others, so that a dispatch has results that are equal, against plain Rust.

use crate::{
    device::{Call, Expected, HostTensor, Tolerance, check_calls},
    language::trace_right,
};
use iree_abi::CpuLevel;
use libtest_mimic::{Failed, Trial};

/// The body of a procedure of `x: Tensor<i32, ..>` that returns two of them, and their elements.
type Pair = (&'static str, fn(i32) -> [i32; 2]);

const PAIRS: &[Pair] = &[
    (
        "let v = x * x; let w = v ^ x; let u = w ^ x; (v | u, u.rem_euclid(w))",
        |x| {
            let v = x * x;
            [v, v.rem_euclid(v ^ x)]
        },
    ),
    (
        "let v = x * x; let w = x - v; let u = x - w; (v & u, u * w)",
        |x| [x * x, x * x * (x - x * x)],
    ),
    (
        "let v = x * x; let w = v + x; let u = w - x; (v.maximum(u), u * w)",
        |x| [x * x, x * x * (x * x + x)],
    ),
    (
        "let v = x * x; let w = v - x; let u = x + w; (v.minimum(u), u * w)",
        |x| [x * x, x * x * (x * x - x)],
    ),
    (
        "let v = x * x; let w = -v; let u = -w; (v | u, u * w + u)",
        |x| [x * x, x * x - x * x * x * x],
    ),
    (
        "let v = x * x; let w = !v; let u = !w; (v | u, u * w)",
        |x| [x * x, x * x * !(x * x)],
    ),
    (
        "let v = x * x; let w = v as i64; let u = w as i32; (v | u, (w * 3) as i32 - u)",
        |x| [x * x, 2 * x * x],
    ),
    (
        "let v = (x * x) as f32; let w = v.to_bits(); let u = w.from_bits::<f32>(); (v.maximum(u) as i32, ((w & 1) as i32) + u as i32)",
        |x| [x * x, x * x],
    ),
    (
        "let v = (x * x) as f32; let w = complex(v, v + 1.0); let u = w.re(); (v.maximum(u) as i32, ((w * w).im() + u) as i32)",
        |x| [x * x, x * x * (2 * x * x + 3)],
    ),
    (
        "let v = (x * x) as f32; let w = complex(v + 1.0, v); let u = w.im(); (v.maximum(u) as i32, ((w * w).im() + u) as i32)",
        |x| [x * x, x * x * (2 * x * x + 3)],
    ),
    // The parts of a complex number that several operations read.
    (
        "let v = complex((x * x) as f64, x as f64); let w = v * v; let u = w / v; (w.re() as i32, (u * w - v).im().round() as i32)",
        |x| {
            let (re, im) = (x * x, x);
            let square = (re * re - im * im, 2 * re * im);
            [square.0, re * square.1 + im * square.0 - im]
        },
    ),
    (
        "let v = (x * x) as f32; let w = -v; let u = -w; (v.maximum(u) as i32, (u * w - v) as i32)",
        |x| [x * x, -x * x * (x * x + 1)],
    ),
];

const SIZES: [usize; 3] = [1, 4, 37];

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        Trial::test("cancelled/known_sizes", || check(true)),
        Trial::test("cancelled/unknown_sizes", || check(false)),
    ]
}

fn check(is_known: bool) -> Result<(), Failed> {
    let procedures = PAIRS.iter().enumerate().map(|(index, (body, _))| {
        let procedure = |name: String, generic: &str, size: &str| {
            let ty = format!("Tensor<i32, {size}>");
            format!("pub fn {name}{generic}(&self, x: {ty}) -> ({ty}, {ty}) {{ {body} }}\n")
        };
        match is_known {
            true => SIZES
                .map(|size| procedure(name(index, Some(size)), "", &size.to_string()))
                .concat(),
            false => procedure(name(index, None), "<const N: usize>", "N"),
        }
    });
    let procedures: String = procedures.collect();
    let source = format!("mod p {{ pub struct P {{ }} impl P {{ {procedures} }} }}");
    let calls = (0..PAIRS.len()).flat_map(|index| {
        SIZES.map(|size| call(name(index, is_known.then_some(size)), index, size))
    });
    let calls: Vec<_> = calls.collect();
    check_calls(trace_right(&source)?, &calls, CpuLevel::of_this_machine())
}

fn name(index: usize, size: Option<usize>) -> String {
    let size = size.map_or_else(String::new, |size| format!("_{size}"));
    format!("pair_{index}{size}")
}

fn call(function: String, index: usize, size: usize) -> Call {
    let numbers: Vec<i32> = (0..size).map(|place| 3 + (place % 12) as i32).collect();
    let (_, of) = PAIRS[index];
    let expected = [0, 1].map(|result| {
        let all: Vec<i32> = numbers.iter().map(|x| of(*x)[result]).collect();
        Expected {
            label: format!("result {result}"),
            tensor: HostTensor::new(&[size], &all),
            tolerance: Tolerance {
                units: 0.0,
                least: 0.0,
            },
        }
    });
    Call {
        function,
        inputs: vec![HostTensor::new(&[size], &numbers)],
        expected: expected.to_vec(),
    }
}
