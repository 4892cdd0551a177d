use super::{
    super::{
        tracer::Tracer,
        value::{Tensor, Value},
    },
    OperationCall,
    around::Around,
    layout::{self, Layout},
    steps::{self, Moves, Padding},
};
use crate::diagnostic::{Code, Diagnostic};
use iree_dsl_ir::{
    Scalar,
    op::{Convolution, Op, WindowStep},
};

type Result = Option<Value>;

pub(super) fn conv(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let mut parts = Parts::new(tracer, &call)?;
    let count = parts.window.len();
    let groups = call.sizes_option(tracer, "groups", 1, (1, 1))?;
    let moves = Moves {
        shape: &parts.input.ty.shape,
        axes: parts.axes(),
        window: &parts.window,
        strides: &call.sizes_option(tracer, "strides", count, (1, 1))?,
        dilation: &call.sizes_option(tracer, "dilation", count, (1, 1))?,
        input_dilation: &call.sizes_option(tracer, "input_dilation", count, (1, 1))?,
    };
    let padding = steps::padding(tracer, &call, count)?;
    let (steps, around) = moves.steps(tracer, &padding)?;
    parts.input = Around::all_of(&around, tracer, &call, &parts.input, Scalar::Integer(0))?;
    parts.convolve(tracer, &call, steps, groups.first().copied()?)
}

/// As in JAX: a convolution of the input with zeros between its elements.
pub(super) fn conv_transpose(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let parts = Parts::new(tracer, &call)?;
    let count = parts.window.len();
    let strides = call.sizes_option(tracer, "strides", count, (1, 1))?;
    let dilation = call.sizes_option(tracer, "dilation", count, (1, 1))?;
    let padding = steps::padding(tracer, &call, count)?;
    let mut steps = Vec::with_capacity(count);
    for (axis, input_axis) in parts.axes().iter().enumerate() {
        let (stride, dilation) = (*strides.get(axis)?, *dilation.get(axis)?);
        let reach = steps::reach(*parts.window.get(axis)?, dilation)?;
        if stride > 1 {
            tracer.require_one_along(parts.input.ty.shape.dims().get(*input_axis)?);
        }
        steps.push(WindowStep {
            padding: match &padding {
                Padding::Explicit(pairs) => *pairs.get(axis)?,
                Padding::Same => enlarged_same(reach, stride)?,
                Padding::Valid => enlarged_valid(reach, stride)?,
            },
            stride: 1,
            dilation,
            input_dilation: stride,
        });
    }
    parts.convolve(tracer, &call, steps, 1)
}

/// The padding with which the result is `stride` times as large.
fn enlarged_same(reach: usize, stride: usize) -> Option<(i64, i64)> {
    let (reach, stride) = (i64::try_from(reach).ok()?, i64::try_from(stride).ok()?);
    let total = reach.checked_add(stride)?.checked_sub(2)?;
    let low = match stride > reach - 1 {
        true => reach - 1,
        false => total - total / 2,
    };
    Some((low, total - low))
}

/// The padding with which every element of the result sees one of the input, or has a window between.
fn enlarged_valid(reach: usize, stride: usize) -> Option<(i64, i64)> {
    let (reach, stride) = (i64::try_from(reach).ok()?, i64::try_from(stride).ok()?);
    let total = reach.checked_add(stride)?.checked_sub(2)? + (reach - stride).max(0);
    Some((reach - 1, total - (reach - 1)))
}

/// What convolutions are made of.
struct Parts {
    input: Tensor,
    kernel: Tensor,
    layouts: [Layout; 3],
    /// The sizes of the kernel along the spatial axes.
    window: Vec<usize>,
}

impl Parts {
    fn new(tracer: &mut Tracer<'_>, call: &OperationCall<'_>) -> Option<Self> {
        let operands = [call.argument(0)?, call.argument(1)?];
        let [input, kernel] = tracer.same_dtype(operands, call.name, call.span)?;
        let ranks = (input.ty.shape.rank(), kernel.ty.shape.rank());
        if !(3..=5).contains(&ranks.0) || ranks.0 != ranks.1 {
            let message = format!(
                "`{}` needs an input and a kernel with 3, 4 or 5 axes each, found `{}` and `{}`",
                call.name, input.ty.shape, kernel.ty.shape
            );
            let help = "besides 1, 2 or 3 spatial axes, the input has a batch and features, the kernel input features and output features";
            let diagnostic = Diagnostic::new(Code::ShapeMismatch, call.span, message);
            tracer.report(diagnostic.help(help));
            return None;
        }
        let layouts = layout::of_convolution(tracer, call, ranks.0)?;
        let [_, kernel_layout, _] = &layouts;
        let axes = kernel_layout.spatial().iter();
        let window = axes.map(|axis| kernel.ty.shape.dims().get(*axis)?.known());
        let window: Option<Vec<_>> = window.collect();
        let Some(window) = window else {
            let message = format!(
                "`{}` needs a kernel whose window has known sizes",
                call.name
            );
            tracer.error(Code::NotStatic, call.span, message);
            return None;
        };
        Some(Self {
            window,
            input,
            kernel,
            layouts,
        })
    }

    /// The axes of the input that windows move along.
    fn axes(&self) -> &[usize] {
        let [input, ..] = &self.layouts;
        input.spatial()
    }

    fn convolve(
        self,
        tracer: &mut Tracer<'_>,
        call: &OperationCall<'_>,
        steps: Vec<WindowStep>,
        groups: usize,
    ) -> Result {
        let [input, kernel, output] = self.layouts.map(|layout| layout.axes);
        let op = Op::Convolution(Convolution {
            steps,
            groups,
            input,
            kernel,
            output,
        });
        let operands = [&self.input, &self.kernel];
        Some(tracer.emit_named(op, &operands, call.name, call.span))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_padding_of_the_enlarged_is_that_of_jax() {
        assert_eq!(enlarged_same(3, 2), Some((2, 1)));
        assert_eq!(enlarged_same(2, 3), Some((1, 2)));
        assert_eq!(enlarged_same(5, 2), Some((3, 2)));
        assert_eq!(enlarged_valid(3, 2), Some((2, 2)));
        assert_eq!(enlarged_valid(2, 3), Some((1, 2)));
    }
}
