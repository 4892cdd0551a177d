//! What operations compute, in plain Rust: each element of the result is found by its index.

use super::{
    array::{Array, Scalar, is_signed, wrapped},
    fold,
    function::{binary, unary, unary_complex},
    places,
    step::Operation,
};
use iree_abi::DType;
use std::cmp::Ordering;

/// The result of an operation, of a type and shape that is known; `None` where the operation is not defined.
pub(super) fn evaluate(
    operation: &Operation,
    dtype: DType,
    shape: &[usize],
    operands: &[&Array],
) -> Option<Array> {
    let x = operands.first().copied();
    let found = match operation {
        Operation::Full(number) => Array::build(dtype, shape, |_| Scalar::number(dtype, *number)),
        Operation::Iota(axis) => Array::build(dtype, shape, |index| {
            Scalar::number(dtype, index[*axis] as f64)
        }),
        Operation::Eye => Array::build(dtype, shape, |index| {
            Scalar::number(dtype, f64::from(u8::from(index[0] == index[1])))
        }),
        Operation::Unary(_)
        | Operation::Powi(_)
        | Operation::Negate
        | Operation::Not
        | Operation::PartOfComplex(_)
        | Operation::Cast
        | Operation::Clamp(..)
        | Operation::Like(_)
        | Operation::FullLike(_)
        | Operation::WithNumber(..)
        | Operation::NumberFirst(..)
        | Operation::CompareNumber(..) => {
            let from = x?.dtype;
            x?.map(dtype, |element| of_one(operation, from, dtype, element))
        }
        Operation::Binary(_)
        | Operation::Compare(_)
        | Operation::Select
        | Operation::MulAdd
        | Operation::Complex => Array::build(dtype, shape, |index| {
            let elements: Vec<_> = operands.iter().map(|one| one.broadcast_at(index)).collect();
            of_several(operation, operands[0].dtype, &elements)
        }),
        Operation::Reduce(..)
        | Operation::ReduceXor(_)
        | Operation::Along(..)
        | Operation::MapRows(_)
        | Operation::ScanRows
        | Operation::Outer
        | Operation::Dot
        | Operation::Matmul
        | Operation::Einsum(_) => fold::evaluate(operation, dtype, shape, operands)?,
        _ => places::evaluate(operation, dtype, shape, operands)?,
    };
    debug_assert_eq!(found.shape, shape, "{operation:?}");
    Some(found)
}

fn of_one(operation: &Operation, from: DType, to: DType, x: Scalar) -> Scalar {
    let number = |by: &f64| Scalar::number(from, *by);
    match operation {
        Operation::Unary(name) => applied(name, from, x),
        Operation::Powi(power) => power_of(from, x, *power),
        Operation::Negate => arithmetic("-", from, number(&0.0), x),
        Operation::Not => match from {
            DType::Bool => Scalar::Integer(1 - x.integer()),
            _ => Scalar::Integer(wrapped(from, !x.integer())),
        },
        Operation::PartOfComplex(name) => Scalar::Real(match *name {
            "re" => x.complex().re,
            "im" => x.complex().im,
            _ => x.complex().norm(),
        }),
        Operation::Cast => cast(from, to, x),
        Operation::Clamp(low, high) => {
            let least = arithmetic("maximum", from, x, number(low));
            arithmetic("minimum", from, least, number(high))
        }
        Operation::Like(name) => number(&f64::from(u8::from(*name == "ones_like"))),
        Operation::FullLike(by) => number(by),
        Operation::WithNumber(name, by) => arithmetic(name, from, x, number(by)),
        Operation::NumberFirst(name, by) => arithmetic(name, from, number(by), x),
        Operation::CompareNumber(name, by) => compared(name, x, number(by)),
        _ => x,
    }
}

fn applied(name: &str, dtype: DType, x: Scalar) -> Scalar {
    match x {
        Scalar::Real(x) => Scalar::Real((unary(name).real)(x)),
        Scalar::Complex(x) => Scalar::Complex((unary_complex(name).complex)(x)),
        Scalar::Integer(x) => {
            let bits = 8 * dtype.size() as i128;
            let kept = x & ((1 << bits) - 1);
            Scalar::Integer(wrapped(
                dtype,
                match name {
                    "abs" => x.abs(),
                    "signum" => x.signum(),
                    "relu" => x.max(0),
                    "count_ones" => kept.count_ones().into(),
                    _ => i128::from(kept.leading_zeros()) - (128 - bits),
                },
            ))
        }
    }
}

fn power_of(dtype: DType, x: Scalar, power: i32) -> Scalar {
    let one = Scalar::number(dtype, 1.0);
    (0..power).fold(one, |product, _| arithmetic("*", dtype, product, x))
}

fn of_several(operation: &Operation, dtype: DType, elements: &[Scalar]) -> Scalar {
    let (x, y) = (elements[0], elements[1]);
    match operation {
        Operation::Binary(name) => arithmetic(name, dtype, x, y),
        Operation::Compare(name) => compared(name, x, y),
        Operation::Select => match x.integer() {
            0 => elements[2],
            _ => y,
        },
        Operation::MulAdd => {
            let product = arithmetic("*", dtype, x, y);
            arithmetic("+", dtype, product, elements[2])
        }
        _ => Scalar::Complex(num_complex::Complex64::new(x.real(), y.real())),
    }
}

pub(super) fn arithmetic(name: &str, dtype: DType, x: Scalar, y: Scalar) -> Scalar {
    match (x, y) {
        (Scalar::Integer(x), Scalar::Integer(y)) => {
            Scalar::Integer(wrapped(dtype, of_integers(name, dtype, x, y)))
        }
        (Scalar::Real(x), Scalar::Real(y)) => Scalar::Real((binary(name).real)(x, y)),
        _ => {
            let (x, y) = (x.complex(), y.complex());
            Scalar::Complex(match name {
                "+" => x + y,
                "-" => x - y,
                "*" => x * y,
                _ => x / y,
            })
        }
    }
}

fn of_integers(name: &str, dtype: DType, x: i128, y: i128) -> i128 {
    match name {
        "+" => x.wrapping_add(y),
        "-" => x.wrapping_sub(y),
        "*" => x.wrapping_mul(y),
        "/" if y == 0 => -1,
        "/" => x / y,
        "%" | "rem_euclid" if y == 0 => x,
        "%" => x % y,
        "rem_euclid" => x.rem_euclid(y),
        "&" => x & y,
        "|" => x | y,
        "^" => x ^ y,
        "maximum" => x.max(y),
        "minimum" => x.min(y),
        "<<" => x << y.clamp(0, 8 * dtype.size() as i128 - 1),
        _ => x >> y.clamp(0, 8 * dtype.size() as i128 - 1),
    }
}

pub(super) fn order(x: Scalar, y: Scalar) -> Ordering {
    match (x, y) {
        (Scalar::Integer(x), Scalar::Integer(y)) => x.cmp(&y),
        _ => x.real().partial_cmp(&y.real()).unwrap_or(Ordering::Equal),
    }
}

fn compared(name: &str, x: Scalar, y: Scalar) -> Scalar {
    if let (Scalar::Complex(x), Scalar::Complex(y)) = (x, y) {
        return Scalar::truth((x == y) == (name == "=="));
    }
    let order = order(x, y);
    Scalar::truth(match name {
        "==" => order.is_eq(),
        "!=" => order.is_ne(),
        "<" => order.is_lt(),
        "<=" => order.is_le(),
        ">" => order.is_gt(),
        _ => order.is_ge(),
    })
}

/// As `as` does it.
fn cast(from: DType, to: DType, x: Scalar) -> Scalar {
    if to.is_complex() {
        return Scalar::Complex(x.complex());
    }
    if to.is_float() {
        return Scalar::Real(x.real());
    }
    if to == DType::Bool {
        return Scalar::truth(x.size() != 0.0);
    }
    match x {
        Scalar::Integer(integer) => Scalar::Integer(wrapped(to, integer)),
        other => Scalar::Integer(saturated(to, other.real(), from)),
    }
}

fn saturated(to: DType, real: f64, _from: DType) -> i128 {
    let bits = 8 * to.size() as u32;
    let (least, most) = match is_signed(to) {
        true => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        false => (0, (1_i128 << bits) - 1),
    };
    (real.trunc() as i128).clamp(least, most)
}
