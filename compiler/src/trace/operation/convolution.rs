use super::{
    super::{
        tracer::Tracer,
        value::{Tensor, Value},
    },
    OperationCall,
    formula::formula,
    layout::{self, Layout},
    steps,
};
use crate::diagnostic::{Code, Diagnostic};
use iree_dsl_library::window::{self, Window};

type Result = Option<Value>;

pub(super) fn conv(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let parts = Parts::new(tracer, &call)?;
    let groups = call.sizes_option(tracer, "groups", 1, (1, 1))?;
    let groups = groups.first().copied()?;
    let windows = parts.windows(tracer, &call)?;
    let layout = parts.layout();
    let operands = [&parts.input, &parts.kernel];
    let result = formula(tracer, &call, operands, |[input, kernel]| {
        window::convolution(&input, &kernel, &windows, layout, groups)
    });
    result.map(Value::from)
}

pub(super) fn conv_transpose(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let parts = Parts::new(tracer, &call)?;
    let windows = parts.windows(tracer, &call)?;
    let layout = parts.layout();
    let operands = [&parts.input, &parts.kernel];
    let result = formula(tracer, &call, operands, |[input, kernel]| {
        window::transposed_convolution(&input, &kernel, &windows, layout)
    });
    result.map(Value::from)
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

    fn layout(&self) -> window::Layout {
        let [input, kernel, output] = self.layouts.clone().map(|layout| layout.axes);
        window::Layout {
            input,
            kernel,
            output,
        }
    }
}
