//! Programs of which IREE 3.13 refuses what is the nearest way to write them: compiled as builds are, without a way out,
//! and called on each device, against plain Rust.

mod absorbed;
mod formulas;
mod kept;
mod normalized;
mod parts;
mod products;
mod reductions;
mod run_time;

use crate::programs::built::{Call, Refusal, compile};
use libtest_mimic::{Failed, Trial};
use ndarray::ArrayD;
use std::collections::BTreeSet;

/// Numbers, whatever the type of the elements is.
type Numbers = ArrayD<f64>;

/// A procedure, what it is called with, and what it returns.
struct Case {
    /// From its generic parameters to its body.
    text: &'static str,
    /// Types and sizes.
    inputs: &'static [(&'static str, &'static [usize])],
    results: &'static [&'static str],
    expected: fn(&[Numbers]) -> Vec<Numbers>,
}

pub(crate) fn trials() -> Vec<Trial> {
    let groups = [
        ("absorbed", absorbed::CASES),
        ("formulas", formulas::CASES),
        ("kept", kept::CASES),
        ("normalized", normalized::CASES),
        ("parts", parts::CASES),
        ("products", products::CASES),
        ("reductions", reductions::CASES),
        ("run_time", run_time::CASES),
    ];
    let trial = |(name, cases)| Trial::test(format!("accepted/{name}"), move || check(cases));
    groups.into_iter().map(trial).collect()
}

fn check(cases: &[Case]) -> Result<(), Failed> {
    let texts = cases.iter().enumerate();
    let texts: String = texts
        .map(|(number, case)| format!("pub fn f{number}{}\n", case.text))
        .collect();
    let source = format!("mod p {{ pub struct P {{ }} impl P {{ {texts} }} }}");
    let compiled = compile(&source, false).map_err(|refusal| match refusal {
        Refusal::Language(message) | Refusal::Compiler(message) => message,
    })?;
    let calls: Vec<_> = cases.iter().enumerate().map(call).collect();
    let given: Vec<_> = cases.iter().map(given).collect();
    let bytes: Vec<Vec<Vec<u8>>> = cases
        .iter()
        .zip(&given)
        .map(|(case, given)| {
            let types = case.inputs.iter().zip(given);
            types.map(|((ty, _), input)| bytes(ty, input)).collect()
        })
        .collect();
    let mut wrong = BTreeSet::new();
    for outcomes in compiled.call(&calls, &bytes)? {
        for ((case, given), outcome) in cases.iter().zip(&given).zip(outcomes) {
            let mistake = outcome
                .and_then(|found| compare_all(case, given, &found))
                .err();
            wrong.extend(mistake.map(|message| format!("{}: {message}", case.text)));
        }
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(Vec::from_iter(wrong).join("\n").into()),
    }
}

fn compare_all(
    case: &Case,
    given: &[Numbers],
    found: &[(Vec<usize>, Vec<u8>)],
) -> Result<(), String> {
    let expected = (case.expected)(given);
    let mut results = case.results.iter().zip(&expected).zip(found);
    results.try_for_each(|((ty, expected), (shape, found))| compare(ty, expected, shape, found))
}

fn call((number, case): (usize, &Case)) -> Call {
    let inputs = case.inputs.iter();
    Call {
        function: format!("f{number}"),
        inputs: inputs
            .map(|(ty, shape)| ((*ty).to_owned(), shape.to_vec()))
            .collect(),
        results: case.results.iter().map(|ty| (*ty).to_owned()).collect(),
    }
}

/// Numbers that every type has, and none of which is zero but for truth values.
fn given(case: &Case) -> Vec<Numbers> {
    let inputs = case.inputs.iter().enumerate();
    let input = |(number, (ty, shape)): (usize, &(&str, &[usize]))| {
        let element = |place: usize| {
            let number = (place * 7 + number * 3 + place / 5) % 11;
            match *ty {
                "bool" => f64::from(u8::from(number.is_multiple_of(3))),
                _ => [1.0, -2.0, 3.0, -1.0, 2.0, 1.0, -3.0, 1.0, -1.0, 2.0, -2.0][number],
            }
        };
        let elements = (0..shape.iter().product()).map(element).collect();
        Numbers::from_shape_vec(*shape, elements).expect("as many as the shape has")
    };
    inputs.map(input).collect()
}

fn bytes(ty: &str, numbers: &Numbers) -> Vec<u8> {
    let numbers = numbers.iter().copied();
    match ty {
        "bool" => numbers.map(|x| x as u8).collect(),
        "i32" => numbers.flat_map(|x| (x as i32).to_ne_bytes()).collect(),
        "f32" => numbers.flat_map(|x| (x as f32).to_ne_bytes()).collect(),
        "f16" => numbers
            .flat_map(|x| half::f16::from_f64(x).to_ne_bytes())
            .collect(),
        "bf16" => numbers
            .flat_map(|x| half::bf16::from_f64(x).to_ne_bytes())
            .collect(),
        "f64" => numbers.flat_map(f64::to_ne_bytes).collect(),
        // The imaginary part is twice the real one.
        "Complex<f32>" => numbers
            .flat_map(|x| [x as f32, 2.0 * x as f32])
            .flat_map(f32::to_ne_bytes)
            .collect(),
        "Complex<f64>" => numbers
            .flat_map(|x| [x, 2.0 * x])
            .flat_map(f64::to_ne_bytes)
            .collect(),
        _ => panic!("{ty} is not used here"),
    }
}

/// Of complex numbers, the real parts.
fn compare(ty: &str, expected: &Numbers, shape: &[usize], found: &[u8]) -> Result<(), String> {
    if shape != expected.shape() {
        return Err(format!("expected {:?}, found {shape:?}", expected.shape()));
    }
    let (size, tolerance) = match ty {
        "bool" => (1, 0.0),
        "f16" => (2, 2e-3),
        "bf16" => (2, 1.6e-2),
        "f64" | "Complex<f64>" => (8, 1e-4),
        _ => (4, 1e-4),
    };
    let step = if ty.starts_with("Complex") { 2 } else { 1 };
    let number = |bytes: &[u8]| match ty {
        "bool" => f64::from(bytes[0]),
        "f16" => half::f16::from_ne_bytes(bytes.try_into().expect("two bytes")).to_f64(),
        "bf16" => half::bf16::from_ne_bytes(bytes.try_into().expect("two bytes")).to_f64(),
        "i32" => f64::from(i32::from_ne_bytes(bytes.try_into().expect("four bytes"))),
        "f64" | "Complex<f64>" => f64::from_ne_bytes(bytes.try_into().expect("eight bytes")),
        _ => f64::from(f32::from_ne_bytes(bytes.try_into().expect("four bytes"))),
    };
    let found = found.chunks(size).step_by(step).map(number);
    for (place, (expected, found)) in expected.iter().zip(found).enumerate() {
        let distance = (expected - found).abs();
        if distance.is_nan() || distance > tolerance * expected.abs().max(1.0) {
            return Err(format!("[{place}] expected {expected}, found {found}"));
        }
    }
    Ok(())
}
