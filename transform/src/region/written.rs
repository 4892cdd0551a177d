//! Rows that a loop writes one by one, each iteration its own, as `scan` stacks what it has. Nothing but the row of an iteration
//! depends on the cotangent there, so that the transposed loop reads it and hands nothing on.

use super::{counted::Counted, iterations::Carried};
use crate::{
    builder::Builder,
    error::Result,
    linear::Linear,
    tape::{Input, NodeId, Tape},
};

/// Rows that iterations write.
#[derive(Clone, Debug)]
pub(super) struct Written {
    /// Which of the values with tangents that the loop has.
    pub(super) output: usize,
    /// The row that an iteration writes.
    pub(super) row: NodeId,
}

impl Counted<'_> {
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
        let has_rows = self.has_rows(&tape.ty(rows)?.shape, &tape.ty(*row)?.shape);
        Ok((is_own && has_rows).then_some(*row))
    }
}
