//! Windows whose numbers are made one.

use super::{
    super::{
        tracer::Tracer,
        types::Type,
        value::{Tensor, Value},
    },
    OperationCall,
    fold::combined,
    formula::{formula, traced},
    layout,
    options::truth,
    steps,
};
use crate::diagnostic::{Code, Diagnostic};
use iree_abi::TensorType;
use iree_dsl_library::window::{self, Window};

type Result = Option<Value>;

/// Windows with more elements along their axes than this are hardly meant to be combined one by one.
const LARGEST_WINDOW: usize = 1024;

pub(super) fn max_pool(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let windows = pool(tracer, &call, &operand)?;
    formula(tracer, &call, [&operand], |[x]| {
        window::max_pool(&x, &windows)
    })
    .map(Value::from)
}

pub(super) fn avg_pool(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    tracer.require_fractions(&operand.ty, call.name, call.span)?;
    let counts_padding = truth(tracer, &call, "count_padding", true)?;
    let windows = pool(tracer, &call, &operand)?;
    let mean = formula(tracer, &call, [&operand], |[x]| {
        window::avg_pool(&x, &windows, counts_padding)
    })?;
    Some(mean.settled().into())
}

pub(super) fn reduce_window(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let (init, init_span) = call.argument(1)?;
    let callable = tracer.callable(call.argument(2)?, call.name, 2)?;
    let axes: Vec<_> = (0..operand.ty.shape.rank()).collect();
    let windows = moves(tracer, &call, &axes, Strides::One)?;
    let count: usize = windows.iter().map(|window| window.size).sum();
    if count > LARGEST_WINDOW {
        let message = format!(
            "`{}` combines the elements of windows one by one, and these are {count} along their axes",
            call.name
        );
        return Some(tracer.error(Code::UnrollLimit, call.span, message));
    }
    let place = format!("the first number of `{}`", call.name);
    let expected = Type::from(TensorType::new(operand.ty.dtype, []));
    let init = tracer.conform(init, &expected, init_span, &place);
    let init = tracer.tensor(init, call.name, init_span)?;
    let folded = traced(tracer, &call, |formula| {
        let (x, init) = (formula.term(&operand), formula.term(&init));
        Some(window::fold(&x, &init, &windows, |a, b| {
            formula.called([a, b], |tracer, [a, b]| {
                combined(tracer, &callable, [a, b], &call)
            })
        }))
    });
    folded.map(Value::from)
}

/// The windows of a macro that pools, along the spatial axes.
fn pool(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    operand: &Tensor,
) -> Option<Vec<Window>> {
    let rank = operand.ty.shape.rank();
    if !(3..=5).contains(&rank) {
        let message = format!(
            "`{}` needs a tensor with 3, 4 or 5 axes, found `{}`",
            call.name, operand.ty
        );
        let help = "besides 1, 2 or 3 spatial axes there are a batch and features";
        let diagnostic = Diagnostic::new(Code::ShapeMismatch, call.span, message);
        tracer.report(diagnostic.help(help));
        return None;
    }
    let layout = layout::of_tensor(tracer, call, rank)?;
    moves(tracer, call, layout.spatial(), Strides::Window)
}

/// The strides of windows if they are not given.
#[derive(Clone, Copy, PartialEq)]
enum Strides {
    /// Each window begins behind the one before.
    Window,
    One,
}

/// The windows along some axes and how they move, from the options.
fn moves(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    axes: &[usize],
    default: Strides,
) -> Option<Vec<Window>> {
    let count = axes.len();
    if call.option("window").is_none() {
        let message = format!("`{}` needs the option `window`", call.name);
        let example = vec!["2"; count].join(", ");
        let help = format!("for example `window = [{example}]`");
        tracer.report(Diagnostic::new(Code::Option, call.span, message).help(help));
        return None;
    }
    let sizes = call.sizes_option(tracer, "window", count, (1, 1))?;
    let strides = match (call.option("strides"), default) {
        (None, Strides::Window) => sizes.clone(),
        _ => call.sizes_option(tracer, "strides", count, (1, 1))?,
    };
    steps::windows(tracer, call, axes, &sizes, &strides)
}
