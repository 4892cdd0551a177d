//! Reductions of which a dispatch may keep more on its stack than fits there.

use super::graph::Step;
use iree_abi::{Dim, TensorType};

/// The bytes of a dispatch's stack, as IREE has it.
pub(super) const STACK: usize = 1 << 15;

/// Up to so many bytes of a row, which is one after the other in memory, tiles of 32 rows of some three values fit.
pub(super) const ROW: usize = 1 << 8;

/// The same of rows along other axes, of which as many are kept as there are numbers in a vector.
const COLUMN: usize = 1 << 7;

/// How many elements a tensor of known sizes has.
pub(in crate::legalize) fn count(ty: &TensorType) -> Option<usize> {
    let sizes = ty.shape.known()?;
    Some(sizes.iter().fold(1, |all, size| all.saturating_mul(*size)))
}

/// Whether a tensor has more elements than another from which it is computed element by element. Of sizes of the call, the axes
/// tell.
pub(super) fn is_larger(ty: &TensorType, than: &TensorType) -> bool {
    let axes = |ty: &TensorType| ty.shape.dims().iter().filter(|dim| !dim.is_one()).count();
    match (count(ty), count(than)) {
        (Some(more), Some(less)) => more > less,
        _ => axes(ty) > axes(than),
    }
}

/// Whether it is a reduction of long rows.
pub(super) fn reduces_long_rows(step: &Step<'_>) -> bool {
    reduces_more(step, ROW, COLUMN)
}

/// Whether it is a reduction of rows of known sizes that are long whichever axis they are along.
pub(super) fn reduces_long_lines(step: &Step<'_>) -> bool {
    let operand = step.operand(0);
    operand.is_some_and(|ty| ty.shape.known().is_some()) && reduces_more(step, ROW, ROW)
}

fn reduces_more(step: &Step<'_>, row: usize, column: usize) -> bool {
    let (Some(operand), Some(axes)) = (step.operand(0), step.op().reduced_axes()) else {
        return false;
    };
    let dims = operand.shape.dims();
    let mut sizes = axes.iter().map(|axis| dims.get(*axis).and_then(Dim::known));
    let elements = sizes.try_fold(1_usize, |all, size| Some(all.saturating_mul(size?)));
    let last = dims.len().saturating_sub(1);
    let most = match axes.contains(&last) {
        true => row,
        false => column,
    };
    let bytes = elements.map(|elements| elements.saturating_mul(operand.dtype.size()));
    step.is_reduction() && bytes.is_none_or(|bytes| bytes > most)
}
