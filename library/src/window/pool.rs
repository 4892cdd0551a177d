//! The largest number and the mean of each window.

use super::{
    Window,
    around::{Around, padded_with},
    steps::Moves,
};
use crate::{
    builder::Error,
    classes::is_fractional,
    term::{Term, widened},
};
use iree_abi::{Dim, Shape, TensorType};
use iree_dsl_ir::{
    Scalar, limits,
    op::{Op, ReduceWindow, WindowKind, WindowStep},
};

/// The largest number of each window.
pub fn max_pool<'x, V: Clone>(x: &Term<'x, V>, windows: &[Window]) -> Term<'x, V> {
    match Pool::new(x, windows) {
        Ok(pool) => pool.reduce(WindowKind::Maximum, x),
        Err(error) => x.failed(error),
    }
}

/// The mean of each window. If padding does not count, it is that of the numbers of the tensor that are in the window.
///
/// Numbers of 16 bits are summed and divided in `f32`, where neither their sum nor their number overflows.
pub fn avg_pool<'x, V: Clone>(
    x: &Term<'x, V>,
    windows: &[Window],
    counts_padding: bool,
) -> Term<'x, V> {
    let x = x.of(is_fractional);
    let pool = match Pool::new(&x, windows) {
        Ok(pool) => pool,
        Err(error) => return x.failed(error),
    };
    let sum = pool.reduce(WindowKind::Sum, &widened(&x));
    let mean = match counts_padding || !pool.is_padded() {
        true => &sum / pool.elements(),
        false => &sum / pool.counts(&x, &sum),
    };
    mean.convert(x.dtype())
}

/// Windows along every axis of a tensor: of size 1 along those that have none.
struct Pool {
    sizes: Vec<usize>,
    steps: Vec<WindowStep>,
    around: Vec<Around>,
}

impl Pool {
    fn new<V: Clone>(x: &Term<'_, V>, windows: &[Window]) -> Result<Self, Error> {
        let rank = x.shape().rank();
        let Moves { steps, around } = Moves::new(x, windows)?;
        let mut pool = Self {
            sizes: vec![1; rank],
            steps: vec![WindowStep::ONE; rank],
            around,
        };
        for (window, step) in windows.iter().zip(steps) {
            let places = (
                pool.sizes.get_mut(window.axis),
                pool.steps.get_mut(window.axis),
            );
            if let (Some(size), Some(place)) = places {
                (*size, *place) = (window.size, step);
            }
        }
        Ok(pool)
    }

    /// Whether windows have elements that are none of the tensor's.
    fn is_padded(&self) -> bool {
        !self.around.is_empty() || self.steps.iter().any(|step| step.padding != (0, 0))
    }

    /// How many elements a window has.
    fn elements(&self) -> f64 {
        self.sizes.iter().product::<usize>() as f64
    }

    fn reduce<'x, V: Clone>(&self, kind: WindowKind, x: &Term<'x, V>) -> Term<'x, V> {
        let nothing = limits::identity(kind.reduction(), x.dtype());
        let x = padded_with(x, &self.around, nothing);
        x.emit(self.op(kind, self.steps.clone()), &[])
    }

    /// How many elements of a tensor each window has, as numbers like the sums of the windows.
    fn counts<'x, V: Clone>(&self, x: &Term<'x, V>, sums: &Term<'x, V>) -> Term<'x, V> {
        // They are the same along other axes.
        let thin = TensorType::new(sums.dtype(), self.thin(&x.shape()));
        let ones = x.make_splat(Scalar::Integer(1), &thin);
        let ones = padded_with(&ones, &self.around, Scalar::Integer(0));
        let steps = self.sizes.iter().zip(&self.steps);
        let steps = steps.map(|(size, step)| match size {
            1 => WindowStep::ONE,
            _ => step.clone(),
        });
        let counts = ones.emit(self.op(WindowKind::Sum, steps.collect()), &[]);
        counts.broadcast_like(sums)
    }

    /// The same shape with one element along axes without windows.
    fn thin(&self, shape: &Shape) -> Shape {
        let dims = shape.dims().iter().zip(&self.sizes);
        let dims = dims.map(|(dim, size)| match size {
            1 => Dim::Static(1),
            _ => dim.clone(),
        });
        Shape::new(dims.collect())
    }

    fn op(&self, kind: WindowKind, steps: Vec<WindowStep>) -> Op {
        Op::ReduceWindow(ReduceWindow {
            kind,
            sizes: self.sizes.clone(),
            steps,
        })
    }
}
