//! A bitonic sorting network: n log² n comparisons, in rounds that are all alike.
//!
//! In each round, elements whose places differ in one bit are exchanged if they are in the wrong order.
//! The rounds are a loop, as there is only one of them for IREE to compile.
//!
//! K. E. Batcher, "Sorting networks and their applications", 1968.

use super::{
    convert,
    emit::{Emitter, Result, Tensor},
    error::LowerCause,
    index, pad, slice, types,
};
use crate::{
    ir::Scalar,
    op::{Gather, Pad, Slice},
};
use iree_abi::{DType, Extent, TensorType};
use iree_dialects::stablehlo::{self, attributes::ComparisonDirection};

/// The places of the elements of each line in rising order. Lines lie along the last of two axes of known
/// sizes, the elements are integers with a sign.
pub(super) fn argsort<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    keys: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    if keys.dtype() != DType::I64 {
        return stable(emitter, &convert::lower(emitter, DType::I32, keys)?);
    }
    // By the lower halves first: what then has equal upper halves stays in that order.
    let least = emitter.splat(
        Scalar::Integer(i32::MIN.into()),
        &types::with_dtype(&keys.ty, DType::I32),
    )?;
    let lower = emitter.xor(&convert::lower(emitter, DType::I32, keys)?, &least)?;
    let half = emitter.splat(Scalar::Integer(32), &keys.ty)?;
    let upper = emitter.shift_right_arithmetic(keys, &half)?;
    let upper = convert::lower(emitter, DType::I32, &upper)?;
    let first = stable(emitter, &lower)?;
    let second = stable(emitter, &looked_up(emitter, &upper, &first)?)?;
    looked_up(emitter, &first, &second)
}

/// The elements of each line at places in it.
fn looked_up<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    lines: &Tensor<'c, 'b>,
    places: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    let line = emitter.iota(&places.ty, 0)?;
    let gather = Gather { axes: vec![0, 1] };
    index::lower_gather(emitter, &gather, lines, &[line, places.clone()], &lines.ty)
}

/// Sorts keys of 32 bits together with their places, which are the lower half of what is compared: no two
/// are equal then.
fn stable<'c, 'b>(emitter: &Emitter<'c, 'b>, keys: &Tensor<'c, 'b>) -> Result<Tensor<'c, 'b>> {
    let wide = types::with_dtype(&keys.ty, DType::I64);
    let half = emitter.splat(Scalar::Integer(32), &wide)?;
    let upper = emitter.shift_left(&convert::lower(emitter, DType::I64, keys)?, &half)?;
    let numbered = emitter.or(&upper, &emitter.iota(&wide, 1)?)?;
    let (padded, sizes) = padded(emitter, &numbered)?;
    let sorted = rounds(emitter, &padded)?;
    let part = Slice {
        start: vec![Extent::from(0); 2],
        limit: sizes.map(Extent::from).to_vec(),
        stride: vec![1; 2],
    };
    let sorted = slice::lower(emitter, &part, &sorted, &wide)?;
    convert::lower(emitter, DType::I32, &sorted)
}

/// Lines whose length is a power of two, with elements behind that are larger than all, and the sizes
/// before.
fn padded<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    lines: &Tensor<'c, 'b>,
) -> Result<(Tensor<'c, 'b>, [usize; 2])> {
    let sizes = lines
        .ty
        .shape
        .known()
        .and_then(|sizes| sizes.try_into().ok());
    let [count, length]: [usize; 2] = sizes.ok_or(LowerCause::Lost("a size"))?;
    let whole = length.next_power_of_two();
    let largest = emitter.splat(Scalar::Integer(i64::MAX.into()), &types::scalar(DType::I64))?;
    let op = Pad {
        low: vec![0; 2],
        high: vec![0, (whole - length) as i64],
        interior: vec![0; 2],
    };
    let ty = TensorType::new(DType::I64, [count, whole]);
    let padded = pad::lower(emitter, &op, lines, &largest, &ty)?;
    Ok((padded, [count, length]))
}

/// All rounds. What is carried: how long the parts are that will be in order after some rounds, the
/// distance between the elements that are compared in the next one, and the elements.
fn rounds<'c, 'b>(emitter: &Emitter<'c, 'b>, lines: &Tensor<'c, 'b>) -> Result<Tensor<'c, 'b>> {
    let count = types::scalar(DType::I32);
    let length = lines
        .ty
        .shape
        .known()
        .and_then(|sizes| sizes.last().copied());
    let length = length.ok_or(LowerCause::Lost("a size"))?;
    let part = emitter.splat(Scalar::Integer(2), &count)?;
    let distance = emitter.splat(Scalar::Integer(1), &count)?;
    let types = [count.clone(), count.clone(), lines.ty.clone()];
    let more = emitter.region(&types, |e, state| match state {
        [part, ..] => {
            let last = e.splat(Scalar::Integer(length as i128), &part.ty)?;
            Ok(vec![e.compare(
                ComparisonDirection::LessOrEqual,
                part,
                &last,
            )?])
        }
        [] => Err(LowerCause::Lost("the length of a part")),
    })?;
    let round = emitter.region(&types, |e, state| match state {
        [part, distance, lines] => {
            let sorted = exchanged(e, lines, part, distance)?;
            let [part, distance] = next(e, part, distance)?;
            Ok(vec![part, distance, sorted])
        }
        _ => Err(LowerCause::Lost("the state of a loop")),
    })?;
    let results = stablehlo::WhileOperation::builder(emitter.context, emitter.location)
        .operand(&[part.value, distance.value, lines.value])
        .cond(more)
        .body(round)
        .append_to(&emitter.block)?
        .results()?;
    let value = results.last().copied();
    Ok(Tensor {
        value: value.ok_or(LowerCause::Lost("the result of a loop"))?,
        ty: lines.ty.clone(),
    })
}

/// The lines after elements at a distance were exchanged, if they were in the wrong order. Every second
/// part is in falling order until it is merged with the one before it.
fn exchanged<'c, 'b>(
    e: &Emitter<'c, 'b>,
    lines: &Tensor<'c, 'b>,
    part: &Tensor<'c, 'b>,
    distance: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    let ty = types::with_dtype(&lines.ty, DType::I32);
    let place = e.iota(&ty, 1)?;
    let zero = e.splat(Scalar::Integer(0), &ty)?;
    let is_unset = |bit: &Tensor<'c, 'b>| {
        let bit = e.broadcast(bit, &ty.shape, &[])?;
        e.compare(ComparisonDirection::Equal, &e.and(&place, &bit)?, &zero)
    };
    let partner = e.xor(&place, &e.broadcast(distance, &ty.shape, &[])?)?;
    let others = looked_up(e, lines, &partner)?;
    let takes_larger = e.xor(&is_unset(part)?, &is_unset(distance)?)?;
    let (smaller, larger) = (e.minimum(lines, &others)?, e.maximum(lines, &others)?);
    e.select(&takes_larger, &larger, &smaller)
}

/// The length of parts and the distance for the next round: half the distance, or after 1 the length of
/// the parts that are in order now.
fn next<'c, 'b>(
    e: &Emitter<'c, 'b>,
    part: &Tensor<'c, 'b>,
    distance: &Tensor<'c, 'b>,
) -> Result<[Tensor<'c, 'b>; 2]> {
    let one = e.splat(Scalar::Integer(1), &part.ty)?;
    let is_last = e.compare(ComparisonDirection::Equal, distance, &one)?;
    let half = e.shift_right_logical(distance, &one)?;
    let twice = e.shift_left(part, &one)?;
    Ok([
        e.select(&is_last, &twice, part)?,
        e.select(&is_last, part, &half)?,
    ])
}
