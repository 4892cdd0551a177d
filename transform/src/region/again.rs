//! Loops of which few iterations are kept, and the others run again.

use super::{
    recipe::Recipe,
    rows::{read, stacked, write},
    schedule::{INTEGER, Search, Until, integer, region_of},
};
use crate::{
    builder::Builder,
    copy::Values,
    error::{Error, Result},
};
use iree_abi::{DType, Dim, TensorType};
use iree_dsl_ir::{
    ValueId,
    op::{BinaryOp, CompareOp, Op},
};

/// How what an iteration starts with is computed again.
#[derive(Clone, Debug)]
pub(crate) struct Again {
    /// Of how many iterations is kept what they start with, besides the first.
    pub(super) places: usize,
    pub(super) handed: Vec<HandedOn>,
    /// How what is handed on is computed.
    pub(super) steps: Recipe,
}

/// A value that iterations need of the one before.
#[derive(Clone, Debug)]
pub(crate) struct HandedOn {
    /// What the first iteration is given.
    pub(super) first: ValueId,
    /// What an iteration is given, in the body.
    pub(super) parameter: ValueId,
    /// What it hands on.
    pub(super) result: ValueId,
}

/// What is kept while cotangents are led back.
pub(super) struct Kept {
    /// The place of the last that is in use.
    last: ValueId,
    /// What iterations start with, along new first axes; the first one is at place 0.
    stacks: Vec<ValueId>,
}

/// What the loop that keeps iterations hands on, in this order.
struct Parts<'v> {
    /// How many are kept.
    level: ValueId,
    /// Where the search has come to.
    search: &'v [ValueId],
    /// What an iteration starts with.
    state: &'v [ValueId],
    /// What is kept.
    stacks: &'v [ValueId],
}

/// Puts what an iteration finds around it into the block: its index, and what it saved.
pub(super) type Around<'a> = &'a dyn Fn(&mut Builder, ValueId, &mut Values) -> Result<()>;

impl Kept {
    pub(super) fn values(&self) -> Vec<ValueId> {
        [&[self.last], self.stacks.as_slice()].concat()
    }

    pub(super) fn of_values(values: &[ValueId]) -> Result<Self> {
        let (last, stacks) = values.split_first().ok_or(Error::Lost("what is kept"))?;
        Ok(Self {
            last: *last,
            stacks: stacks.to_vec(),
        })
    }
}

impl Again {
    pub(crate) fn kept_mut(&mut self) -> Vec<&mut ValueId> {
        let handed = self.handed.iter_mut();
        let mut kept: Vec<_> = handed
            .flat_map(|handed| [&mut handed.first, &mut handed.result])
            .collect();
        kept.extend(self.steps.kept_mut());
        kept
    }

    /// The search for an iteration, from the start.
    pub(super) fn search(&self, builder: &mut Builder, count: ValueId) -> Result<Search> {
        Search::new(builder, count, self.places)
    }

    /// What is kept at first: what the first iteration starts with.
    pub(super) fn first(&self, builder: &mut Builder) -> Result<Kept> {
        let zero = integer(builder, 0)?;
        let mut stacks = Vec::with_capacity(self.handed.len());
        for handed in &self.handed {
            let ty = builder.ty(handed.first)?;
            let empty = builder.zeros(&stacked(&ty, Dim::Static(self.places + 1)))?;
            stacks.push(write(builder, empty, zero, handed.first)?);
        }
        Ok(Kept { last: zero, stacks })
    }

    /// Finds what an iteration starts with, and what is kept for those before it.
    pub(super) fn start(
        &self,
        builder: &mut Builder,
        search: &Search,
        kept: &Kept,
        iteration: ValueId,
        around: Around<'_>,
    ) -> Result<(Values, Kept)> {
        let iteration = builder.convert(iteration, INTEGER)?;
        let found = search.go(builder, iteration, Until::Found)?.level;
        let reached = search.go(builder, iteration, Until::Level(kept.last))?;
        let types = self.types(builder)?;
        let mut operands = vec![kept.last];
        operands.extend(reached.values());
        for (stack, ty) in kept.stacks.iter().zip(&types) {
            operands.push(read(builder, *stack, kept.last, ty)?);
        }
        operands.extend(&kept.stacks);
        let all = builder.types(&operands)?;
        let condition = region_of(builder, &all, |builder, values| {
            let level = values.first().ok_or(Error::Lost("a level"))?;
            Ok(vec![builder.compare(CompareOp::Less, *level, found)?])
        })?;
        let body = region_of(builder, &all, |builder, values| {
            self.keep_one(builder, iteration, values, around)
        })?;
        let results = builder.emit_with_regions(Op::While, &operands, vec![condition, body])?;
        let Parts { state, stacks, .. } = self.parts(&results)?;
        let parameters = self.handed.iter().map(|handed| handed.parameter);
        let values = parameters.zip(state.iter().copied()).collect();
        // The last is the iteration itself, which is done.
        let (before, zero) = (builder.plus(found, -1.0)?, integer(builder, 0)?);
        let kept = Kept {
            last: builder.binary(BinaryOp::Maximum, before, zero)?,
            stacks: stacks.to_vec(),
        };
        Ok((values, kept))
    }

    /// Runs up to the next iteration that is kept, and keeps what it starts with.
    fn keep_one(
        &self,
        builder: &mut Builder,
        iteration: ValueId,
        values: &[ValueId],
        around: Around<'_>,
    ) -> Result<Vec<ValueId>> {
        let Parts {
            level,
            search,
            state,
            stacks,
        } = self.parts(values)?;
        let level = builder.plus(level, 1.0)?;
        let search = Search::of_values(search)?;
        let next = search.go(builder, iteration, Until::Level(level))?;
        let state = self.run(builder, [search.start, next.start], state, around)?;
        let mut results = vec![level];
        results.extend(next.values());
        results.extend(&state);
        for (stack, value) in stacks.iter().zip(state) {
            results.push(write(builder, *stack, level, value)?);
        }
        Ok(results)
    }

    /// Runs the iterations from one up to another.
    fn run(
        &self,
        builder: &mut Builder,
        [start, end]: [ValueId; 2],
        state: &[ValueId],
        around: Around<'_>,
    ) -> Result<Vec<ValueId>> {
        let operands = [&[start], state].concat();
        let types = builder.types(&operands)?;
        let condition = region_of(builder, &types, |builder, values| {
            let at = values.first().ok_or(Error::Lost("an iteration"))?;
            Ok(vec![builder.compare(CompareOp::Less, *at, end)?])
        })?;
        let body = region_of(builder, &types, |builder, values| {
            let (at, state) = values.split_first().ok_or(Error::Lost("an iteration"))?;
            let parameters = self.handed.iter().map(|handed| handed.parameter);
            let mut inside: Values = parameters.zip(state.iter().copied()).collect();
            let place = builder.convert(*at, DType::I32)?;
            around(builder, place, &mut inside)?;
            self.steps.emit(builder, &mut inside)?;
            let mut results = vec![builder.plus(*at, 1.0)?];
            let next = self.handed.iter().map(|handed| handed.result);
            results.extend(next.map(|id| inside.get(&id).copied().unwrap_or(id)));
            Ok(results)
        })?;
        let found = builder.emit_with_regions(Op::While, &operands, vec![condition, body])?;
        Ok(found.into_iter().skip(1).collect())
    }

    fn types(&self, builder: &Builder) -> Result<Vec<TensorType>> {
        let first: Vec<_> = self.handed.iter().map(|handed| handed.first).collect();
        builder.types(&first)
    }

    fn parts<'v>(&self, values: &'v [ValueId]) -> Result<Parts<'v>> {
        let lost = || Error::Lost("what is kept");
        let (level, rest) = values.split_first().ok_or_else(lost)?;
        let (search, rest) = rest.split_at_checked(Search::LEN).ok_or_else(lost)?;
        let (state, stacks) = rest.split_at_checked(self.handed.len()).ok_or_else(lost)?;
        Ok(Parts {
            level: *level,
            search,
            state,
            stacks,
        })
    }
}
