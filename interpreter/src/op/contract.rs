//! Sums of products over pairs of axes.

use super::{Operands, array, convert::convert, other_axes, sizes_along};
use crate::{
    Array, Cause, Tensor,
    arithmetic::Number,
    tensor::{each_number, from_elements},
};
use iree_dsl_ir::op::DotGeneral;
use ndarray::IxDyn;

/// The factors are brought into the type of the sums first, which holds all of their numbers.
pub(super) fn evaluate(op: &DotGeneral, operands: &Operands<'_>) -> Result<Tensor, Cause> {
    let [lhs, rhs] = operands.exactly()?;
    let (lhs, rhs) = (convert(lhs, op.dtype)?, convert(rhs, op.dtype)?);
    let shape = operands.shape()?;
    each_number!(&lhs, lhs => contract(op, lhs, array(&rhs)?, shape))
}

fn contract<T: Number>(
    op: &DotGeneral,
    lhs: &Array<T>,
    rhs: &Array<T>,
    shape: &[usize],
) -> Result<Tensor, Cause> {
    let lhs = Factor::new(lhs, &op.batch.0, &op.contract.0);
    let rhs = Factor::new(rhs, &op.batch.1, &op.contract.1);
    if (lhs.batch, lhs.depth) != (rhs.batch, rhs.depth) {
        return Err(Cause::Sizes {
            expected: vec![lhs.batch, lhs.depth],
            found: vec![rhs.batch, rhs.depth],
        });
    }
    let mut elements = Vec::with_capacity(shape.iter().product());
    for batch in 0..lhs.batch {
        for row in 0..lhs.lines {
            for column in 0..rhs.lines {
                let sum = dot::<T>(lhs.line(batch, row), rhs.line(batch, column));
                elements.push(T::narrow(sum));
            }
        }
    }
    from_elements(shape, elements)
}

/// The sum of the products, in the order of the numbers.
fn dot<T: Number>(lhs: &[T::Wide], rhs: &[T::Wide]) -> T::Wide {
    let products = lhs.iter().zip(rhs).map(|(a, b)| T::multiply(*a, *b));
    products.fold(T::ZERO, T::add)
}

/// A factor as lines of numbers that are multiplied with those of another: so many for each place of the batch.
struct Factor<T: Number> {
    numbers: Vec<T::Wide>,
    batch: usize,
    lines: usize,
    /// How long a line is.
    depth: usize,
}

impl<T: Number> Factor<T> {
    fn new(array: &Array<T>, batch: &[usize], contract: &[usize]) -> Self {
        let free = other_axes(array.ndim(), &[batch, contract].concat());
        let order = [batch, &free, contract].concat();
        let turned = array.view().permuted_axes(IxDyn(&order));
        let count = |axes: &[usize]| sizes_along(array.shape(), axes).iter().product();
        Self {
            numbers: turned.iter().map(|number| number.widen()).collect(),
            batch: count(batch),
            lines: count(&free),
            depth: count(contract),
        }
    }

    fn line(&self, batch: usize, line: usize) -> &[T::Wide] {
        let start = (batch * self.lines + line) * self.depth;
        let line = self.numbers.get(start..start + self.depth);
        line.unwrap_or_default()
    }
}
