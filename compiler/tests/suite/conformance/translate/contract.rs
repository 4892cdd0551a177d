//! Contractions, what solves them, and Fourier transforms.

use super::{super::statement::Statement, Known};

pub(super) fn translate(statement: &Statement<'_>, known: &Known) -> Option<String> {
    match (statement.op, statement.operands.as_slice()) {
        ("dot_general", [x, y]) => dot_general(statement, x, y),
        ("ragged_dot", [x, y, sizes]) => ragged_dot(statement, x, y, sizes),
        ("triangular_solve", [a, b]) => Some(triangular_solve(statement, a, b)),
        ("fft", [x]) => fourier(statement, x, known),
        _ => None,
    }
}

fn dot_general(statement: &Statement<'_>, x: &str, y: &str) -> Option<String> {
    let pairs = |name: &str| {
        let text = statement.attribute(name)?;
        let (first, behind) = text.strip_prefix('[')?.split_once(']')?;
        let (second, _) = behind.trim().strip_prefix("x [")?.split_once(']')?;
        Some(format!("([{first}], [{second}])"))
    };
    let batch = pairs("batching_dims").unwrap_or_else(|| "([], [])".to_owned());
    let contract = pairs("contracting_dims")?;
    let dtype = statement.result_types.first()?.dtype;
    Some(format!(
        "dot_general!({x}, {y}, batch = {batch}, contract = {contract}, accumulate = {dtype})"
    ))
}

/// Each row with the matrix of its group; rows of the first matrix are grouped one after the other.
fn ragged_dot(statement: &Statement<'_>, x: &str, y: &str, sizes: &str) -> Option<String> {
    let (batched, rows) = (
        statement.axes("lhs_batching_dimensions"),
        statement.axes("lhs_ragged_dimensions"),
    );
    let (axis, letters) = match batched.as_slice() {
        [] => (0, "mk,mkn->mn"),
        [0] => (1, "bmk,mbkn->bmn"),
        _ => return None,
    };
    if rows != [axis] {
        return None;
    }
    let count = statement
        .result_types
        .first()?
        .shape
        .known()?
        .get(axis)
        .copied()?;
    let row = format!("iota::<i64, {count}>().insert_axis(1)");
    let group = format!("(({row} >= {sizes}.cumsum(0)) as i32).sum_axis(1)");
    Some(format!("einsum!(\"{letters}\", {x}, {y}.take({group}, 0))"))
}

/// From the right, both sides are transposed.
fn triangular_solve(statement: &Statement<'_>, a: &str, b: &str) -> String {
    let adjoint = statement
        .attribute("transpose_a")
        .is_some_and(|text| text.contains("ADJOINT"));
    let plain = statement
        .attribute("transpose_a")
        .is_some_and(|text| text.contains("NO_TRANSPOSE"));
    let a = if adjoint {
        format!("{a}.conj()")
    } else {
        a.to_owned()
    };
    let (lower, unit) = (
        statement.is("lower", "true"),
        statement.is("unit_diagonal", "true"),
    );
    let solved = |b: &str, transpose: bool| {
        let options = format!("lower = {lower}, transpose = {transpose}, unit_diagonal = {unit}");
        format!("triangular_solve!({a}, {b}, {options})")
    };
    match statement.is("left_side", "true") {
        true => solved(b, !plain),
        false => format!("{}.t()", solved(&format!("{b}.t()"), plain)),
    }
}

/// Real transforms have half of the last axis, and are complex along the others.
fn fourier(statement: &Statement<'_>, x: &str, known: &Known) -> Option<String> {
    let rank = known.get(x)?.ty.shape.rank();
    let lengths = statement.axes("length");
    let axes: Vec<_> = (rank - lengths.len()..rank).collect();
    let (_, others) = axes.split_last()?;
    let kind = statement.attribute("type")?;
    Some(match kind.split(',').next()? {
        "FFT" => format!("fft!({x}, axes = {axes:?})"),
        "IFFT" => format!("ifft!({x}, axes = {axes:?})"),
        "RFFT" if others.is_empty() => format!("{x}.rfft()"),
        "RFFT" => format!("fft!({x}.rfft(), axes = {others:?})"),
        "IRFFT" if others.is_empty() => format!("{x}.irfft()"),
        "IRFFT" => format!("ifft!({x}, axes = {others:?}).irfft()"),
        _ => return None,
    })
}
