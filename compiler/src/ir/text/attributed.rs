//! Operations whose attributes are written in full, whatever the types of their results.

use super::{
    parser::{Parser, Result},
    window,
};
use crate::op::{ArgSort, Cumulate, Gather, Op, Pad, ReduceKind, Scatter, ScatterKind};
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
        Op::ArgSort(op) => {
            let order = if op.descending { " descending" } else { "" };
            write!(formatter, " axis {}{order}", op.axis)
        }
        Op::Cumulate(op) => write!(formatter, " axis {}", op.axis),
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
        "arg_sort" => Op::ArgSort(ArgSort {
            axis: axis(parser)?,
            descending: parser.eat_word("descending"),
        }),
        name => return member(parser, name),
    }))
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
