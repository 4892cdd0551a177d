//! How windows move, from the options of macros.

use super::{
    super::{
        tracer::Tracer,
        tree::Tree,
        value::{Value, ValueLeaf},
    },
    OperationCall,
};
use crate::{
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};
use iree_dsl_library::window::{Padding, Window};
use std::rc::Rc;

/// The windows of a macro along axes of a tensor: their sizes, and how they move, as the options say.
pub(super) fn windows(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    axes: &[usize],
    sizes: &[usize],
    strides: &[usize],
) -> Option<Vec<Window>> {
    let count = axes.len();
    let dilation = call.sizes_option(tracer, "dilation", count, (1, 1))?;
    let input_dilation = call.sizes_option(tracer, "input_dilation", count, (1, 1))?;
    let padding = padding(tracer, call, count)?;
    let window = |(place, axis): (usize, &usize)| {
        Some(Window {
            axis: *axis,
            size: *sizes.get(place)?,
            stride: *strides.get(place)?,
            dilation: *dilation.get(place)?,
            input_dilation: *input_dilation.get(place)?,
            padding: *padding.get(place)?,
        })
    };
    axes.iter().enumerate().map(window).collect()
}

/// A string that an option is.
pub(super) fn text(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    name: &str,
) -> Option<Option<(Rc<str>, SpanId)>> {
    match call.option(name) {
        None => Some(None),
        Some((Value::Leaf(ValueLeaf::Text(text)), span)) => Some(Some((text, span))),
        Some((other, span)) => {
            let message = format!(
                "the option `{name}` of `{}` is a string, found `{}`",
                call.name,
                other.ty()
            );
            tracer.error(Code::Option, span, message);
            None
        }
    }
}

/// The option `padding`, for each of so many axes.
fn padding(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    count: usize,
) -> Option<Vec<Padding>> {
    let Some((value, span)) = call.option("padding") else {
        return Some(vec![Padding::Valid; count]);
    };
    let pairs = match value {
        Tree::Leaf(ValueLeaf::Text(text)) => match &*text {
            "same" => Some(vec![Padding::Same; count]),
            "valid" => Some(vec![Padding::Valid; count]),
            _ => None,
        },
        Tree::Array(items) | Tree::Tuple(items) => {
            items.iter().map(pair).collect::<Option<Vec<_>>>()
        }
        _ => None,
    };
    match pairs {
        Some(pairs) if pairs.len() == count => Some(pairs),
        _ => {
            let expected = super::super::resolve::count(count, "pair");
            let message = format!(
                "the option `padding` of `{}` is `\"same\"`, `\"valid\"` or {expected} of integers, one for each axis that windows move along",
                call.name
            );
            let example = vec!["[1, 1]"; count].join(", ");
            let help = format!("for example `padding = [{example}]`");
            tracer.report(Diagnostic::new(Code::Option, span, message).help(help));
            None
        }
    }
}

fn pair(value: &Value) -> Option<Padding> {
    let (Tree::Array(items) | Tree::Tuple(items)) = value else {
        return None;
    };
    let integer = |value: &Value| match value {
        Value::Leaf(ValueLeaf::Static(number)) => i64::try_from(number.as_integer()?).ok(),
        _ => None,
    };
    match items.as_slice() {
        [low, high] => Some(Padding::Explicit(integer(low)?, integer(high)?)),
        _ => None,
    }
}
