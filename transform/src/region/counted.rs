//! Loops that count their iterations from zero, and tensors with a row for each.

use super::trips::{Counter, TripCount};
use crate::{builder::Builder, error::Result};
use iree_abi::{Extent, Shape};
use iree_dsl_ir::{Operation, Region, ValueId, op::Op};
use std::collections::BTreeMap;

/// The body of a loop that counts its iterations from zero.
pub(super) struct Counted<'a> {
    body: &'a Region,
    index: ValueId,
    trips: &'a TripCount,
}

impl<'a> Counted<'a> {
    pub(super) fn of(body: &'a Region, index: ValueId, counter: &'a Counter) -> Option<Self> {
        let trips = &counter.trips;
        let starts_at_zero = counter.start == Some(Extent::from(0));
        (starts_at_zero && *trips != TripCount::Unknown).then_some(Self { body, index, trips })
    }

    /// Of some values of the body those that are rows of a tensor around the loop, of which the first iteration reads the
    /// first one, and so on to the last: all that iterations read one after the other is that tensor.
    pub(super) fn read_in_order(
        &self,
        builder: &Builder,
        values: impl Iterator<Item = ValueId>,
    ) -> Result<BTreeMap<ValueId, ValueId>> {
        let mut read = BTreeMap::new();
        if self.trips.exactly().is_none() {
            return Ok(read);
        }
        for value in values {
            if let Some(rows) = self.rows(builder, value)? {
                read.insert(value, rows);
            }
        }
        Ok(read)
    }

    fn rows(&self, builder: &Builder, value: ValueId) -> Result<Option<ValueId>> {
        let mut row = value;
        while let Some(operation) = self.definition(builder, row)? {
            let operands = operation.operands.as_slice();
            if let (Op::Reshape(_), [operand]) = (&operation.op, operands) {
                row = *operand;
                continue;
            }
            let (Op::DynamicSlice(slice), [rows, starts @ ..]) = (&operation.op, operands) else {
                return Ok(None);
            };
            let is_own = self.is_around(builder, *rows)?
                && self.is_place(builder, starts)?
                && self.has_rows(&builder.shape(*rows)?, &slice.sizes);
            return Ok(is_own.then_some(*rows));
        }
        Ok(None)
    }

    fn definition(&self, builder: &Builder, value: ValueId) -> Result<Option<Operation>> {
        for id in &self.body.operations {
            let operation = builder.operation(*id)?;
            if operation.results.contains(&value) {
                return Ok(Some(operation));
            }
        }
        Ok(None)
    }

    fn is_around(&self, builder: &Builder, value: ValueId) -> Result<bool> {
        let is_parameter = self.body.parameters.contains(&value);
        Ok(!is_parameter && self.definition(builder, value)?.is_none())
    }

    /// Whether something starts at the counter. Where it starts along the other axes does not matter: a row is as long as they
    /// are.
    pub(super) fn is_place(&self, builder: &Builder, starts: &[ValueId]) -> Result<bool> {
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

    /// Whether there is a row of this shape for each iteration.
    pub(super) fn has_rows(&self, rows: &Shape, row: &Shape) -> bool {
        let (Some((count, others)), Some((one, along))) =
            (rows.dims().split_first(), row.dims().split_first())
        else {
            return false;
        };
        one.is_one() && others == along && count.extent().as_ref() == self.trips.most()
    }
}
