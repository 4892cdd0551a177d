//! Elements in order: short lines by comparing each element with all others, long ones by a network.

use super::{
    emit::{Emitter, Term},
    network,
};
use iree_dsl_ir::{
    ValueId,
    op::{ArgSort, CompareOp, Op},
};
use iree_dsl_library::{Builder, Error, sorting::keys};

/// The length up to which it is faster to compare each element with all others, which is what `lower` makes of the
/// operation.
const SHORT: usize = 4096;

/// Where elements come from in order.
pub(super) fn expand(emitter: &Emitter, op: &ArgSort, operand: ValueId) -> Result<ValueId, Error> {
    let keys = keys(&emitter.term(operand), op.descending);
    let (shape, keys) = (keys.shape(), keys.value()?);
    let axis = op.axis;
    let short = || {
        let op = ArgSort {
            axis,
            descending: false,
        };
        Term::made(emitter, emitter.emit(Op::ArgSort(op), &[&keys]))
    };
    let long = || network::places(emitter, &emitter.term(keys), axis);
    let size = shape.dims().get(axis).ok_or(Error::Lost("an axis"))?;
    let places = match size.known() {
        Some(..=SHORT) => short(),
        Some(_) => long(),
        None => {
            let size = size.extent().ok_or(Error::Lost("a size"))?;
            let is_short = emitter
                .size(&size)
                .compare(CompareOp::LessEqual, SHORT as i128);
            emitter.branch(is_short, short, long)?
        }
    };
    places.value()
}
