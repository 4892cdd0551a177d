//! Operations that combine many elements.

use super::{
    array::{Array, Scalar},
    oracle::{arithmetic, order},
    step::Operation,
};
use iree_abi::DType;
use num_complex::Complex64;

pub(super) fn evaluate(
    operation: &Operation,
    dtype: DType,
    shape: &[usize],
    operands: &[&Array],
) -> Option<Array> {
    let x = operands[0];
    match operation {
        Operation::Reduce(name, axes) => {
            let axes = axes.clone().unwrap_or_else(|| (0..x.shape.len()).collect());
            reduce(x, dtype, shape, &axes, |all| reduced(name, x.dtype, all))
        }
        Operation::ReduceXor(axis) => reduce(x, dtype, shape, &[*axis], |all| {
            let all = all.iter().map(|element| element.integer());
            Some(Scalar::Integer(all.fold(0, |a, b| a ^ b)))
        }),
        Operation::Along(name @ ("argmax_axis" | "argmin_axis" | "logsumexp_axis"), axis) => {
            reduce(x, dtype, shape, &[*axis], |all| reduced(name, x.dtype, all))
        }
        // The language has no maximum of no elements to subtract, not even for results without any.
        Operation::Along("softmax" | "log_softmax", axis) if x.shape[*axis] == 0 => None,
        Operation::Along(name, axis) => lines(x, dtype, *axis, |line| along(name, x.dtype, line)),
        Operation::MapRows("sum") => {
            let axes: Vec<_> = (1..x.shape.len()).collect();
            reduce(x, dtype, shape, &axes, |all| reduced("sum", x.dtype, all))
        }
        Operation::MapRows(name) => lines(x, dtype, 1, |line| {
            let by = reduced(
                if *name == "centred" { "mean" } else { "sum" },
                x.dtype,
                line,
            );
            let change = |element: &Scalar| match *name {
                "centred" => arithmetic("-", x.dtype, *element, by?).into(),
                _ => arithmetic("*", x.dtype, *element, by?).into(),
            };
            match *name {
                "reverse" => Some(line.iter().rev().copied().collect()),
                "centred" | "scaled" => line.iter().map(change).collect(),
                _ => along("cumsum", x.dtype, line),
            }
        }),
        // The carry before each row, of which the first is that row itself.
        Operation::ScanRows if x.shape[0] == 0 => None,
        Operation::ScanRows => lines(x, dtype, 0, |line| {
            let mut carry = *line.first()?;
            let before = line.iter().map(|element| {
                let before = carry;
                carry = arithmetic("+", x.dtype, carry, *element);
                before
            });
            Some(before.collect())
        }),
        Operation::Outer => einsum("i,j->ij", dtype, shape, operands),
        Operation::Dot => {
            let letters = match (x.shape.len(), operands[1].shape.len()) {
                (1, 1) => "i,i->",
                (1, _) => "i,ij->j",
                (_, 1) => "ij,j->i",
                _ => "ij,jk->ik",
            };
            einsum(letters, dtype, shape, operands)
        }
        Operation::Matmul => matmul(dtype, shape, operands),
        Operation::Einsum(letters) => einsum(letters, dtype, shape, operands),
        _ => None,
    }
}

/// Combines the elements along axes.
fn reduce(
    x: &Array,
    dtype: DType,
    shape: &[usize],
    axes: &[usize],
    combine: impl Fn(&[Scalar]) -> Option<Scalar>,
) -> Option<Array> {
    let sizes: Vec<_> = axes.iter().map(|axis| x.shape[*axis]).collect();
    // Without elements there is no first, not even for results without any.
    let mut is_defined = sizes.iter().all(|size| *size > 0) || combine(&[]).is_some();
    let result = Array::build(dtype, shape, |index| {
        let inner = Array::build(x.dtype, &sizes, |reduced| {
            let (mut kept, mut reduced) = (index.iter(), reduced.iter());
            let full = (0..x.shape.len()).map(|axis| match axes.contains(&axis) {
                true => *reduced.next().expect("an index for each axis"),
                false => *kept.next().expect("an index for each axis"),
            });
            x.at(&full.collect::<Vec<_>>())
        });
        combine(&inner.elements).unwrap_or_else(|| {
            is_defined = false;
            Scalar::number(dtype, 0.0)
        })
    });
    is_defined.then_some(result)
}

/// Replaces each line along an axis.
fn lines(
    x: &Array,
    dtype: DType,
    axis: usize,
    change: impl Fn(&[Scalar]) -> Option<Vec<Scalar>>,
) -> Option<Array> {
    let mut result = x.map(dtype, |_| Scalar::number(dtype, 0.0));
    let stride: usize = x.shape[axis + 1..].iter().product();
    let size = x.shape[axis];
    for place in 0..x.elements.len() {
        if !(place / stride).is_multiple_of(size) {
            continue;
        }
        let line: Vec<_> = (0..size)
            .map(|step| x.elements[place + step * stride])
            .collect();
        for (step, element) in change(&line)?.into_iter().enumerate() {
            result.elements[place + step * stride] = element;
        }
    }
    Some(result)
}

fn reduced(name: &str, dtype: DType, all: &[Scalar]) -> Option<Scalar> {
    let fold = |name: &str, first: f64| {
        let first = Scalar::number(dtype, first);
        let mut all = all.iter();
        all.try_fold(first, |sum, element| {
            Some(arithmetic(name, dtype, sum, *element))
        })
    };
    let count = all.len() as f64;
    let best = |is_better: &dyn Fn(Scalar, Scalar) -> bool| {
        let mut best = 0;
        for place in 1..all.len() {
            if is_better(all[place], all[best]) {
                best = place;
            }
        }
        (!all.is_empty()).then_some(best)
    };
    let largest = || best(&|one, other| order(one, other).is_gt());
    let smallest = || best(&|one, other| order(one, other).is_lt());
    match name {
        "sum" => fold("+", 0.0),
        "prod" => fold("*", 1.0),
        "max" => Some(all[largest()?]),
        "min" => Some(all[smallest()?]),
        "argmax_axis" => Some(Scalar::Integer(largest()? as i128)),
        "argmin_axis" => Some(Scalar::Integer(smallest()? as i128)),
        "mean" => {
            let sum = fold("+", 0.0)?.complex();
            (count > 0.0).then(|| of_dtype(dtype, sum / count))
        }
        "var" => variance(all).map(Scalar::Real),
        "std" => variance(all).map(|variance| Scalar::Real(variance.sqrt())),
        "all" => Some(Scalar::truth(
            all.iter().all(|element| element.integer() != 0),
        )),
        "any" => Some(Scalar::truth(
            all.iter().any(|element| element.integer() != 0),
        )),
        "logsumexp_axis" => {
            let most = all[largest()?].real();
            let sum: f64 = all
                .iter()
                .map(|element| (element.real() - most).exp())
                .sum();
            Some(Scalar::Real(most + sum.ln()))
        }
        _ => None,
    }
}

fn of_dtype(dtype: DType, number: Complex64) -> Scalar {
    match dtype.is_complex() {
        true => Scalar::Complex(number),
        false => Scalar::Real(number.re),
    }
}

fn variance(all: &[Scalar]) -> Option<f64> {
    let count = all.len() as f64;
    let mean = all.iter().map(|element| element.real()).sum::<f64>() / count;
    let squares = all.iter().map(|element| (element.real() - mean).powi(2));
    (count > 0.0).then(|| squares.sum::<f64>() / count)
}

fn along(name: &str, dtype: DType, line: &[Scalar]) -> Option<Vec<Scalar>> {
    let reals = |change: &dyn Fn(f64) -> f64| {
        let changed = line
            .iter()
            .map(|element| Scalar::Real(change(element.real())));
        Some(changed.collect())
    };
    let running = |name: &str| {
        let mut before: Option<Scalar> = None;
        let all = line.iter().map(|element| {
            let now = before.map_or(*element, |before| arithmetic(name, dtype, before, *element));
            before = Some(now);
            now
        });
        Some(all.collect())
    };
    let mut places: Vec<_> = (0..line.len()).collect();
    places.sort_by(|one, other| order(line[*one], line[*other]));
    match name {
        "softmax" | "log_softmax" => {
            // The largest is taken off first, so that no digits are lost where elements are large.
            let most = reduced("max", dtype, line)?.real();
            let sum: f64 = line
                .iter()
                .map(|element| (element.real() - most).exp())
                .sum();
            match name {
                "softmax" => reals(&|x| (x - most).exp() / sum),
                _ => reals(&|x| x - most - sum.ln()),
            }
        }
        "normalize_axis" => {
            let mean = reduced("mean", dtype, line)?.real();
            let root = (variance(line)? + 1e-5).sqrt();
            reals(&|x| (x - mean) / root)
        }
        "cumsum" => running("+"),
        "cumprod" => running("*"),
        "cummax" => running("maximum"),
        "cummin" => running("minimum"),
        "sort" => Some(places.iter().map(|place| line[*place]).collect()),
        _ => Some(
            places
                .iter()
                .map(|place| Scalar::Integer(*place as i128))
                .collect(),
        ),
    }
}

fn matmul(dtype: DType, shape: &[usize], operands: &[&Array]) -> Option<Array> {
    let (x, y) = (operands[0], operands[1]);
    let depth = x.shape[x.shape.len() - 1];
    if shape.iter().product::<usize>() * depth > PRODUCTS {
        return None;
    }
    let rank = shape.len();
    Some(Array::build(dtype, shape, |index| {
        let products = (0..depth).map(|step| {
            let (mut left, mut right) = (index.to_vec(), index.to_vec());
            left[rank - 1] = step;
            right[rank - 2] = step;
            let left = x.at(&batched(&left, &x.shape));
            let right = y.at(&batched(&right, &y.shape));
            arithmetic("*", dtype, left, right)
        });
        let zero = Scalar::number(dtype, 0.0);
        products.fold(zero, |sum, product| arithmetic("+", dtype, sum, product))
    }))
}

/// An index, of which the axes before the last two may broadcast.
fn batched(index: &[usize], shape: &[usize]) -> Vec<usize> {
    let own = &index[index.len() - shape.len()..];
    let is_matrix = |axis: usize| axis + 2 >= shape.len();
    let sizes = own.iter().zip(shape).enumerate();
    sizes
        .map(
            |(axis, (index, size))| match *size == 1 && !is_matrix(axis) {
                true => 0,
                false => *index,
            },
        )
        .collect()
}

/// How many products are added up at most, for the time that it takes.
const PRODUCTS: usize = 1 << 20;

fn einsum(letters: &str, dtype: DType, shape: &[usize], operands: &[&Array]) -> Option<Array> {
    let (inputs, output) = letters.split_once("->")?;
    let inputs: Vec<_> = inputs.split(',').collect();
    let mut summed: Vec<char> = Vec::new();
    for letter in inputs.concat().chars() {
        if !output.contains(letter) && !summed.contains(&letter) {
            summed.push(letter);
        }
    }
    let size_of = |letter: char| {
        let mut operands = inputs.iter().zip(operands);
        operands.find_map(|(input, operand)| Some(operand.shape[input.find(letter)?]))
    };
    let sizes: Option<Vec<_>> = summed.iter().map(|letter| size_of(*letter)).collect();
    let sizes = sizes?;
    if shape.iter().chain(&sizes).product::<usize>() > PRODUCTS {
        return None;
    }
    let zero = Scalar::number(dtype, 0.0);
    Some(Array::build(dtype, shape, |index| {
        let index_of = |letter: char, inner: &[usize]| match output.find(letter) {
            Some(place) => index[place],
            None => {
                inner[summed
                    .iter()
                    .position(|other| *other == letter)
                    .unwrap_or(0)]
            }
        };
        let products = Array::build(dtype, &sizes, |inner| {
            let factors = inputs.iter().zip(operands).map(|(input, operand)| {
                let own: Vec<_> = input
                    .chars()
                    .map(|letter| index_of(letter, inner))
                    .collect();
                operand.at(&own)
            });
            let factors = factors.reduce(|product, factor| arithmetic("*", dtype, product, factor));
            factors.unwrap_or(zero)
        });
        let products = products.elements.into_iter();
        products.fold(zero, |sum, product| arithmetic("+", dtype, sum, product))
    }))
}
