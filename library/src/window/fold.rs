//! Windows whose elements a function combines: along one axis after the other.

use super::{Window, around, steps::Moves};
use crate::term::Term;
use iree_abi::TensorType;
use iree_dsl_ir::op::{Op, Pad, WindowStep};

/// The elements of each window combined one after the other, and a first number with that. Every axis has a window, and
/// `combine` gives what is of the type of both.
pub fn fold<'x, V: Clone>(
    x: &Term<'x, V>,
    first: &Term<'x, V>,
    windows: &[Window],
    mut combine: impl FnMut(Term<'x, V>, Term<'x, V>) -> Term<'x, V>,
) -> Term<'x, V> {
    let Moves { steps, around } = match Moves::new(x, windows) {
        Ok(moves) => moves,
        Err(error) => return x.failed(error),
    };
    let padded = around::padded(x, &around, first);
    let pad = Pad {
        low: steps.iter().map(|step| step.padding.0).collect(),
        high: steps.iter().map(|step| step.padding.1).collect(),
        interior: steps.iter().map(|step| step.input_dilation - 1).collect(),
    };
    let mut combined = padded.emit(Op::Pad(pad), &[first]);
    for (window, step) in windows.iter().zip(&steps) {
        combined = along(&combined, window, step, &mut combine);
    }
    let first = first.repeat(&combined.shape(), Vec::new());
    combine(first, combined)
}

/// The elements of each window along its axis.
fn along<'x, V: Clone>(
    x: &Term<'x, V>,
    window: &Window,
    step: &WindowStep,
    combine: &mut impl FnMut(Term<'x, V>, Term<'x, V>) -> Term<'x, V>,
) -> Term<'x, V> {
    if window.size == 1 && step.stride == 1 {
        return x.clone();
    }
    let elements = (0..window.size).map(|place| element(x, window, step, place));
    let combined = elements.reduce(combine);
    combined.unwrap_or_else(|| x.clone())
}

/// The element at a place in each window.
fn element<'x, V: Clone>(
    x: &Term<'x, V>,
    window: &Window,
    step: &WindowStep,
    place: usize,
) -> Term<'x, V> {
    let TensorType { dtype, shape } = x.tensor_type();
    let slice = step.slice(
        &TensorType::new(dtype, shape.clone()),
        window.axis,
        window.size,
        place,
    );
    let size = shape.dims().get(window.axis);
    match (slice, size) {
        (Some(slice), _) => x.emit(Op::Slice(slice), &[]),
        (None, Some(size)) => x.failed(window.misfit(size.clone())),
        (None, None) => x.clone(),
    }
}
