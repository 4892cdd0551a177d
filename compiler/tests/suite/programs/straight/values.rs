//! What a procedure computes, and how far rounding moves it. Each value is computed several times: once as it is, and
//! otherwise with all that an operation reads and all that it rounds moved at random by as much as rounding may. What
//! moves much says little of the compiler, so that such operations are not drawn.

use super::{
    array::{Array, Scalar},
    function,
    oracle::evaluate,
    step::{Operation, Step},
};
use crate::mutations::Random;
use half::{bf16, f16};
use iree_abi::DType;

/// How many times each value is computed.
const SAMPLES: usize = 5;

/// By how many units in the last place an operation may round.
const UNITS: f64 = 4.0;

/// How much more than any sample a right result may differ.
const SAFETY: f64 = 10.0;

/// The samples of a value, of which the first is not moved.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) samples: Vec<Array>,
}

impl Value {
    /// What a parameter is given, which is not rounded.
    pub(super) fn given(array: Array) -> Self {
        Self {
            samples: vec![array; SAMPLES],
        }
    }

    pub(super) fn exact(&self) -> &Array {
        &self.samples[0]
    }

    /// By how much each element may differ: what few samples move by chance no further than others may be moved as they are.
    pub(super) fn tolerances(&self) -> Vec<f64> {
        let exact = self.exact();
        let moved = |(place, element): (usize, &Scalar)| {
            let samples = self.samples.iter();
            let distances = samples.map(|sample| distance(sample.elements[place], *element));
            distances.fold(0.0, f64::max)
        };
        let moved: Vec<_> = exact.elements.iter().enumerate().map(moved).collect();
        if !exact.dtype.is_float() && !exact.dtype.is_complex() {
            return moved;
        }
        let mean = moved.iter().sum::<f64>() / moved.len().max(1) as f64;
        let elements = exact.elements.iter().zip(moved);
        let tolerance = |(element, moved): (&Scalar, f64)| {
            let last_places = UNITS * epsilon(exact.dtype) * element.size();
            SAFETY * moved.max(mean) + last_places + least(exact.dtype)
        };
        elements.map(tolerance).collect()
    }

    /// By how much each element may differ, which is nothing where no sample does.
    fn margins(&self) -> Array {
        let exact = self.exact();
        let is_known = self.samples.iter().all(|sample| sample == exact);
        let margins = match is_known {
            true => vec![0.0; exact.elements.len()],
            false => self.tolerances(),
        };
        Array {
            dtype: DType::F64,
            shape: exact.shape.clone(),
            elements: margins.into_iter().map(Scalar::Real).collect(),
        }
    }

    /// Whether results say something of the compiler: they are finite, of moderate size, and known well enough.
    pub(super) fn is_good(&self) -> bool {
        let exact = self.exact();
        let (largest, limit) = (exact.largest(), largest_of(exact.dtype));
        let is_finite = exact
            .elements
            .iter()
            .all(|element| element.size().is_finite());
        if !is_finite || largest > limit {
            return false;
        }
        let allowed = match exact.dtype {
            DType::F16 | DType::BF16 => 0.1,
            DType::F32 | DType::C64 => 1e-3,
            DType::F64 | DType::C128 => 1e-6,
            _ => 0.0,
        };
        // Not small beside the least numbers of its type either.
        let allowed = allowed * largest.max(1e3 * least(exact.dtype));
        self.tolerances()
            .iter()
            .all(|tolerance| *tolerance <= allowed)
    }
}

pub(super) fn distance(one: Scalar, other: Scalar) -> f64 {
    match (one, other) {
        (Scalar::Integer(one), Scalar::Integer(other)) => (one - other).unsigned_abs() as f64,
        _ => {
            let distance = (one.complex() - other.complex()).norm();
            if distance.is_nan() {
                f64::INFINITY
            } else {
                distance
            }
        }
    }
}

/// Computes the result of a step from the values of its operands.
pub(super) fn compute(
    step: &Step,
    shape: &[usize],
    operands: &[&Value],
    random: &mut Random,
) -> Option<Value> {
    let dtype = step.ty.dtype;
    let rounds = rounds(&step.operation);
    let terms = operands.iter().map(|value| value.exact().elements.len());
    let growth = match &step.operation {
        operation if is_fold(operation) => (terms.max().unwrap_or(1) as f64).sqrt(),
        _ => 1.0,
    };
    let mut samples = Vec::new();
    for number in 0..SAMPLES {
        let is_moved = rounds && number > 0;
        let read: Vec<_> = operands
            .iter()
            .map(|value| match is_moved {
                true => moved(&value.samples[number], growth, 0.0, random),
                false => value.samples[number].clone(),
            })
            .collect();
        let read: Vec<_> = read.iter().collect();
        let result = evaluate(&step.operation, dtype, shape, &read)?;
        samples.push(match is_moved {
            true => moved(&result, 1.0, beside(&step.operation, &read), random),
            false => result,
        });
    }
    let value = Value { samples };
    let fits = !is_fold(&step.operation)
        || fits_while_folded(dtype, operands) && fits_while_multiplied(step, shape, operands);
    (fits && is_decided(&step.operation, shape, operands) && value.is_good()).then_some(value)
}

/// Whether rounding of what is compared decides nothing, nor whether a divisor is 0. Few samples do not tell: of numbers that are
/// nearly equal, none may be equal by chance, and a number divided by itself is 1 in all of them.
fn is_decided(operation: &Operation, shape: &[usize], operands: &[&Value]) -> bool {
    let (operands, number) = match (operation, operands) {
        (Operation::Compare(_), _) => (operands, None),
        (Operation::CompareNumber(_, number), _) => (operands, Some(*number)),
        (Operation::Binary("/" | "%" | "rem_euclid" | "atan2"), [_, divisor @ ..]) => {
            (divisor, Some(0.0))
        }
        _ => return true,
    };
    let margins: Vec<_> = operands.iter().map(|value| value.margins()).collect();
    let distances = Array::build(DType::F64, shape, |index| {
        let at = |array: &Array| array.broadcast_at(index);
        let mut elements = operands.iter().map(|value| at(value.exact()));
        let first = elements.next().map_or(0.0.into(), Scalar::complex);
        let other = elements.next().map(Scalar::complex);
        let other = other.or(number.map(Into::into)).unwrap_or_default();
        let margin: f64 = margins.iter().map(|margin| at(margin).real()).sum();
        Scalar::Real(if margin == 0.0 {
            1.0
        } else {
            (first - other).norm() - margin
        })
    });
    let mut distances = distances.elements.iter();
    distances.all(|distance| distance.real() > 0.0)
}

/// The size of numbers in between, beside which small results are lost.
fn beside(operation: &Operation, read: &[&Array]) -> f64 {
    match (operation, read) {
        (Operation::Along("log_softmax", _) | Operation::Unary("gelu" | "gelu_tanh"), _) => 1.0,
        // The mean is taken off first.
        (Operation::Along("normalize_axis", axis), [operand]) => {
            operand.largest() / least_root(operand, *axis)
        }
        _ => 0.0,
    }
}

/// The least number that normalisation divides by.
fn least_root(operand: &Array, axis: usize) -> f64 {
    let mut shape = operand.shape.clone();
    shape.remove(axis);
    let deviation = Operation::Reduce("std", Some(vec![axis]));
    let deviations = evaluate(&deviation, operand.dtype, &shape, &[operand]);
    let elements = deviations.into_iter().flat_map(|found| found.elements);
    let roots = elements.map(|element| (element.real().powi(2) + 1e-5).sqrt());
    roots.fold(f64::INFINITY, f64::min)
}

/// Numbers moved as rounding may move them.
fn moved(array: &Array, growth: f64, beside: f64, random: &mut Random) -> Array {
    let dtype = array.dtype;
    if !dtype.is_float() && !dtype.is_complex() {
        return array.clone();
    }
    let scale = UNITS * epsilon(dtype) * growth;
    let mut moved = |part: f64| {
        let by = random.below(2001) as f64 / 1000.0 - 1.0;
        let small = if part.abs() < 2.0 * least(dtype) && part != 0.0 {
            least(dtype)
        } else {
            0.0
        };
        part + by * (scale * part.abs().max(beside) + small)
    };
    array.map(dtype, |element| match element {
        Scalar::Real(real) => Scalar::Real(moved(real)),
        Scalar::Complex(complex) => {
            let by = moved(complex.norm()) - complex.norm();
            let other = moved(complex.norm()) - complex.norm();
            Scalar::Complex(complex + num_complex::Complex64::new(by, other))
        }
        integer => integer,
    })
}

/// The distance from 1 to the next number.
pub(super) fn epsilon(dtype: DType) -> f64 {
    match dtype.real() {
        DType::F16 => f16::EPSILON.to_f64(),
        DType::BF16 => bf16::EPSILON.to_f64(),
        DType::F32 => f32::EPSILON.into(),
        DType::F64 => f64::EPSILON,
        _ => 0.0,
    }
}

/// Smaller numbers may count as zero on the device.
fn least(dtype: DType) -> f64 {
    match dtype.real() {
        DType::F16 => f16::MIN_POSITIVE.to_f64(),
        DType::BF16 | DType::F32 => f32::MIN_POSITIVE.into(),
        DType::F64 => f64::MIN_POSITIVE,
        _ => 0.0,
    }
}

/// What nothing in a program may exceed.
fn largest_of(dtype: DType) -> f64 {
    match dtype {
        DType::F16 => 60.0,
        DType::BF16 | DType::F32 | DType::F64 | DType::C64 | DType::C128 => 1e5,
        _ => f64::INFINITY,
    }
}

/// Whether no sum of squares is beyond what the type holds.
fn fits_while_folded(dtype: DType, operands: &[&Value]) -> bool {
    let mut arrays = operands.iter().map(|value| value.exact());
    dtype != DType::F16
        || arrays.all(|array| array.largest().powi(2) * array.elements.len() as f64 <= 2e4)
}

/// Whether no product of some of the numbers is beyond what the type holds, whichever are multiplied first.
fn fits_while_multiplied(step: &Step, shape: &[usize], operands: &[&Value]) -> bool {
    if !matches!(
        step.operation,
        Operation::Reduce("prod", _) | Operation::Along("cumprod", _)
    ) {
        return true;
    }
    let limit = match step.ty.dtype.real() {
        DType::F16 => 6e4,
        DType::BF16 | DType::F32 => 1e36,
        DType::F64 => 1e300,
        _ => return true,
    };
    let product = |size_of: fn(f64) -> f64| {
        let sizes = operands.iter().map(|value| {
            let size = |element: Scalar| Scalar::Real(size_of(element.size()));
            value.exact().map(DType::F64, size)
        });
        let sizes: Vec<_> = sizes.collect();
        let sizes: Vec<_> = sizes.iter().collect();
        evaluate(&step.operation, DType::F64, shape, &sizes)
    };
    let fits = |product: Option<Array>, is_fit: &dyn Fn(f64) -> bool| {
        product.is_some_and(|all| all.elements.iter().all(|element| is_fit(element.real())))
    };
    // Zeros are products of any order as they are.
    let small = |size: f64| if size == 0.0 { 1.0 } else { size.min(1.0) };
    fits(product(|size| size.max(1.0)), &|size| size <= limit)
        && fits(product(small), &|size| size >= 1.0 / limit)
}

fn is_fold(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::Reduce(..)
            | Operation::Along(..)
            | Operation::MapRows(_)
            | Operation::ScanRows
            | Operation::Outer
            | Operation::Dot
            | Operation::Matmul
            | Operation::Einsum(_)
            | Operation::ScatterAdd(_)
    )
}

/// Whether real numbers are rounded.
fn rounds(operation: &Operation) -> bool {
    match operation {
        Operation::Unary(name) => {
            let mut all = function::UNARY.iter();
            !all.any(|unary| unary.name == *name && unary.is_exact)
        }
        Operation::Binary(name)
        | Operation::WithNumber(name, _)
        | Operation::NumberFirst(name, _) => {
            let mut all = function::BINARY.iter();
            !all.any(|binary| binary.name == *name && binary.is_exact)
        }
        Operation::Powi(_)
        | Operation::MulAdd
        | Operation::Cast
        | Operation::PartOfComplex("abs")
        | Operation::Outer
        | Operation::Dot
        | Operation::Matmul
        | Operation::Einsum(_)
        | Operation::ScatterAdd(_)
        | Operation::ScanRows => true,
        Operation::MapRows(name) => *name != "reverse",
        Operation::Assign { operator, .. } => *operator != "=",
        Operation::Reduce(name, _) => !matches!(*name, "max" | "min"),
        Operation::Along(name, _) => !matches!(
            *name,
            "argmax_axis" | "argmin_axis" | "cummax" | "cummin" | "sort" | "argsort"
        ),
        _ => false,
    }
}
