//! Operations whose attributes are written in full, whatever the types of their results.

use super::{
    parser::{Parser, Result},
    window,
};
use crate::op::{Op, Pad};
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
        Op::Reverse(axes) => write!(formatter, " axes {axes:?}"),
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
        name => return window::parse(parser, name),
    }))
}

pub(super) fn list<T: FromStr>(parser: &mut Parser<'_>, keyword: &str) -> Result<Vec<T>> {
    parser.keyword(keyword)?;
    parser.mark('[')?;
    parser.list(']', Parser::count)
}
