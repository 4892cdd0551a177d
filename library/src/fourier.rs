//! Fourier transforms, of complex numbers along the last axis where nothing else is said.
//!
//! Operations transform lengths that are known; `other` transforms lines whose length only calls tell.

use crate::{complex::conj, term::Term};
use iree_abi::{DType, Dim, Extent, Shape, TensorType};
use iree_dsl_ir::{
    Scalar,
    op::{Fourier, InferError, Op, Transpose, UnaryOp},
};

/// The same numbers as complex ones.
pub fn complex<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    match x.dtype() {
        DType::F64 => x.convert(DType::C128),
        DType::F32 => x.convert(DType::C64),
        dtype if dtype.is_complex() => x.clone(),
        dtype => {
            let operation = "";
            x.failed(InferError::DType { operation, dtype }.into())
        }
    }
}

/// The transforms along some axes, one after the other.
pub fn along<'x, V: Clone>(
    x: &Term<'x, V>,
    op: Fourier,
    axes: &[usize],
    mut other: impl FnMut(&Term<'x, V>, Fourier) -> Term<'x, V>,
) -> Term<'x, V> {
    axes.iter().fold(x.clone(), |x, axis| {
        let turned = swapped_with_last(&x, *axis);
        let turned = transform(&turned, op, &mut other);
        swapped_with_last(&turned, *axis)
    })
}

/// The transform of numbers that have no imaginary parts: the frequencies from 0 to half the length. Those behind are their
/// mirror image.
pub fn half<'x, V: Clone>(
    x: &Term<'x, V>,
    mut other: impl FnMut(&Term<'x, V>, Fourier) -> Term<'x, V>,
) -> Term<'x, V> {
    let whole = transform(x, Fourier::Forward, &mut other);
    let half = length(&whole).and_then(|length| half_of(&length));
    match half {
        Some(half) => part(&whole, Extent::from(0), half),
        None => unknown(&whole),
    }
}

/// The so many real numbers that have these first frequencies. Those behind are their mirror image.
pub fn of_half<'x, V: Clone>(
    x: &Term<'x, V>,
    length: &Extent,
    mut other: impl FnMut(&Term<'x, V>, Fourier) -> Term<'x, V>,
) -> Term<'x, V> {
    let one = Extent::from(1);
    let wanted = half_of(length);
    // Neither the first frequency nor, of an even length, the last has a mirror image.
    let behind = wanted.as_ref();
    let behind = behind.and_then(|wanted| length.minus(wanted)?.plus(&one));
    let (Some(wanted), Some(behind)) = (wanted, behind) else {
        return unknown(x);
    };
    let half = resized(x, wanted);
    let last = half.shape().rank().saturating_sub(1);
    let mirrored = part(&half, one, behind).emit(Op::Reverse(vec![last]), &[]);
    let whole = half.emit(Op::Concatenate(last), &[&conj(&mirrored)]);
    transform(&whole, Fourier::Inverse, &mut other).apply(UnaryOp::Real)
}

/// The same numbers, if there is at least one along the last axis. If only calls tell, they are refused without.
pub fn checked<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    match length(x) {
        Some(length) if x.require_order(&Extent::from(1), &length) => x.clone(),
        Some(_) => x.failed(InferError::Empty("fourier").into()),
        None => unknown(x),
    }
}

fn transform<'x, V: Clone>(
    x: &Term<'x, V>,
    op: Fourier,
    other: &mut impl FnMut(&Term<'x, V>, Fourier) -> Term<'x, V>,
) -> Term<'x, V> {
    let x = checked(x);
    let length = length(&x);
    match length.is_some_and(|length| length.known().is_none()) {
        false => x.emit(Op::Fourier(op), &[]),
        true => other(&x, op),
    }
}

fn swapped_with_last<'x, V: Clone>(x: &Term<'x, V>, axis: usize) -> Term<'x, V> {
    let mut permutation: Vec<_> = (0..x.shape().rank()).collect();
    let last = permutation.len().saturating_sub(1);
    if axis >= last {
        return x.clone();
    }
    permutation.swap(axis, last);
    x.emit(Op::Transpose(Transpose { permutation }), &[])
}

/// The size along the last axis.
fn length<V: Clone>(x: &Term<'_, V>) -> Option<Extent> {
    x.shape().dims().last()?.extent()
}

/// How many frequencies there are from 0 to half the length.
fn half_of(length: &Extent) -> Option<Extent> {
    length.over(2)?.plus(&Extent::from(1))
}

/// The first so many elements along the last axis, with zeros where there are too few.
fn resized<'x, V: Clone>(x: &Term<'x, V>, wanted: Extent) -> Term<'x, V> {
    let missing = length(x).and_then(|length| wanted.minus(&length));
    let Some(missing) = missing else {
        return unknown(x);
    };
    let zeros = match missing.known() {
        Some(..=0) => return part(x, Extent::from(0), wanted),
        Some(_) => missing,
        // If it is not known how many are missing, there are as many as there could be.
        None => wanted.clone(),
    };
    let mut dims = x.shape().dims().to_vec();
    let zeros = Dim::from_extent(zeros);
    let (Some(last), Some(zeros)) = (dims.last_mut(), zeros) else {
        return unknown(x);
    };
    *last = zeros;
    let ty = TensorType::new(x.dtype(), Shape::new(dims));
    let zeros = x.make_splat(Scalar::Integer(0), &ty);
    let long = x.emit(Op::Concatenate(ty.shape.rank() - 1), &[&zeros]);
    part(&long, Extent::from(0), wanted)
}

/// The elements from one place to before another along the last axis.
fn part<'x, V: Clone>(x: &Term<'x, V>, from: Extent, to: Extent) -> Term<'x, V> {
    x.part(x.shape().rank().saturating_sub(1), from, to)
}

fn unknown<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    x.failed(InferError::UnknownShape(x.shape()).into())
}
