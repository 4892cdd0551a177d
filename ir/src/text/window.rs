//! The attributes of operations over windows.

use super::{
    attributed::list,
    parser::{Parser, Result},
};
use crate::op::{Convolution, Op, ReduceWindow, WindowKind, WindowStep};
use std::fmt::{self, Formatter};

pub(super) fn print_convolution(formatter: &mut Formatter<'_>, op: &Convolution) -> fmt::Result {
    print_steps(formatter, &op.steps)?;
    write!(formatter, " groups {} input {:?}", op.groups, op.input)?;
    write!(formatter, " kernel {:?} output {:?}", op.kernel, op.output)
}

pub(super) fn print_reduction(formatter: &mut Formatter<'_>, op: &ReduceWindow) -> fmt::Result {
    write!(formatter, " sizes {:?}", op.sizes)?;
    print_steps(formatter, &op.steps)
}

fn print_steps(formatter: &mut Formatter<'_>, steps: &[WindowStep]) -> fmt::Result {
    let mut list = |name: &str, of: fn(&WindowStep) -> i64| {
        let numbers: Vec<_> = steps.iter().map(of).collect();
        write!(formatter, " {name} {numbers:?}")
    };
    list("strides", |step| step.stride as i64)?;
    list("padding", |step| step.padding.0)?;
    list("x", |step| step.padding.1)?;
    list("dilation", |step| step.dilation as i64)?;
    list("input_dilation", |step| step.input_dilation as i64)
}

/// Reads the attributes of an operation over windows, if it is one.
pub(super) fn parse(parser: &mut Parser<'_>, name: &str) -> Result<Option<Op>> {
    let mut kinds = WindowKind::ALL.iter().copied();
    if let Some(kind) = kinds.find(|kind| kind.name() == name) {
        let sizes = list(parser, "sizes")?;
        let steps = steps(parser)?;
        return Ok(Some(Op::ReduceWindow(ReduceWindow { kind, sizes, steps })));
    }
    if name != "convolution" {
        return Ok(None);
    }
    let steps = steps(parser)?;
    parser.keyword("groups")?;
    Ok(Some(Op::Convolution(Convolution {
        steps,
        groups: parser.count()?,
        input: list(parser, "input")?,
        kernel: list(parser, "kernel")?,
        output: list(parser, "output")?,
    })))
}

fn steps(parser: &mut Parser<'_>) -> Result<Vec<WindowStep>> {
    let strides = list(parser, "strides")?;
    let low = list(parser, "padding")?;
    let high = list(parser, "x")?;
    let dilation = list(parser, "dilation")?;
    let input_dilation = list(parser, "input_dilation")?;
    let lengths = [low.len(), high.len(), dilation.len(), input_dilation.len()];
    if lengths != [strides.len(); 4] {
        return Err(parser
            .position()
            .error("the lists of a window differ in length"));
    }
    let padding = low.into_iter().zip(high);
    let dilations = dilation.into_iter().zip(input_dilation);
    let steps = strides.into_iter().zip(padding).zip(dilations);
    let step = |((stride, padding), (dilation, input_dilation))| WindowStep {
        stride,
        padding,
        dilation,
        input_dilation,
    };
    Ok(steps.map(step).collect())
}
