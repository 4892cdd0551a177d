//! Whole procedures as their fields write them, one in a file: compiled as builds do, without a way out, and called on each
//! device, next to the interpreter.
//!
//! ```text
//! // What it computes.
//! // N = 12
//! // positive: variances
//! // below 10: labels
//! pub fn step<const N: usize>(&self, ..) -> .. { .. }
//! ```
//!
//! The lines before the procedure say what sizes a call has, `M = 150, 0` those of several calls, which arguments are more than
//! zero, and below which number integers stay; others are between -1 and 1, and below 5. A line that begins with `#[global` is a
//! global of the program, which no procedure changes.

use crate::{
    device::{HostTensor, number},
    programs::built::{Call, Compiled, Refusal, Returned, compile, outcomes},
    registers,
};
use iree_abi::{DType, DTypeClass, TensorType};
use iree_dsl_ir::{Function, Linkage};
use libtest_mimic::{Failed, Trial};
use num_complex::{Complex32, Complex64};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// How far results may be from those of the interpreter, in parts of the largest number of a result.
const TOLERANCE: [(DType, f64); 2] = [(DType::F32, 1e-4), (DType::F64, 1e-10)];

pub(crate) fn trials() -> Vec<Trial> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/natural");
    let mut files: Vec<_> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    files.sort();
    let trial = |file: PathBuf| {
        let name = file.file_stem().unwrap_or_default().display().to_string();
        let letters: usize = name.bytes().map(usize::from).sum();
        Trial::test(format!("natural/{name}"), move || {
            check(&fs::read_to_string(&file)?, letters.is_multiple_of(2))
        })
    };
    files.into_iter().map(trial).collect()
}

/// Of about every other program, by its name, all factors of products are packed, as they are of programs that are larger and
/// otherwise the same.
fn check(text: &str, packs: bool) -> Result<(), Failed> {
    let compiled = compile(&program(text), packs).map_err(Refusal::into_message)?;
    call(text, &compiled)?;
    let mut functions = compiled.program.module().functions.iter();
    match functions.any(|(_, function)| has_regions(function)) {
        true => registers::check_lowered(&compiled.lowered),
        false => Ok(()),
    }
}

/// Whether a function branches, with which values go from block to block.
fn has_regions(function: &Function) -> bool {
    let mut operations = function.operations.iter();
    operations.any(|(_, operation)| !operation.regions.is_empty())
}

/// A program of a procedure.
pub(crate) fn program(text: &str) -> String {
    let lines = text.lines().filter_map(|line| line.strip_prefix("// "));
    let globals: String = lines.filter(|line| line.starts_with("#[global")).collect();
    format!("mod natural {{ pub struct Natural {{ {globals} }} impl Natural {{\n{text}\n}} }}")
}

/// Calls the procedures of a program.
///
/// # Errors
///
/// What is wrong with its results.
pub(crate) fn call(text: &str, compiled: &Compiled) -> Result<(), Failed> {
    let given = Given::of(text)?;
    let functions = compiled.program.module().functions.iter();
    let public = functions.filter(|(_, function)| function.linkage == Linkage::Public);
    let public: Vec<_> = public.collect();
    if public.is_empty() {
        return Err("there is no procedure".into());
    }
    public.into_iter().try_for_each(|(_, function)| {
        call_procedure(&given, function, compiled).map_err(|failed| {
            format!("{}: {}", function.name, failed.message().unwrap_or("")).into()
        })
    })
}

fn call_procedure(
    given: &Given<'_>,
    function: &Function,
    compiled: &Compiled,
) -> Result<(), Failed> {
    let types = function
        .types(&function.body.parameters)
        .ok_or("parameters have types")?;
    let results = function
        .types(&function.body.results)
        .ok_or("results have types")?;
    let (mut calls, mut inputs) = (Vec::new(), Vec::new());
    for time in 0..given.times() {
        let arguments = (0..)
            .zip(function.parameter_names.iter().zip(&types))
            .map(|(number, (name, ty))| given.input(name, number, ty, time))
            .collect::<Result<Vec<_>, _>>()?;
        calls.push(Call {
            function: function.name.clone(),
            inputs: arguments
                .iter()
                .map(|input| (input.ty.dtype.name().to_owned(), sizes(&input.ty)))
                .collect(),
            results: results
                .iter()
                .map(|ty| ty.dtype.name().to_owned())
                .collect(),
        });
        inputs.push(arguments.into_iter().map(|input| input.bytes).collect());
    }
    let expected = outcomes(&compiled.program, &calls, &inputs).into_iter();
    let expected = expected.collect::<Result<Vec<_>, _>>()?;
    for round in compiled.call(&calls, &inputs)? {
        for (expected, found) in expected.iter().zip(round) {
            compare(&results, expected, &found?)?;
        }
    }
    Ok(())
}

/// What the lines before a procedure say.
#[derive(Default)]
struct Given<'a> {
    /// Those of each call; the last are also those of all further ones.
    sizes: BTreeMap<&'a str, Vec<usize>>,
    positive: BTreeSet<&'a str>,
    below: BTreeMap<&'a str, usize>,
}

impl<'a> Given<'a> {
    fn of(text: &'a str) -> Result<Self, Failed> {
        let mut given = Self::default();
        for line in text.lines().filter_map(|line| line.strip_prefix("// ")) {
            if line.starts_with("#[global") {
                continue;
            }
            if let Some((name, sizes)) = line.split_once(" = ") {
                let sizes = sizes.split(", ").map(str::parse);
                given.sizes.insert(name, sizes.collect::<Result<_, _>>()?);
            } else if let Some(names) = line.strip_prefix("positive: ") {
                given.positive.extend(names.split(", "));
            } else if let Some((most, names)) = line
                .strip_prefix("below ")
                .and_then(|line| line.split_once(": "))
            {
                let most = most.parse()?;
                given
                    .below
                    .extend(names.split(", ").map(|name| (name, most)));
            }
        }
        Ok(given)
    }

    /// How many calls there are.
    fn times(&self) -> usize {
        self.sizes.values().map(Vec::len).max().unwrap_or(1)
    }

    /// Numbers that look drawn, the same in each run.
    fn input(
        &self,
        name: &str,
        number: usize,
        ty: &TensorType,
        time: usize,
    ) -> Result<HostTensor, Failed> {
        let sizes = ty.shape.dims().iter().map(|dim| {
            let size = dim.extent()?.evaluate(&|name| {
                let sizes = self.sizes.get(name)?;
                sizes.get(time).or(sizes.last()).copied()
            })?;
            usize::try_from(size).ok()
        });
        let sizes: Option<Vec<usize>> = sizes.collect();
        let sizes = sizes.ok_or_else(|| format!("no line says what the sizes of {name} are"))?;
        let count: usize = sizes.iter().product();
        let draws = (0..count).map(|place| drawn(place, number));
        let real = |draw: usize| match self.positive.contains(name) {
            true => (draw as f64 + 1.0) / 1000.0,
            false => draw as f64 / 500.0 - 1.0,
        };
        let most = self.below.get(name).copied().unwrap_or(5);
        Ok(match ty.dtype {
            DType::F32 => HostTensor::new(
                &sizes,
                &draws.map(|draw| real(draw) as f32).collect::<Vec<_>>(),
            ),
            DType::F64 => HostTensor::new(&sizes, &draws.map(real).collect::<Vec<_>>()),
            DType::I32 => HostTensor::new(
                &sizes,
                &draws.map(|draw| (draw % most) as i32).collect::<Vec<_>>(),
            ),
            DType::U32 => HostTensor::new(
                &sizes,
                &draws.map(|draw| (draw % most) as u32).collect::<Vec<_>>(),
            ),
            DType::C64 => {
                let part = |draw| Complex32::new(real(draw) as f32, real(draw / 2) as f32);
                HostTensor::new(&sizes, &draws.map(part).collect::<Vec<_>>())
            }
            DType::C128 => {
                let part = |draw| Complex64::new(real(draw), real(draw / 2));
                HostTensor::new(&sizes, &draws.map(part).collect::<Vec<_>>())
            }
            DType::Bool => {
                HostTensor::new(&sizes, &draws.map(|draw| draw % 3 > 0).collect::<Vec<_>>())
            }
            other => return Err(format!("{name} is of {other}, which is not used here").into()),
        })
    }
}

/// A number below a thousand.
fn drawn(place: usize, number: usize) -> usize {
    let mixed = (place as u64 + 1)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_left(29 + number as u32);
    (mixed.wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33) as usize % 1000
}

fn sizes(ty: &TensorType) -> Vec<usize> {
    ty.shape
        .known()
        .expect("the sizes of what is given are known")
}

fn compare(types: &[TensorType], expected: &Returned, found: &Returned) -> Result<(), String> {
    for (number, (ty, (expected, found))) in
        types.iter().zip(expected.iter().zip(found)).enumerate()
    {
        let wrong = |message: String| format!("result {number}, {ty}: {message}");
        if expected.0 != found.0 {
            return Err(wrong(format!(
                "expected the sizes {:?}, found {:?}",
                expected.0, found.0
            )));
        }
        compare_elements(ty.dtype, &expected.1, &found.1).map_err(wrong)?;
    }
    Ok(())
}

fn compare_elements(dtype: DType, expected: &[u8], found: &[u8]) -> Result<(), String> {
    if !matches!(dtype.class(), DTypeClass::Float | DTypeClass::Complex) {
        return if expected == found {
            Ok(())
        } else {
            Err(format!("expected {expected:?}, found {found:?}"))
        };
    }
    let real = dtype.real();
    let numbers = |bytes: &[u8]| {
        bytes
            .chunks(real.size())
            .map(|bytes| number(real, bytes))
            .collect::<Vec<_>>()
    };
    let (expected, found) = (numbers(expected), numbers(found));
    let largest = expected
        .iter()
        .fold(0.0_f64, |largest, number| largest.max(number.abs()));
    if !largest.is_finite() {
        return Err("the case has no finite result".to_owned());
    }
    let tolerance = TOLERANCE.iter().find(|(of, _)| *of == real);
    let allowed = tolerance.map_or(0.0, |(_, part)| part * largest);
    for (place, (expected, found)) in expected.iter().zip(&found).enumerate() {
        let distance = (expected - found).abs();
        if distance.is_nan() || distance > allowed {
            return Err(format!(
                "[{place}] expected {expected}, found {found}; {allowed} is allowed"
            ));
        }
    }
    Ok(())
}
