//! `softmax` and its logarithms. The largest number along the axis is subtracted first, so that no
//! exponential overflows.

use crate::{classes::is_float, term::Term};
use iree_abi::Shape;
use iree_dsl_ir::op::{CompareOp, ReduceKind, UnaryOp};

/// eˣ, divided by its sum along an axis.
pub fn softmax<'x, V: Clone>(x: &Term<'x, V>, axis: usize) -> Term<'x, V> {
    let parts = Parts::new(x, axis);
    let sum = parts.repeat(&parts.sum);
    parts.exponentials / sum
}

/// The logarithm of [`softmax`].
pub fn log_softmax<'x, V: Clone>(x: &Term<'x, V>, axis: usize) -> Term<'x, V> {
    let parts = Parts::new(x, axis);
    let log = parts.repeat(&parts.sum.apply(UnaryOp::Ln));
    parts.shifted - log
}

/// The logarithm of the sum of eˣ along an axis. An infinite largest number is the result itself: less itself it is
/// NaN.
pub fn logsumexp<'x, V: Clone>(x: &Term<'x, V>, axis: usize) -> Term<'x, V> {
    let parts = Parts::new(x, axis);
    let result = parts.sum.apply(UnaryOp::Ln) + parts.origin;
    let infinite = parts.largest.abs().compare(CompareOp::Equal, f64::INFINITY);
    infinite.choose(parts.largest, &result)
}

/// What the three have in common.
struct Parts<'x, V> {
    shape: Shape,
    axis: usize,
    /// The largest numbers, without the axis.
    largest: Term<'x, V>,
    /// The same, as constants: what is subtracted does not change the result, so it has no part in the derivative.
    origin: Term<'x, V>,
    /// The numbers less the largest.
    shifted: Term<'x, V>,
    exponentials: Term<'x, V>,
    /// The sums of the exponentials, without the axis.
    sum: Term<'x, V>,
}

impl<'x, V: Clone> Parts<'x, V> {
    fn new(x: &Term<'x, V>, axis: usize) -> Self {
        let x = x.of(is_float);
        let shape = x.shape();
        let largest = x.reduce(ReduceKind::Maximum, &[axis]);
        let origin = match x.is_derived() {
            true => largest.apply(UnaryOp::StopGradient),
            false => largest.clone(),
        };
        let shifted = &x - repeat(&origin, &shape, axis);
        let exponentials = shifted.apply(UnaryOp::Exp);
        let sum = exponentials.reduce(ReduceKind::Sum, &[axis]);
        Self {
            shape,
            axis,
            largest,
            origin,
            shifted,
            exponentials,
            sum,
        }
    }

    /// A reduced tensor repeated along the axis.
    fn repeat(&self, reduced: &Term<'x, V>) -> Term<'x, V> {
        repeat(reduced, &self.shape, self.axis)
    }
}

fn repeat<'x, V: Clone>(reduced: &Term<'x, V>, shape: &Shape, axis: usize) -> Term<'x, V> {
    let kept = (0..shape.rank()).filter(|kept| *kept != axis);
    reduced.repeat(shape, kept.collect())
}
