//! The derivatives of procedures by their parameters of real numbers. What they are comes from the interpreter, which has the
//! same procedure in `f64`; what the interpreter says comes from differences.

use super::{
    array::{Array, Scalar, elements_of},
    execute::Call,
    interpret::outcomes,
    judge::{Failure, Kind, Question},
    procedure::{Case, Procedure, tuple},
    step::Type,
    values::{Value, epsilon},
};
use crate::{language::trace_right, mutations::Random};
use iree_abi::DType;
use iree_dsl_ir::{Verified, verify};
use std::{collections::BTreeSet, iter::once, sync::Arc};

/// How often what a procedure is given is moved.
const MOVES: usize = 3;

/// By how many units in the last place it is moved, for all that is rounded on the way.
const MOVE: f64 = 16.0;

/// By how much parameters are moved for differences.
const STEP: f64 = 1e-6;

/// The name of the procedure.
const NAME: &str = "f0";

/// How far differences may be from derivatives and from each other, for each unit of what they are summed from.
const ERROR: f64 = 2e-3;

/// The sum of what a procedure returns, and its derivatives.
#[derive(Debug)]
pub(super) struct Derivatives;

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
            judged(samples, has_narrow(procedure))
        });
        let (values, are_good): (Vec<_>, Vec<_>) = values.unzip();
        are_good.contains(&true).then_some(values)
    }
}

/// The value of a result, and whether that says something of the compiler; any other number is right for one that does not.
fn judged(mut samples: Vec<Array>, is_narrow: bool) -> (Value, bool) {
    let Some(exact) = samples.first().cloned() else {
        return (Value { samples }, false);
    };
    let as_computed = |array: &Array| match is_narrow {
        true => array.map(narrowed(array.dtype), |it| it),
        false => array.clone(),
    };
    let computed = Value {
        samples: samples.iter().map(as_computed).collect(),
    };
    let is_good = computed.is_good();
    let unit = MOVE * epsilon(computed.exact().dtype);
    let by = match is_good {
        // A slope that is small where a function is flat, as that of `tanh`, is the difference of numbers near 1.
        true => unit * exact.largest().max(1.0),
        false => f64::INFINITY,
    };
    samples.push(exact.map(exact.dtype, |it| Scalar::Real(it.real() + by)));
    (Value { samples }, is_good)
}

impl Derivatives {
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
        let unit = MOVE
            * epsilon(if has_narrow(procedure) {
                DType::F32
            } else {
                DType::F64
            });
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

/// What differences say of what the interpreter computes.
pub(super) fn off_differences(procedure: &Procedure) -> Option<Failure> {
    let mut cases = procedure.cases.iter();
    cases.find_map(|case| off_differences_in(procedure, case).unwrap_or_else(Some))
}

fn off_differences_in(procedure: &Procedure, case: &Case) -> Result<Option<Failure>, Failure> {
    let text = Derivatives.text(procedure, NAME);
    let derivatives = Program::widened(&text, &dtypes(procedure))?;
    let text = procedure.text_of(NAME, "Tensor<f32>", &sum(procedure));
    let sum = Program::widened(&text, &[DType::F32])?;
    let inputs = all(&case.inputs, widened);
    let results = derivatives.call(&inputs)?;
    let parameters = differentiated(procedure).unwrap_or_default();
    let mut random = Random(0);
    for (place, derivative) in parameters.into_iter().zip(results.iter().skip(1)) {
        let way = derivative.map(DType::F64, |_| Scalar::Real(direction(&mut random)));
        let at = |step: f64| {
            let mut inputs = inputs.clone();
            inputs[place] = along(&inputs[place], &way, step);
            Ok(sum.call(&inputs)?[0].elements[0].real())
        };
        let [before, here, after] = [at(-STEP)?, at(0.0)?, at(STEP)?];
        let terms = derivative.elements.iter().zip(&way.elements);
        let slope = Slope {
            terms: terms
                .map(|(derivative, way)| derivative.real() * way.real())
                .collect(),
            found: [(here - before) / STEP, (after - here) / STEP],
            sum: here,
        };
        if let Some(message) = slope.mistake() {
            let message = format!("along {}: {message}", procedure.name(place));
            return Ok(Some(Failure {
                kind: Kind::Wrong,
                message,
            }));
        }
    }
    Ok(None)
}

/// How fast the sum grows where a parameter moves along a line.
struct Slope {
    /// What the derivatives add to it.
    terms: Vec<f64>,
    /// What differences say it is, before and behind.
    found: [f64; 2],
    /// The sum.
    sum: f64,
}

impl Slope {
    /// Nothing is wrong where differences do not tell, as at a corner.
    fn mistake(&self) -> Option<String> {
        let [left, right] = self.found;
        let (slope, found) = (self.terms.iter().sum::<f64>(), f64::midpoint(left, right));
        let size = self.terms.iter().map(|term| term.abs()).sum::<f64>();
        let allowed = ERROR * (size + found.abs() + self.sum.abs() * 1e-4);
        let is_told = (left - right).abs() <= allowed;
        // The deviation of equal numbers has no slope, here and in JAX.
        let is_right = !slope.is_finite() || (found - slope).abs() <= allowed;
        (is_told && !is_right).then(|| format!("the slope is {slope}, differences say {found}"))
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

fn widened(dtype: DType) -> DType {
    match dtype {
        DType::F32 => DType::F64,
        DType::C64 => DType::C128,
        other => other,
    }
}

fn narrowed(dtype: DType) -> DType {
    match dtype {
        DType::F64 => DType::F32,
        DType::C128 => DType::C64,
        other => other,
    }
}

/// The same numbers in other element types.
fn all(arrays: &[Array], dtype: fn(DType) -> DType) -> Vec<Array> {
    let arrays = arrays.iter();
    let same = |array: &Array| array.map(dtype(array.dtype), |element| element);
    arrays.map(same).collect()
}

/// Whether a procedure computes with numbers of 32 bits.
fn has_narrow(procedure: &Procedure) -> bool {
    let mut types = (0..procedure.count()).map(|value| procedure.ty(value).dtype);
    types.any(|dtype| dtype == DType::F32 || dtype == DType::C64)
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

fn along(array: &Array, way: &Array, step: f64) -> Array {
    let mut ways = way.elements.iter();
    array.map(array.dtype, |element| match (element, ways.next()) {
        (Scalar::Real(real), Some(way)) => Scalar::Real(real + way.real() * step),
        (element, _) => element,
    })
}

/// A number between -1 and 1.
fn direction(random: &mut Random) -> f64 {
    random.below(2001) as f64 / 1000.0 - 1.0
}

/// A procedure for the interpreter.
struct Program {
    verified: Arc<Verified>,
    /// The element types of its results.
    results: Vec<DType>,
}

impl Program {
    fn of(text: &str, results: &[DType]) -> Result<Self, Failure> {
        let refused = |message| Failure {
            kind: Kind::NotTraced,
            message,
        };
        let source = format!("mod p {{\npub struct P {{ }}\nimpl P {{\n{text}}}\n}}\n");
        let module = trace_right(&source)
            .map_err(|failed| refused(failed.message().unwrap_or_default().to_owned()))?;
        let verified = verify(module).map_err(|errors| refused(format!("{errors:?}")))?;
        Ok(Self {
            verified: Arc::new(verified),
            results: results.to_vec(),
        })
    }

    /// The same with all numbers in `f64`.
    fn widened(text: &str, results: &[DType]) -> Result<Self, Failure> {
        let results: Vec<_> = results.iter().copied().map(widened).collect();
        Self::of(&text.replace("f32", "f64"), &results)
    }

    /// The same with all numbers in `f32`.
    fn narrowed(text: &str, results: &[DType]) -> Result<Self, Failure> {
        let results: Vec<_> = results.iter().copied().map(narrowed).collect();
        Self::of(&text.replace("f64", "f32"), &results)
    }

    fn call(&self, inputs: &[Array]) -> Result<Vec<Array>, Failure> {
        let call = Call {
            function: NAME.to_owned(),
            inputs: inputs.iter().map(Array::described).collect(),
            results: Vec::new(),
        };
        let bytes = inputs.iter().map(Array::bytes).collect();
        let outcome = outcomes(&self.verified, &[call], &[bytes]);
        let results = outcome.into_iter().next().transpose();
        let results = results.map_err(|message| Failure {
            kind: Kind::Stopped,
            message,
        })?;
        let results = results.into_iter().flatten().zip(&self.results);
        let arrays = results.map(|((shape, bytes), dtype)| Array {
            dtype: *dtype,
            shape,
            elements: elements_of(*dtype, &bytes),
        });
        Ok(arrays.collect())
    }
}
