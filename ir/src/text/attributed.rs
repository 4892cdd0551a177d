//! Operations whose attributes are written in full, whatever the types of their results.

use super::{
    lexer::{write_name, write_text},
    parser::{Parser, Result},
    window,
};
use crate::op::{
    ArgSort, Cumulate, Gather, Import, Mlir, Op, Pad, ReduceKind, Scatter, ScatterKind,
};
use std::{
    fmt::{self, Formatter},
    str::FromStr,
};

/// Writes the attributes of an operation, if it is one of these.
pub(super) fn print(formatter: &mut Formatter<'_>, op: &Op) -> fmt::Result {
    match op {
        Op::Pad(op) => {
            write!(formatter, " low {:?} high {:?}", op.low, op.high)?;
            write!(formatter, " interior {:?}", op.interior)
        }
        Op::Reverse(axes) | Op::Gather(Gather { axes }) | Op::Scatter(Scatter { axes, .. }) => {
            write!(formatter, " axes {axes:?}")
        }
        Op::ArgSort(ArgSort { axis }) | Op::Cumulate(Cumulate { axis, .. }) => {
            write!(formatter, " axis {axis}")
        }
        Op::Mlir(op) => print_mlir(formatter, op),
        Op::Import(op) => print_import(formatter, op),
        Op::Convolution(op) => window::print_convolution(formatter, op),
        Op::ReduceWindow(op) => window::print_reduction(formatter, op),
        _ => Ok(()),
    }
}

/// Reads the attributes of an operation, if it is one of these.
pub(super) fn parse(parser: &mut Parser<'_>, name: &str) -> Result<Option<Op>> {
    Ok(Some(match name {
        "pad" => Op::Pad(Pad {
            low: list(parser, "low")?,
            high: list(parser, "high")?,
            interior: list(parser, "interior")?,
        }),
        "reverse" => Op::Reverse(list(parser, "axes")?),
        "gather" => Op::Gather(Gather {
            axes: list(parser, "axes")?,
        }),
        "mlir" => Op::Mlir(parse_mlir(parser)?),
        "import" => Op::Import(parse_import(parser)?),
        "arg_sort" => Op::ArgSort(ArgSort {
            axis: axis(parser)?,
        }),
        name => return member(parser, name),
    }))
}

fn print_mlir(formatter: &mut Formatter<'_>, op: &Mlir) -> fmt::Result {
    formatter.write_str(" arguments [")?;
    for (index, argument) in op.arguments.iter().enumerate() {
        formatter.write_str(if index > 0 { ", " } else { "" })?;
        write_name(formatter, argument)?;
    }
    formatter.write_str("] results [")?;
    for (index, result) in op.results.iter().enumerate() {
        let separator = if index > 0 { ", " } else { "" };
        write!(formatter, "{separator}{result}")?;
    }
    formatter.write_str("] text ")?;
    write_text(formatter, &op.text)
}

fn parse_mlir(parser: &mut Parser<'_>) -> Result<Mlir> {
    parser.keyword("arguments")?;
    parser.mark('[')?;
    let arguments = parser.list(']', Parser::name)?;
    parser.keyword("results")?;
    parser.mark('[')?;
    let results = parser.list(']', Parser::tensor_type)?;
    parser.keyword("text")?;
    let text = parser.name()?;
    Ok(Mlir {
        text,
        arguments,
        results,
    })
}

fn print_import(formatter: &mut Formatter<'_>, op: &Import) -> fmt::Result {
    formatter.write_str(" name ")?;
    write_name(formatter, &op.name)?;
    formatter.write_str(" parameters [")?;
    for (index, (name, ty)) in op.names.iter().zip(&op.parameters).enumerate() {
        formatter.write_str(if index > 0 { ", " } else { "" })?;
        write_name(formatter, name)?;
        write!(formatter, ": {ty}")?;
    }
    formatter.write_str("] results [")?;
    for (index, result) in op.results.iter().enumerate() {
        let separator = if index > 0 { ", " } else { "" };
        write!(formatter, "{separator}{result}")?;
    }
    formatter.write_str("]")
}

fn parse_import(parser: &mut Parser<'_>) -> Result<Import> {
    parser.keyword("name")?;
    let name = parser.name()?;
    parser.keyword("parameters")?;
    parser.mark('[')?;
    let parameters = parser.list(']', |parser| {
        let name = parser.name()?;
        parser.mark(':')?;
        Ok((name, parser.tensor_type()?))
    })?;
    parser.keyword("results")?;
    parser.mark('[')?;
    let results = parser.list(']', Parser::tensor_type)?;
    let (names, parameters) = parameters.into_iter().unzip();
    Ok(Import {
        name,
        names,
        parameters,
        results,
    })
}

/// An operation of a family, whose members have their names from the family.
fn member(parser: &mut Parser<'_>, name: &str) -> Result<Option<Op>> {
    let mut scatters = ScatterKind::ALL.iter();
    if let Some(&kind) = scatters.find(|kind| kind.name() == name) {
        let axes = list(parser, "axes")?;
        return Ok(Some(Op::Scatter(Scatter { kind, axes })));
    }
    let cumulate = |kind: &ReduceKind| Cumulate {
        kind: *kind,
        axis: 0,
    };
    let mut cumulates = Cumulate::KINDS.iter().map(cumulate);
    if let Some(op) = cumulates.find(|op| op.name() == name) {
        let axis = axis(parser)?;
        return Ok(Some(Op::Cumulate(Cumulate { axis, ..op })));
    }
    window::parse(parser, name)
}

fn axis(parser: &mut Parser<'_>) -> Result<usize> {
    parser.keyword("axis")?;
    parser.count()
}

pub(super) fn list<T: FromStr>(parser: &mut Parser<'_>, keyword: &str) -> Result<Vec<T>> {
    parser.keyword(keyword)?;
    parser.mark('[')?;
    parser.list(']', Parser::count)
}
