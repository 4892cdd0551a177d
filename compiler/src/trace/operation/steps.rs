//! How windows move, from the options of macros.

use super::{
    super::{
        tracer::Tracer,
        tree::Tree,
        value::{Value, ValueLeaf},
    },
    OperationCall,
    around::Around,
};
use crate::{
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};
use iree_abi::{Dim, Shape};
use iree_dsl_ir::op::WindowStep;
use std::rc::Rc;

/// What is around a tensor.
pub(super) enum Padding {
    /// Nothing.
    Valid,
    /// So much that there are as many windows as strides fit.
    Same,
    /// So much before and behind, for each axis.
    Explicit(Vec<(i64, i64)>),
}

/// A window and how it moves: the shape of a tensor, the axes of it, and the window's size, stride and dilations
/// along each.
pub(super) struct Moves<'m> {
    pub(super) shape: &'m Shape,
    pub(super) axes: &'m [usize],
    pub(super) window: &'m [usize],
    pub(super) strides: &'m [usize],
    pub(super) dilation: &'m [usize],
    pub(super) input_dilation: &'m [usize],
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

/// The option `padding`, for so many axes.
pub(super) fn padding(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    count: usize,
) -> Option<Padding> {
    let Some((value, span)) = call.option("padding") else {
        return Some(Padding::Valid);
    };
    let pairs = match value {
        Tree::Leaf(ValueLeaf::Text(text)) => match &*text {
            "same" => return Some(Padding::Same),
            "valid" => return Some(Padding::Valid),
            _ => None,
        },
        Tree::Array(items) | Tree::Tuple(items) => {
            items.iter().map(pair).collect::<Option<Vec<_>>>()
        }
        _ => None,
    };
    match pairs {
        Some(pairs) if pairs.len() == count => Some(Padding::Explicit(pairs)),
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

fn pair(value: &Value) -> Option<(i64, i64)> {
    let (Tree::Array(items) | Tree::Tuple(items)) = value else {
        return None;
    };
    let integer = |value: &Value| match value {
        Value::Leaf(ValueLeaf::Static(number)) => i64::try_from(number.as_integer()?).ok(),
        _ => None,
    };
    match items.as_slice() {
        [low, high] => Some((integer(low)?, integer(high)?)),
        _ => None,
    }
}

impl Moves<'_> {
    /// How the window moves along each axis, with the padding in numbers, and what is to be put around the tensor
    /// before, since only the call tells how much.
    pub(super) fn steps(
        &self,
        tracer: &mut Tracer<'_>,
        padding: &Padding,
    ) -> Option<(Vec<WindowStep>, Vec<Around>)> {
        let mut steps = Vec::with_capacity(self.axes.len());
        let mut around = Vec::new();
        for (axis, tensor_axis) in self.axes.iter().enumerate() {
            let dim = self.shape.dims().get(*tensor_axis)?;
            let mut step = WindowStep {
                stride: *self.strides.get(axis)?,
                padding: (0, 0),
                dilation: *self.dilation.get(axis)?,
                input_dilation: *self.input_dilation.get(axis)?,
            };
            step.padding = match padding {
                Padding::Valid => (0, 0),
                Padding::Explicit(pairs) => *pairs.get(axis)?,
                Padding::Same => {
                    let window = *self.window.get(axis)?;
                    match same(&step, dim, window) {
                        Some(pair) => pair,
                        None => {
                            around.push(Around {
                                axis: *tensor_axis,
                                stride: step.stride,
                                reach: reach(window, step.dilation)?,
                                interior: step.input_dilation - 1,
                            });
                            step.input_dilation = 1;
                            (0, 0)
                        }
                    }
                }
            };
            if step.input_dilation > 1 {
                tracer.require_one_along(dim);
            }
            steps.push(step);
        }
        Some((steps, around))
    }
}

/// The padding with which there are as many windows as strides fit, the odd one behind.
fn same(step: &WindowStep, dim: &Dim, window: usize) -> Option<(i64, i64)> {
    let reach = reach(window, step.dilation)?;
    let missing = match dim.known() {
        // Whatever the size is, each element starts a window.
        None if step.stride == 1 && step.input_dilation == 1 => reach.checked_sub(1)?,
        None if reach == 1 && step.input_dilation == 1 => 0,
        None => return None,
        Some(0) => 0,
        Some(size) => {
            let size = (size - 1)
                .checked_mul(step.input_dilation)?
                .checked_add(1)?;
            let last = (size.div_ceil(step.stride) - 1).checked_mul(step.stride)?;
            last.checked_add(reach)?.saturating_sub(size)
        }
    };
    let missing = i64::try_from(missing).ok()?;
    Some((missing / 2, missing - missing / 2))
}

/// How many elements lie between the first and the last of a window, these included.
pub(super) fn reach(window: usize, dilation: usize) -> Option<usize> {
    match window.checked_sub(1) {
        None => Some(0),
        Some(gaps) => gaps.checked_mul(dilation)?.checked_add(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn padded(size: usize, window: usize, stride: usize, dilation: usize) -> Option<(i64, i64)> {
        let step = WindowStep {
            stride,
            dilation,
            ..WindowStep::ONE
        };
        same(&step, &Dim::Static(size), window)
    }

    #[test]
    fn some_padding_does_not_depend_on_the_size() {
        let of = |window, stride| {
            let step = WindowStep {
                stride,
                ..WindowStep::ONE
            };
            same(&step, &Dim::named("N"), window)
        };
        assert_eq!(of(4, 1), Some((1, 2)));
        assert_eq!(of(1, 3), Some((0, 0)));
        assert_eq!(of(3, 2), None);
    }

    #[test]
    fn the_same_padding_is_that_of_jax() {
        assert_eq!(padded(5, 3, 1, 1), Some((1, 1)));
        assert_eq!(padded(5, 2, 1, 1), Some((0, 1)));
        assert_eq!(padded(5, 3, 2, 1), Some((1, 1)));
        assert_eq!(padded(6, 3, 2, 1), Some((0, 1)));
        assert_eq!(padded(6, 3, 1, 2), Some((2, 2)));
        assert_eq!(padded(6, 1, 3, 1), Some((0, 0)));
        assert_eq!(padded(0, 3, 1, 1), Some((0, 0)));
    }
}
