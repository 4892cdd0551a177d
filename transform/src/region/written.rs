//! Rows that a loop writes one by one, each iteration its own, as `scan` stacks what it has. Nothing but the row of an iteration
//! depends on the cotangent there, so that the transposed loop reads it and hands nothing on.

use super::{iterations::Carried, trips::Counter};
use crate::{
    builder::Builder,
    error::Result,
    linear::Linear,
    tape::{Input, NodeId, Tape},
};
use iree_abi::Extent;
use iree_dsl_ir::{Region, ValueId, op::Op};

/// Rows that iterations write.
#[derive(Clone, Debug)]
pub(super) struct Written {
    /// Which of the values with tangents that the loop has.
    pub(super) output: usize,
    /// The row that an iteration writes.
    pub(super) row: NodeId,
}

/// The body of a loop that counts its iterations from zero.
pub(super) struct Counted<'a> {
    body: &'a Region,
    index: ValueId,
    most: &'a Extent,
}

impl<'a> Counted<'a> {
    pub(super) fn of(body: &'a Region, index: ValueId, counter: &'a Counter) -> Option<Self> {
        let most = counter.most.as_ref()?;
        let starts_at_zero = counter.start == Some(Extent::from(0));
        starts_at_zero.then_some(Self { body, index, most })
    }

    /// Takes rows out of what iterations hand on, and what writes them out of the tape of the body. Nothing else may read them,
    /// and the first iteration is given none with tangents.
    pub(super) fn take(
        &self,
        builder: &Builder,
        tape: &mut Tape,
        carried: &mut Vec<(Carried, Option<NodeId>)>,
    ) -> Result<Vec<Written>> {
        let results: Vec<_> = carried.iter().filter_map(|(_, result)| *result).collect();
        let readers = |tape: &Tape, node: NodeId| {
            let handed_on = results.iter().filter(|result| **result == node);
            tape.readers(node) + handed_on.count()
        };
        let (mut written, mut others) = (Vec::new(), Vec::new());
        for (carried, result) in carried.drain(..) {
            let rows = result.filter(|_| carried.first.is_none());
            let row = rows.map(|rows| self.row(builder, tape, carried.parameter, rows));
            match (row.transpose()?.flatten(), result) {
                (Some(row), Some(rows))
                    if readers(tape, carried.parameter) == 1 && readers(tape, rows) == 1 =>
                {
                    tape.cut(rows)?;
                    written.push(Written {
                        output: carried.output,
                        row,
                    });
                }
                _ => others.push((carried, result)),
            }
        }
        *carried = others;
        Ok(written)
    }

    /// What an iteration writes into rows at its own place, if that is how it has them.
    fn row(
        &self,
        builder: &Builder,
        tape: &Tape,
        parameter: NodeId,
        rows: NodeId,
    ) -> Result<Option<NodeId>> {
        let Some((Linear::DynamicUpdate { starts }, [Input::Node(before), Input::Node(row)])) =
            tape.map(rows)
        else {
            return Ok(None);
        };
        let is_own = *before == parameter && self.is_place(builder, starts)?;
        Ok((is_own && self.has_rows(tape, rows, *row)?).then_some(*row))
    }

    /// Whether something starts at the counter. Where it starts along the other axes does not matter: a row is as long as they
    /// are.
    fn is_place(&self, builder: &Builder, starts: &[ValueId]) -> Result<bool> {
        let Some(start) = starts.first() else {
            return Ok(false);
        };
        let mut is_place = *start == self.index;
        for id in &self.body.operations {
            let operation = builder.operation(*id)?;
            let is_counter =
                matches!(operation.op, Op::Convert(_)) && operation.operands == [self.index];
            is_place |= is_counter && operation.results.contains(start);
        }
        Ok(is_place)
    }

    /// Whether there is a row for each iteration.
    fn has_rows(&self, tape: &Tape, rows: NodeId, row: NodeId) -> Result<bool> {
        let (rows, row) = (tape.ty(rows)?.shape, tape.ty(row)?.shape);
        let (Some((count, others)), Some((one, along))) =
            (rows.dims().split_first(), row.dims().split_first())
        else {
            return Ok(false);
        };
        Ok(one.is_one() && others == along && count.extent().as_ref() == Some(self.most))
    }
}
