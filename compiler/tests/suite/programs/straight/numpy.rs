//! The same procedures in NumPy, which says whether the oracle in plain Rust is right. Integers are those of their type,
//! and real numbers are `f64`.

use super::{
    array::{Array, Scalar},
    function,
    procedure::{Case, Procedure},
    step::{Operation, Part, Step, is_infix},
    values::distance,
};
use iree_abi::DType;
use libtest_mimic::Failed;
use serde_json::{Value, json};
use std::{
    env,
    io::Write,
    process::{Command, Stdio},
};

const HELPERS: &str = include_str!("oracle.py");

/// Names a Python with NumPy.
pub(in super::super) const PYTHON: &str = "IREE_DSL_ORACLE_PYTHON";

/// Computes all cases of procedures, and fails where the oracle has other results.
pub(super) fn check(procedures: &[Procedure]) -> Result<(), Failed> {
    let python = env::var_os(PYTHON).ok_or("there is no Python with NumPy")?;
    let cases = procedures.iter().flat_map(|procedure| {
        let cases = procedure.cases.iter();
        cases.filter_map(move |case| Some((procedure, case, procedure.values(case)?)))
    });
    let cases: Vec<_> = cases.collect();
    let jobs: Vec<_> = cases
        .iter()
        .map(|(procedure, case, _)| job(procedure, case))
        .collect();
    let mut command = Command::new(python);
    let mut child = command
        .args(["-c", HELPERS])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut input = child.stdin.take().ok_or("no input")?;
    let text = serde_json::to_vec(&jobs)?;
    let writing = std::thread::spawn(move || input.write_all(&text));
    let output = child.wait_with_output()?;
    writing.join().map_err(|_| "NumPy is not written to")??;
    if !output.status.success() {
        return Err("NumPy fails".into());
    }
    let found: Vec<Vec<Value>> = serde_json::from_slice(&output.stdout)?;
    for ((procedure, _, values), found) in cases.iter().zip(found) {
        for (value, found) in values.iter().zip(&found) {
            let exact = value.exact();
            if let Some(difference) = difference(exact, found) {
                let text = procedure.text("f");
                return Err(format!("NumPy computes something else: {difference}\n{text}").into());
            }
        }
    }
    Ok(())
}

fn difference(exact: &Array, found: &Value) -> Option<String> {
    let shape: Vec<usize> = serde_json::from_value(found["shape"].clone()).ok()?;
    let name = found["name"].as_str().unwrap_or_default();
    if shape != exact.shape {
        return Some(format!("{name}: {shape:?} instead of {:?}", exact.shape));
    }
    let elements = found["elements"].as_array()?.iter();
    let allowed = match exact.dtype.is_float() || exact.dtype.is_complex() {
        true => 1e-8 * (1.0 + exact.largest()),
        false => 0.0,
    };
    let mut pairs = elements.zip(&exact.elements).enumerate();
    pairs.find_map(|(place, (found, expected))| {
        let found = scalar(exact.dtype, found)?;
        let distance = distance(found, *expected);
        let is_far = distance.is_nan() || distance > allowed;
        is_far.then(|| format!("{name}[{place}]: {found:?} instead of {expected:?}"))
    })
}

fn scalar(dtype: DType, found: &Value) -> Option<Scalar> {
    Some(if dtype.is_complex() {
        let part = |place: usize| found[place].as_f64();
        Scalar::Complex(num_complex::Complex64::new(part(0)?, part(1)?))
    } else if dtype.is_float() {
        Scalar::Real(found.as_f64().unwrap_or(f64::NAN))
    } else {
        Scalar::Integer(found.as_str()?.parse().ok()?)
    })
}

/// What NumPy is to compute for one case.
fn job(procedure: &Procedure, case: &Case) -> Value {
    let inputs = case.inputs.iter().enumerate().map(|(value, input)| {
        let elements = input.elements.iter().map(|element| match element {
            Scalar::Integer(integer) => json!(integer.to_string()),
            Scalar::Real(real) => json!(real),
            Scalar::Complex(complex) => json!([complex.re, complex.im]),
        });
        json!({
            "name": procedure.name(value),
            "dtype": input.dtype.name(),
            "shape": input.shape,
            "elements": elements.collect::<Vec<_>>(),
        })
    });
    let first = procedure.parameters.len();
    let lines = procedure.steps.iter().enumerate().map(|(number, step)| {
        let operands = step.operands.iter().map(|value| procedure.name(*value));
        let operands: Vec<_> = operands.collect();
        let from = step
            .operands
            .first()
            .map_or(step.ty.dtype, |value| procedure.ty(*value).dtype);
        let shape = step
            .ty
            .sizes
            .iter()
            .map(|size| size.at(case.sizes).unwrap_or(0));
        let shape: Vec<_> = shape.collect();
        line(
            step,
            &procedure.name(first + number),
            &operands,
            from,
            &shape,
        )
    });
    json!({
        "inputs": inputs.collect::<Vec<_>>(),
        "lines": lines.collect::<Vec<_>>(),
        "results": (0..procedure.count()).map(|value| procedure.name(value)).collect::<Vec<_>>(),
    })
}

fn line(step: &Step, name: &str, operands: &[String], from: DType, shape: &[usize]) -> String {
    match &step.operation {
        Operation::Assign {
            parts,
            operator,
            number,
        } => {
            let value = number.map_or_else(|| operands[1].clone(), |number| number.to_string());
            let value = match from.is_integer() && number.is_some() {
                true => format!("constant({value}, \"{}\")", from.name()),
                false => value,
            };
            format!(
                "{name} = {}.copy(); {name}[{}] {operator} {value}",
                operands[0],
                index(parts)
            )
        }
        Operation::AssignAt => {
            let [x, at, value] = [0, 1, 2].map(|number| &operands[number]);
            format!("{name} = {x}.copy(); {name}[clip({at}, {x}.shape[0])] = {value}")
        }
        _ => format!("{name} = {}", expression(step, operands, from, shape)),
    }
}

fn tuple(numbers: &[usize]) -> String {
    let numbers: String = numbers.iter().map(|number| format!("{number}, ")).collect();
    format!("({numbers})")
}

fn index(parts: &[Part]) -> String {
    let part = |part: &Part| match part {
        Part::All => ":".to_owned(),
        Part::Range(start, end, step) => {
            let end = end.map_or(String::new(), |end| end.to_string());
            format!("{start}:{end}:{step}")
        }
        Part::Backwards(step) => format!("::-{step}"),
        Part::Less(by) => format!(":-{by}"),
        Part::At(index) => index.to_string(),
    };
    let parts: Vec<_> = parts.iter().map(part).collect();
    parts.join(", ")
}

fn arithmetic(name: &str, from: DType, x: &str, y: &str) -> String {
    if from.is_float() {
        let text = function::binary(name).numpy;
        return text.replace("{0}", x).replace("{1}", y);
    }
    match name {
        "/" if from.is_integer() => format!("quotient({x}, {y})"),
        "%" if from.is_integer() => format!("remainder({x}, {y})"),
        "rem_euclid" => format!("euclid({x}, {y})"),
        _ if is_infix(name) => format!("({x} {name} {y})"),
        _ => format!("np.{name}({x}, {y})"),
    }
}

fn unary(name: &str, from: DType, x: &str) -> String {
    if from.is_float() {
        return function::unary(name).numpy.replace("{}", x);
    }
    if from.is_complex() {
        return function::unary_complex(name).numpy.replace("{}", x);
    }
    match name {
        "abs" => format!("np.abs({x})"),
        "signum" => format!("np.sign({x})"),
        "relu" => format!("np.maximum({x}, constant(0, \"{}\"))", from.name()),
        _ => format!("{name}({x})"),
    }
}

fn expression(step: &Step, operands: &[String], from: DType, shape: &[usize]) -> String {
    let x = operands.first().map_or("", String::as_str);
    let y = operands.get(1).map_or("", String::as_str);
    let constant = |number: &f64| format!("constant({number}, \"{}\")", from.name());
    let own = step.ty.dtype.name();
    let shape = tuple(shape);
    match &step.operation {
        Operation::Unary(name) => unary(name, from, x),
        Operation::Powi(power) => format!("({x} ** {})", constant(&f64::from(*power))),
        Operation::Negate => format!("np.negative({x})"),
        Operation::Not => format!("np.invert({x})"),
        Operation::Binary(name) => arithmetic(name, from, x, y),
        Operation::WithNumber(name, by) => arithmetic(name, from, x, &constant(by)),
        Operation::NumberFirst(name, by) => arithmetic(name, from, &constant(by), x),
        Operation::Compare(name) => format!("({x} {name} {y})"),
        Operation::CompareNumber(name, by) => format!("({x} {name} {})", constant(by)),
        Operation::Select => format!("np.where({x}, {y}, {})", operands[2]),
        Operation::Clamp(low, high) => {
            let (low, high) = (constant(low), constant(high));
            format!("np.minimum(np.maximum({x}, {low}), {high})")
        }
        Operation::MulAdd => format!("({x} * {y} + {})", operands[2]),
        Operation::Complex => format!("({x} + 1j * {y})"),
        Operation::PartOfComplex(name) => match *name {
            "re" => format!("np.real({x})"),
            "im" => format!("np.imag({x})"),
            _ => format!("np.abs({x})"),
        },
        Operation::Cast => format!("cast({x}, \"{own}\")"),
        Operation::Reduce(name, axes) => {
            let axes = axes.as_ref().map_or("None".to_owned(), |axes| tuple(axes));
            match *name {
                "sum" | "prod" => format!("np.{name}({x}, axis={axes}, dtype={x}.dtype)"),
                _ => format!("np.{name}({x}, axis={axes})"),
            }
        }
        Operation::ReduceXor(axis) => format!("np.bitwise_xor.reduce({x}, axis={axis})"),
        Operation::Along(name, axis) => format!("{name}({x}, {axis})"),
        Operation::InsertAxis(_) | Operation::RemoveAxis(_) | Operation::Reshape(_) => {
            format!("np.reshape({x}, {shape})")
        }
        Operation::SwapAxes(one, other) => format!("np.swapaxes({x}, {one}, {other})"),
        Operation::Transpose => format!("{x}.T"),
        Operation::Permute(axes) => format!("np.transpose({x}, {axes:?})"),
        Operation::BroadcastTo => format!("np.broadcast_to({x}, {shape})"),
        Operation::Slice(parts) => format!("{x}[{}]", index(parts)),
        Operation::Reverse(axes) => format!("np.flip({x}, {})", tuple(axes)),
        Operation::Roll(by, axis) => format!("np.roll({x}, {by}, {axis})"),
        Operation::Repeat(times, axis) => format!("np.repeat({x}, {times}, {axis})"),
        Operation::Tile(times) => format!("np.tile({x}, {times:?})"),
        Operation::Pad {
            low,
            high,
            interior,
            value,
        } => format!("pad({x}, {low:?}, {high:?}, {interior:?}, {value})"),
        Operation::Concatenate(axis) => {
            format!("np.concatenate([{}], {axis})", operands.join(", "))
        }
        Operation::Stack(axis) => format!("np.stack([{}], {axis})", operands.join(", ")),
        Operation::Triangle("tri_lower", by) => format!("np.tril({x}, {by})"),
        Operation::Triangle(_, by) => format!("np.triu({x}, {by})"),
        Operation::AtIndex => format!("{x}[clip({y}, {x}.shape[0])]"),
        Operation::Like(name) => format!("np.{name}({x})"),
        Operation::FullLike(by) => format!("np.full_like({x}, {by})"),
        Operation::Full(by) => format!("np.full({shape}, {by}, TYPES[\"{own}\"])"),
        Operation::Iota(axis) => format!("iota({shape}, {axis}, \"{own}\")"),
        Operation::Eye => format!("np.eye(*{shape}, dtype=TYPES[\"{own}\"])"),
        Operation::Outer => format!("np.outer({x}, {y})"),
        Operation::Dot => format!("np.dot({x}, {y})"),
        Operation::Matmul => format!("np.matmul({x}, {y})"),
        Operation::Einsum(letters) => format!("np.einsum(\"{letters}\", {})", operands.join(", ")),
        Operation::Take(axis) => format!("np.take({x}, {y}, {axis}, mode=\"clip\")"),
        Operation::TakeAlongAxis(axis) => {
            format!("np.take_along_axis({x}, clip({y}, {x}.shape[{axis}]), {axis})")
        }
        Operation::ScatterAdd(axis) => format!("scatter_add({x}, {y}, {}, {axis})", operands[2]),
        Operation::OneHot(classes) => format!("one_hot({x}, {classes})"),
        Operation::MapRows(name) => format!("rows_{name}({x})"),
        Operation::ScanRows => format!("scan_rows({x})"),
        Operation::Assign { .. } | Operation::AssignAt => String::new(),
    }
}
