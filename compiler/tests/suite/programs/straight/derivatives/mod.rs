//! The derivatives of procedures by their parameters of real numbers. What they are comes from the interpreter, which has the
//! same procedure in `f64`; what the interpreter says comes from differences.

mod differences;
mod program;

pub(super) use differences::off_differences;

use super::{
    array::{Array, Scalar},
    judge::{Failure, Question},
    procedure::{Case, Procedure, tuple},
    step::Type,
    values::{Value, epsilon},
};
use crate::mutations::Random;
use iree_abi::DType;
use program::{NAME, Program, narrowed, widened};
use std::{cell::Cell, collections::BTreeSet, iter::once};

/// How often what a procedure is given is moved.
const MOVES: usize = 3;

/// By how many units in the last place it is moved, for all that is rounded on the way.
const MOVE: f64 = 16.0;

/// The sum of what a procedure returns, and its derivatives.
#[derive(Debug, Default)]
pub(super) struct Derivatives {
    /// How many results of calls were known well enough to say something of the compiler, and how many there were.
    told: Cell<[usize; 2]>,
}

impl Question for Derivatives {
    fn is_for(&self, procedure: &Procedure) -> bool {
        let all = differentiated(procedure);
        all.is_some_and(|parameters| !parameters.is_empty())
    }

    fn text(&self, procedure: &Procedure, name: &str) -> String {
        let parameters = differentiated(procedure).unwrap_or_default();
        let names: Vec<_> = parameters.iter().map(|it| procedure.name(*it)).collect();
        let slopes: Vec<_> = names.iter().map(|name| format!("d{name}")).collect();
        let places: Vec<_> = (0..names.len()).map(|place| place.to_string()).collect();
        let loss = "Tensor<f32>".to_owned();
        let types = parameters.iter().map(|it| procedure.ty(*it).text());
        let types: Vec<_> = once(loss).chain(types).collect();
        let body = format!(
            "let (loss, {}) = value_and_grad::<{}>(|{}| {{\n{}\n}})({});\n(loss, {})",
            tuple(&slopes),
            places.join(", "),
            names.join(", "),
            sum(procedure),
            names.join(", "),
            slopes.join(", "),
        );
        procedure.text_of(name, &tuple(&types), &body)
    }

    fn results(&self, procedure: &Procedure, case: &Case) -> Option<Vec<Value>> {
        let samples = self.samples(procedure, case).ok()?;
        let values = dtypes(procedure).into_iter().enumerate();
        let values = values.map(|(place, dtype)| {
            let samples = samples.iter().map(|results| &results[place]);
            let samples: Vec<_> = samples.map(|array| array.map(dtype, |it| it)).collect();
            judged(samples, computed_in(procedure, dtype))
        });
        let (values, are_good): (Vec<_>, Vec<_>) = values.unzip();
        let [told, all] = self.told.get();
        let good = are_good.iter().filter(|is_good| **is_good).count();
        self.told.set([told + good, all + are_good.len()]);
        are_good.contains(&true).then_some(values)
    }
}

/// The value of a result, and whether that says something of the compiler; any other number is right for one that does not.
fn judged(mut samples: Vec<Array>, computed_in: DType) -> (Value, bool) {
    let Some(exact) = samples.first().cloned() else {
        return (Value { samples }, false);
    };
    let as_computed = |array: &Array| array.map(computed_in, |it| it);
    let computed = Value {
        samples: samples.iter().map(as_computed).collect(),
    };
    let is_good = computed.is_good();
    let unit = MOVE * epsilon(computed_in);
    let by = match is_good {
        // A slope that is small where a function is flat, as that of `tanh`, is the difference of numbers near 1.
        true => unit * exact.largest().max(1.0),
        false => f64::INFINITY,
    };
    samples.push(exact.map(exact.dtype, |it| Scalar::Real(it.real() + by)));
    (Value { samples }, is_good)
}

impl Derivatives {
    pub(super) fn told(&self) -> [usize; 2] {
        self.told.get()
    }

    /// What a call returns: all in `f64` first, then what shows how far rounding moves it.
    fn samples(&self, procedure: &Procedure, case: &Case) -> Result<Vec<Vec<Array>>, Failure> {
        let text = self.text(procedure, NAME);
        let dtypes = dtypes(procedure);
        let [wide, as_it_is, narrow] = [
            Program::widened(&text, &dtypes)?,
            Program::of(&text, &dtypes)?,
            Program::narrowed(&text, &dtypes)?,
        ];
        let exact = wide.call(&all(&case.inputs, widened))?;
        let rounded = narrow.call(&all(&case.inputs, narrowed))?;
        let results = exact.iter().zip(&rounded).zip(&dtypes);
        let scaled = results.map(|((exact, rounded), dtype)| match dtype {
            DType::F64 => between(exact, rounded, f64::EPSILON / f64::from(f32::EPSILON)),
            _ => rounded.clone(),
        });
        let mut samples = vec![scaled.collect(), as_it_is.call(&case.inputs)?];
        let unit = MOVE * epsilon(computed_in(procedure, DType::F64));
        let mut random = Random(0);
        for _ in 0..MOVES {
            let inputs = case.inputs.iter();
            let inputs = inputs.map(|input| moved(input, unit, &mut random));
            samples.push(wide.call(&inputs.collect::<Vec<_>>())?);
        }
        samples.insert(0, exact);
        Ok(samples)
    }
}

/// The element types of what is returned.
fn dtypes(procedure: &Procedure) -> Vec<DType> {
    let parameters = differentiated(procedure).unwrap_or_default().into_iter();
    let dtypes = parameters.map(|it| procedure.ty(it).dtype);
    once(DType::F32).chain(dtypes).collect()
}

/// The parameters that the sum is computed from; `None` if numbers of few bits come between, which say little of it.
fn differentiated(procedure: &Procedure) -> Option<Vec<usize>> {
    let mut active: BTreeSet<_> = summed(procedure).into_iter().collect();
    let first = procedure.parameters.len();
    for (place, step) in procedure.steps.iter().enumerate().rev() {
        let is_real = |value: &usize| is_differentiable(procedure.ty(*value));
        if active.contains(&(first + place)) && !step.operation.is_constant() {
            active.extend(step.operands.iter().copied().filter(is_real));
        }
    }
    let mut types = active.iter().map(|value| procedure.ty(*value).dtype);
    if types.any(|dtype| dtype.size() == 2) {
        return None;
    }
    let parameters = active.into_iter().filter(|value| *value < first);
    Some(
        parameters
            .filter(|value| is_summed(procedure.ty(*value)))
            .collect(),
    )
}

fn is_differentiable(ty: &Type) -> bool {
    ty.dtype.is_float() || ty.dtype.is_complex()
}

fn is_summed(ty: &Type) -> bool {
    [DType::F32, DType::F64].contains(&ty.dtype)
}

/// The results that are summed.
fn summed(procedure: &Procedure) -> Vec<usize> {
    let results = procedure.results.iter().copied();
    results
        .filter(|value| is_summed(procedure.ty(*value)))
        .collect()
}

/// The steps, and the sum of what they return.
fn sum(procedure: &Procedure) -> String {
    let terms = summed(procedure)
        .into_iter()
        .enumerate()
        .map(|(place, value)| {
            let name = procedure.name(value);
            let ty = procedure.ty(value);
            let term = match (ty.rank(), place % 3) {
                (0, _) => name,
                (_, 0) => format!("({name} * {name}).mean()"),
                (_, 1) => format!("{name}.sin().sum()"),
                _ => format!("{name}.mean()"),
            };
            match ty.dtype {
                DType::F32 => term,
                _ => format!("({term}).cast::<f32>()"),
            }
        });
    let terms: Vec<_> = terms.collect();
    format!("{}\n{}", procedure.statements(), terms.join(" + "))
}

/// The same numbers in other element types.
fn all(arrays: &[Array], dtype: fn(DType) -> DType) -> Vec<Array> {
    let arrays = arrays.iter();
    let same = |array: &Array| array.map(dtype(array.dtype), |element| element);
    arrays.map(same).collect()
}

/// The type of a result as far as its digits go: a procedure that computes with numbers of 32 bits has not more.
fn computed_in(procedure: &Procedure, dtype: DType) -> DType {
    let mut types = (0..procedure.count()).map(|value| procedure.ty(value).dtype);
    match types.any(|dtype| dtype == DType::F32 || dtype == DType::C64) {
        true => narrowed(dtype),
        false => dtype,
    }
}

/// Numbers in `f64`, moved at random by parts of themselves.
fn moved(array: &Array, most: f64, random: &mut Random) -> Array {
    array.map(widened(array.dtype), |element| match element {
        Scalar::Real(real) => Scalar::Real(real * (1.0 + direction(random) * most)),
        other => other,
    })
}

/// Part of the way from numbers to others.
fn between(from: &Array, to: &Array, part: f64) -> Array {
    let elements = from.elements.iter().zip(&to.elements);
    let elements = elements.map(|(from, to)| {
        let [from, to] = [from.real(), to.real()];
        Scalar::Real(from + (to - from) * part)
    });
    Array {
        elements: elements.collect(),
        ..from.clone()
    }
}

/// A number between -1 and 1.
fn direction(random: &mut Random) -> f64 {
    random.below(2001) as f64 / 1000.0 - 1.0
}
