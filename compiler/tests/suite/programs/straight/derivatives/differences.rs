//! What differences say of the derivatives that the interpreter computes.

use super::{
    Derivatives, all, differentiated, direction, dtypes,
    program::{NAME, Program, widened},
    sum,
};
use crate::{
    mutations::Random,
    programs::straight::{
        array::{Array, Scalar},
        judge::{Failure, Kind, Question},
        procedure::{Case, Procedure},
    },
};
use iree_abi::DType;

/// By how much parameters are moved for differences.
const STEP: f64 = 1e-6;

/// How far differences may be from derivatives and from each other, for each unit of what they are summed from.
const ERROR: f64 = 2e-3;

/// What differences say of what the interpreter computes.
pub(in crate::programs::straight) fn off_differences(procedure: &Procedure) -> Option<Failure> {
    let mut cases = procedure.cases.iter();
    cases.find_map(|case| off_differences_in(procedure, case).unwrap_or_else(Some))
}

fn off_differences_in(procedure: &Procedure, case: &Case) -> Result<Option<Failure>, Failure> {
    let text = Derivatives::default().text(procedure, NAME);
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

fn along(array: &Array, way: &Array, step: f64) -> Array {
    let mut ways = way.elements.iter();
    array.map(array.dtype, |element| match (element, ways.next()) {
        (Scalar::Real(real), Some(way)) => Scalar::Real(real + way.real() * step),
        (element, _) => element,
    })
}
