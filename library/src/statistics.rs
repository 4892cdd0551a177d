//! Means, and how far numbers are from them. Numbers of 16 bits are computed with in `f32`, where neither their sum nor
//! their number overflows. Axes rise.

use crate::{
    classes::is_fractional,
    term::{Term, widened},
};
use iree_dsl_ir::op::{Op, ReduceKind, Size};

/// The mean along axes.
pub fn mean<'x, V: Clone>(x: &Term<'x, V>, axes: &[usize]) -> Term<'x, V> {
    let x = x.of(is_fractional);
    divided_sum(&widened(&x), axes, 0.0).convert(x.dtype())
}

/// The sum of the squared distances from the mean, divided by the number of elements less `less`.
pub fn variance<'x, V: Clone>(x: &Term<'x, V>, axes: &[usize], less: f64) -> Term<'x, V> {
    Deviations::new(x, axes)
        .variance(less)
        .convert(x.dtype().real())
}

/// The square root of the [variance](variance()).
pub fn deviation<'x, V: Clone>(x: &Term<'x, V>, axes: &[usize], less: f64) -> Term<'x, V> {
    let variance = Deviations::new(x, axes).variance(less);
    variance.sqrt().convert(x.dtype().real())
}

/// The distances from the mean, divided by the square root of the variance and `epsilon`.
pub fn normalize<'x, V: Clone>(x: &Term<'x, V>, axes: &[usize], epsilon: f64) -> Term<'x, V> {
    let deviations = Deviations::new(x, axes);
    let root = (deviations.variance(0.0) + epsilon).sqrt();
    let root = deviations.repeated(&root);
    let distances = deviations.distances;
    let root = root.convert(distances.dtype());
    (distances / root).convert(x.dtype())
}

/// The distances of numbers from their mean along some axes.
struct Deviations<'x, 'a, V> {
    axes: &'a [usize],
    distances: Term<'x, V>,
}

impl<'x, 'a, V: Clone> Deviations<'x, 'a, V> {
    fn new(x: &Term<'x, V>, axes: &'a [usize]) -> Self {
        let wide = widened(&x.of(is_fractional));
        let mean = divided_sum(&wide, axes, 0.0);
        let numbers = Self {
            axes,
            distances: wide,
        };
        let distances = &numbers.distances - numbers.repeated(&mean);
        Self { axes, distances }
    }

    /// A reduced tensor repeated along the axes.
    fn repeated(&self, reduced: &Term<'x, V>) -> Term<'x, V> {
        let shape = self.distances.shape();
        let kept = (0..shape.rank()).filter(|axis| !self.axes.contains(axis));
        reduced.repeat(&shape, kept.collect())
    }

    fn variance(&self, less: f64) -> Term<'x, V> {
        let distances = match self.distances.dtype().is_complex() {
            true => self.distances.abs(),
            false => self.distances.clone(),
        };
        divided_sum(&(&distances * &distances), self.axes, less)
    }
}

/// The sum divided by the number of summands less `less`.
fn divided_sum<'x, V: Clone>(x: &Term<'x, V>, axes: &[usize], less: f64) -> Term<'x, V> {
    let count = x.count(axes);
    let sum = x.reduce(ReduceKind::Sum, axes);
    let dtype = sum.dtype();
    match count {
        None => sum,
        Some(extent) => match extent.known() {
            Some(count) => &sum / (count as f64 - less),
            None => {
                let count = sum.make(Op::Size(Size { extent, dtype })) - less;
                &sum / count.broadcast_like(&sum)
            }
        },
    }
}
