use super::{
    super::{
        tracer::Tracer,
        value::{Tensor, Value},
    },
    OperationCall,
    formula::{Term, attempted, refuse_with},
    layout::{self, Layout},
    steps,
};
use crate::diagnostic::{Code, Diagnostic};
use iree_dsl_ir::op::InferError;
use iree_dsl_library::{
    Error,
    window::{self, Window},
};

type Result = Option<Value>;

pub(super) fn conv(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let parts = Parts::new(tracer, &call)?;
    let groups = call.sizes_option(tracer, "groups", 1, (1, 1))?;
    let groups = groups.first().copied()?;
    let windows = parts.windows(tracer, &call)?;
    parts.convolved(tracer, &call, |[input, kernel], layout| {
        window::convolution(&input, &kernel, &windows, layout, groups)
    })
}

pub(super) fn conv_transpose(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let parts = Parts::new(tracer, &call)?;
    let windows = parts.windows(tracer, &call)?;
    parts.convolved(tracer, &call, |[input, kernel], layout| {
        window::transposed_convolution(&input, &kernel, &windows, layout)
    })
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

    /// The kernel's windows, which move along the spatial axes of the input.
    fn windows(&self, tracer: &mut Tracer<'_>, call: &OperationCall<'_>) -> Option<Vec<Window>> {
        let [input, ..] = &self.layouts;
        let strides = call.sizes_option(tracer, "strides", self.window.len(), (1, 1))?;
        steps::windows(tracer, call, input.spatial(), &self.window, &strides)
    }

    /// What a composite makes of the operands.
    fn convolved(
        &self,
        tracer: &mut Tracer<'_>,
        call: &OperationCall<'_>,
        run: impl for<'x> FnOnce([Term<'x>; 2], window::Layout) -> Term<'x>,
    ) -> Result {
        let operands = [&self.input, &self.kernel];
        let result = attempted(tracer, call, |formula| {
            let terms = operands.map(|operand| formula.term(operand));
            Some(run(terms, self.layout()))
        });
        match result? {
            Ok(tensor) => Some(tensor.into()),
            Err(error) => {
                let help = match error {
                    Error::Refused(InferError::Features { groups, .. }) => {
                        self.other_layout(groups)
                    }
                    _ => None,
                };
                refuse_with(tracer, call, &error, help);
                None
            }
        }
    }

    /// How to name the layout in which the features of the operands fit.
    fn other_layout(&self, groups: usize) -> Option<String> {
        let shapes = [&self.input.ty.shape, &self.kernel.ty.shape];
        let text = layout::that_fits(shapes, groups, &self.layouts)?;
        Some(format!(
            "if this is how the operands are laid out, say so: `layout = \"{text}\"`"
        ))
    }

    fn layout(&self) -> window::Layout {
        let [input, kernel, output] = self.layouts.clone().map(|layout| layout.axes);
        window::Layout {
            input,
            kernel,
            output,
        }
    }
}
