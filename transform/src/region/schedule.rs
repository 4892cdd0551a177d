//! Which iterations are computed again from which, if what few of them start with is kept.
//!
//! To lead cotangents back through the iterations of a range, with *s* places to keep what an iteration starts with, run
//! forward to one in the middle, keep what it starts with, go back through those behind it with *s* - 1 places, and
//! then through those before it with all *s*. If no iteration may run more than *r* times again, a range of (*s* + *r*
//! choose *s*) iterations can be done; the middle divides it so that both parts can. (Griewank, *Achieving logarithmic
//! growth of temporal and spatial complexity in reverse automatic differentiation*, 1992.)
//!
//! Where the kept ones are follows from the iteration that is led back through next, so that it is computed, by integers
//! alone, rather than kept.

use crate::{
    builder::Builder,
    error::{Error, Result},
};
use iree_abi::{DType, TensorType};
use iree_dsl_ir::{
    Region, ValueId,
    op::{BinaryOp, CompareOp, Op},
};

/// Where the search for an iteration has come to. All are of [`INTEGER`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Search {
    /// How many iterations are kept up to here.
    pub(super) level: ValueId,
    /// The last of them, or the first of all: the start of the range that the iteration is in.
    pub(super) start: ValueId,
    /// The end of the range.
    end: ValueId,
    /// How many more can be kept.
    places: ValueId,
    /// How often an iteration of the range may run again.
    sweeps: ValueId,
}

/// The element type of the numbers of iterations. A number of them times that of the places must not overflow.
pub(super) const INTEGER: DType = DType::I64;

/// Until when a search goes on.
#[derive(Clone, Copy, Debug)]
pub(super) enum Until {
    /// Until the range is the iteration alone.
    Found,
    /// Until so many iterations are kept.
    Level(ValueId),
}

impl Search {
    pub(super) const LEN: usize = 5;

    /// The start of every search among so many iterations.
    pub(super) fn new(builder: &mut Builder, count: ValueId, places: usize) -> Result<Self> {
        let count = builder.convert(count, INTEGER)?;
        let zero = integer(builder, 0)?;
        Ok(Self {
            level: zero,
            start: zero,
            end: count,
            places: integer(builder, places)?,
            sweeps: sweeps(builder, count, places)?,
        })
    }

    pub(super) const fn values(&self) -> [ValueId; Self::LEN] {
        [self.level, self.start, self.end, self.places, self.sweeps]
    }

    pub(super) fn of_values(values: &[ValueId]) -> Result<Self> {
        let [level, start, end, places, sweeps] = *values else {
            return Err(Error::Lost("where a search has come to"));
        };
        Ok(Self {
            level,
            start,
            end,
            places,
            sweeps,
        })
    }

    /// Goes on with the search for an iteration.
    pub(super) fn go(
        &self,
        builder: &mut Builder,
        iteration: ValueId,
        until: Until,
    ) -> Result<Self> {
        let condition = region(builder, |builder, values| {
            let search = Self::of_values(values)?;
            Ok(vec![search.goes_on(builder, until)?])
        })?;
        let body = region(builder, |builder, values| {
            let search = Self::of_values(values)?;
            Ok(search.halve(builder, iteration)?.values().to_vec())
        })?;
        let found = builder.emit_with_regions(Op::While, &self.values(), vec![condition, body])?;
        Self::of_values(&found)
    }

    fn goes_on(&self, builder: &mut Builder, until: Until) -> Result<ValueId> {
        match until {
            Until::Level(level) => builder.compare(CompareOp::Less, self.level, level),
            Until::Found => {
                let next = builder.plus(self.start, 1.0)?;
                builder.compare(CompareOp::Less, next, self.end)
            }
        }
    }

    /// The part of the range that the iteration is in.
    fn halve(&self, builder: &mut Builder, iteration: ValueId) -> Result<Self> {
        let middle = self.middle(builder)?;
        let is_behind = builder.compare(CompareOp::LessEqual, middle, iteration)?;
        let (level, places, sweeps) = (
            builder.plus(self.level, 1.0)?,
            builder.plus(self.places, -1.0)?,
            builder.plus(self.sweeps, -1.0)?,
        );
        Ok(Self {
            level: builder.select(is_behind, level, self.level)?,
            start: builder.select(is_behind, middle, self.start)?,
            end: builder.select(is_behind, self.end, middle)?,
            places: builder.select(is_behind, places, self.places)?,
            sweeps: builder.select(is_behind, self.sweeps, sweeps)?,
        })
    }

    /// The iteration that divides the range as its parts can be done, rounded up, but not the end.
    fn middle(&self, builder: &mut Builder) -> Result<ValueId> {
        let length = builder.subtract(self.end, self.start)?;
        let parts = builder.add(self.places, self.sweeps)?;
        let product = builder.multiply(length, self.sweeps)?;
        let product = builder.add(product, parts)?;
        let product = builder.plus(product, -1.0)?;
        let distance = builder.divide(product, parts)?;
        let last = builder.plus(length, -1.0)?;
        let distance = builder.binary(BinaryOp::Minimum, distance, last)?;
        builder.add(self.start, distance)
    }
}

/// How often iterations have to run again, if there are so many and so many places.
fn sweeps(builder: &mut Builder, count: ValueId, places: usize) -> Result<ValueId> {
    let (zero, one) = (integer(builder, 0)?, integer(builder, 1)?);
    let ty = TensorType::new(INTEGER, []);
    let condition = region_of(builder, &[ty.clone(), ty.clone()], |builder, values| {
        let [_, reached] = pair(values)?;
        Ok(vec![builder.compare(CompareOp::Less, reached, count)?])
    })?;
    let body = region_of(builder, &[ty.clone(), ty], |builder, values| {
        let [sweeps, reached] = pair(values)?;
        let sweeps = builder.plus(sweeps, 1.0)?;
        // (s + r choose r) of (s + r - 1 choose r - 1).
        let more = builder.plus(sweeps, places as f64)?;
        let product = builder.multiply(reached, more)?;
        Ok(vec![sweeps, builder.divide(product, sweeps)?])
    })?;
    let found = builder.emit_with_regions(Op::While, &[zero, one], vec![condition, body])?;
    let [sweeps, _] = pair(&found)?;
    Ok(sweeps)
}

fn pair(values: &[ValueId]) -> Result<[ValueId; 2]> {
    <[ValueId; 2]>::try_from(values).map_err(|_| Error::Lost("two numbers"))
}

fn region(
    builder: &mut Builder,
    inside: impl FnOnce(&mut Builder, &[ValueId]) -> Result<Vec<ValueId>>,
) -> Result<Region> {
    let types = vec![TensorType::new(INTEGER, []); Search::LEN];
    region_of(builder, &types, inside)
}

/// A region with parameters of these types.
pub(super) fn region_of(
    builder: &mut Builder,
    types: &[TensorType],
    inside: impl FnOnce(&mut Builder, &[ValueId]) -> Result<Vec<ValueId>>,
) -> Result<Region> {
    let types = types.iter().cloned();
    let parameters: Vec<_> = types.map(|ty| builder.value(ty)).collect();
    builder.open(Vec::new());
    let results = inside(builder, &parameters)?;
    Ok(Region {
        operations: builder.close(),
        parameters,
        results,
    })
}

pub(super) fn integer(builder: &mut Builder, number: usize) -> Result<ValueId> {
    builder.splat(number as f64, &TensorType::new(INTEGER, []))
}
