//! Windows whose numbers are made one.

use super::{
    super::{
        closure::Callable,
        statics::{Static, StaticType},
        tracer::Tracer,
        types::Type,
        value::{Tensor, Value},
    },
    OperationCall,
    around::Around,
    build,
    fold::combined,
    layout,
    options::truth,
    steps::{self, Moves, Padding},
};
use crate::{
    ast::BinaryOperator,
    diagnostic::{Code, Diagnostic},
};
use iree_abi::{DType, Dim, Shape, TensorType};
use iree_dsl_ir::{
    Scalar, limits,
    op::{Broadcast, Op, Pad, ReduceWindow, Slice, WindowKind, WindowStep},
};

type Result = Option<Value>;

/// Windows with more elements along their axes than this are hardly meant to be combined one by one.
const LARGEST_WINDOW: usize = 1024;

pub(super) fn max_pool(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let pool = Pool::new(tracer, &call, &operand)?;
    pool.reduce(tracer, &call, WindowKind::Maximum, &operand)
        .map(Value::from)
}

/// 16-bit numbers are summed and divided in `f32`, where neither the sum nor the count overflows.
pub(super) fn avg_pool(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let dtype = operand.ty.dtype;
    tracer.require_fractions(&operand.ty, call.name, call.span)?;
    let counts_padding = truth(tracer, &call, "count_padding", true)?;
    let pool = Pool::new(tracer, &call, &operand)?;
    let target = match dtype.size() {
        2 => DType::F32,
        _ => dtype,
    };
    let wide = tracer.cast_value(operand.into(), StaticType::Element(target), call.span);
    let wide = tracer.tensor(wide, call.name, call.span)?;
    let sum = pool.reduce(tracer, &call, WindowKind::Sum, &wide)?;
    let count = match counts_padding || !pool.is_padded() {
        true => Static::float(
            pool.sizes.iter().product::<usize>() as f64,
            StaticType::Float,
        )
        .into(),
        false => pool.counts(tracer, &call, &wide, &sum)?.into(),
    };
    let (sum, count) = ((sum.into(), call.span), (count, call.span));
    let mean = tracer.binary_value(BinaryOperator::Divide, sum, count, call.span);
    Some(tracer.cast_value(mean, StaticType::Element(dtype), call.span))
}

/// Windows along every axis of a tensor: of size 1 along those that are not spatial.
struct Pool {
    sizes: Vec<usize>,
    steps: Vec<WindowStep>,
    /// What is put around the tensor before.
    around: Vec<Around>,
}

impl Pool {
    fn new(tracer: &mut Tracer<'_>, call: &OperationCall<'_>, operand: &Tensor) -> Option<Self> {
        let shape = &operand.ty.shape;
        if !(3..=5).contains(&shape.rank()) {
            let message = format!(
                "`{}` needs a tensor with 3, 4 or 5 axes, found `{}`",
                call.name, operand.ty
            );
            let help = "besides 1, 2 or 3 spatial axes there are a batch and features";
            let diagnostic = Diagnostic::new(Code::ShapeMismatch, call.span, message);
            tracer.report(diagnostic.help(help));
            return None;
        }
        let layout = layout::of_tensor(tracer, call, shape.rank())?;
        let axes = layout.spatial();
        let (window, steps, around) = moves(tracer, call, shape, axes, Strides::Window)?;
        let mut pool = Self {
            sizes: vec![1; shape.rank()],
            steps: vec![WindowStep::ONE; shape.rank()],
            around,
        };
        for ((axis, size), step) in layout.spatial().iter().zip(window).zip(steps) {
            *pool.sizes.get_mut(*axis)? = size;
            *pool.steps.get_mut(*axis)? = step;
        }
        Some(pool)
    }

    /// Whether windows have elements that are none of the tensor's.
    fn is_padded(&self) -> bool {
        !self.around.is_empty() || self.steps.iter().any(|step| step.padding != (0, 0))
    }

    fn reduce(
        &self,
        tracer: &mut Tracer<'_>,
        call: &OperationCall<'_>,
        kind: WindowKind,
        operand: &Tensor,
    ) -> Option<Tensor> {
        let op = Op::ReduceWindow(ReduceWindow {
            kind,
            sizes: self.sizes.clone(),
            steps: self.steps.clone(),
        });
        let nothing = limits::identity(kind.reduction(), operand.ty.dtype);
        let operand = Around::all_of(&self.around, tracer, call, operand, nothing)?;
        tracer.emit_checked(op, &[&operand], call.name, call.span)
    }

    /// How many elements of the tensor each window has.
    fn counts(
        &self,
        tracer: &mut Tracer<'_>,
        call: &OperationCall<'_>,
        operand: &Tensor,
        result: &Tensor,
    ) -> Option<Tensor> {
        let is_plain = |axis: usize| self.sizes.get(axis) == Some(&1);
        let thin = |ty: &TensorType| {
            let dims = ty.shape.dims().iter().enumerate();
            let dims = dims.map(|(axis, dim)| match is_plain(axis) {
                true => Dim::Static(1),
                false => dim.clone(),
            });
            Shape::new(dims.collect())
        };
        let dtype = operand.ty.dtype;
        let one = build::simple(1, dtype);
        let ones = tracer.constant(one, dtype, &thin(&operand.ty), call.span)?;
        let ones = Around::all_of(&self.around, tracer, call, &ones, Scalar::Integer(0))?;
        let mut steps = self.steps.clone();
        for (axis, step) in steps.iter_mut().enumerate() {
            if is_plain(axis) {
                *step = WindowStep::ONE;
            }
        }
        let op = Op::ReduceWindow(ReduceWindow {
            kind: WindowKind::Sum,
            sizes: self.sizes.clone(),
            steps,
        });
        let counts = tracer.emit_checked(op, &[&ones], call.name, call.span)?;
        tracer.broadcast_to(counts, &result.ty.shape, call.name, call.span)
    }
}

/// The strides of windows if they are not given.
#[derive(Clone, Copy, PartialEq)]
enum Strides {
    /// Each window begins behind the one before.
    Window,
    One,
}

/// The sizes of the windows along some axes and how they move, from the options, and what is put around the tensor
/// before.
fn moves(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    shape: &Shape,
    axes: &[usize],
    default: Strides,
) -> Option<(Vec<usize>, Vec<WindowStep>, Vec<Around>)> {
    let count = axes.len();
    if call.option("window").is_none() {
        let message = format!("`{}` needs the option `window`", call.name);
        let example = vec!["2"; count].join(", ");
        let help = format!("for example `window = [{example}]`");
        tracer.report(Diagnostic::new(Code::Option, call.span, message).help(help));
        return None;
    }
    let window = call.sizes_option(tracer, "window", count, (1, 1))?;
    let strides = match (call.option("strides"), default) {
        (None, Strides::Window) => window.clone(),
        _ => call.sizes_option(tracer, "strides", count, (1, 1))?,
    };
    let moves = Moves {
        shape,
        axes,
        window: &window,
        strides: &strides,
        dilation: &call.sizes_option(tracer, "dilation", count, (1, 1))?,
        input_dilation: &call.sizes_option(tracer, "input_dilation", count, (1, 1))?,
    };
    let padding: Padding = steps::padding(tracer, call, count)?;
    let (steps, around) = moves.steps(tracer, &padding)?;
    Some((window, steps, around))
}

pub(super) fn reduce_window(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let (init, init_span) = call.argument(1)?;
    let callable = tracer.callable(call.argument(2)?, call.name, 2)?;
    let shape = &operand.ty.shape;
    let axes: Vec<_> = (0..shape.rank()).collect();
    let (sizes, steps, around) = moves(tracer, &call, shape, &axes, Strides::One)?;
    let count: usize = sizes.iter().sum();
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
    let windows = Windows {
        call: &call,
        callable,
        sizes,
        steps,
    };
    let padded = Around::all(&around, tracer, &call, &operand, &init)?;
    windows.combine(tracer, &padded, init)
}

/// Windows whose elements a closure combines: along one axis after the other.
struct Windows<'w> {
    call: &'w OperationCall<'w>,
    callable: Callable,
    sizes: Vec<usize>,
    steps: Vec<WindowStep>,
}

impl Windows<'_> {
    fn combine(&self, tracer: &mut Tracer<'_>, operand: &Tensor, init: Tensor) -> Result {
        let (name, span) = (self.call.name, self.call.span);
        let op = Pad {
            low: self.steps.iter().map(|step| step.padding.0).collect(),
            high: self.steps.iter().map(|step| step.padding.1).collect(),
            interior: self
                .steps
                .iter()
                .map(|step| step.input_dilation - 1)
                .collect(),
        };
        let mut combined = tracer.emit_checked(Op::Pad(op), &[operand, &init], name, span)?;
        for axis in 0..self.sizes.len() {
            combined = self.combine_along(tracer, combined, axis)?;
        }
        let op = Broadcast {
            shape: combined.ty.shape.clone(),
            axes: Vec::new(),
        };
        let init = tracer.emit_checked(Op::Broadcast(op), &[&init], name, span)?;
        self.apply(tracer, init, combined).map(Value::from)
    }

    fn combine_along(
        &self,
        tracer: &mut Tracer<'_>,
        operand: Tensor,
        axis: usize,
    ) -> Option<Tensor> {
        let (size, step) = (*self.sizes.get(axis)?, self.steps.get(axis)?);
        if size == 1 && step.stride == 1 {
            return Some(operand);
        }
        let mut combined: Option<Tensor> = None;
        for element in 0..size {
            let op = self.element(tracer, &operand, axis, element)?;
            let (name, span) = (self.call.name, self.call.span);
            let element = tracer.emit_checked(Op::Slice(op), &[&operand], name, span)?;
            combined = Some(match combined {
                None => element,
                Some(before) => self.apply(tracer, before, element)?,
            });
        }
        combined
    }

    /// The slice with an element of each window.
    fn element(
        &self,
        tracer: &mut Tracer<'_>,
        operand: &Tensor,
        axis: usize,
        element: usize,
    ) -> Option<Slice> {
        let (size, step) = (*self.sizes.get(axis)?, self.steps.get(axis)?);
        let Some(op) = step.slice(&operand.ty, axis, size, element) else {
            let whole = operand.ty.shape.dims().get(axis)?;
            let message = format!(
                "`{}`: a window of {size} does not fit into the size {whole} of axis {axis}",
                self.call.name
            );
            tracer.error(Code::ShapeMismatch, self.call.span, message);
            return None;
        };
        Some(op)
    }

    fn apply(&self, tracer: &mut Tracer<'_>, a: Tensor, b: Tensor) -> Option<Tensor> {
        combined(tracer, &self.callable, [a, b], self.call)
    }
}
