//! How loops are transposed.

use super::{
    again::{Again, Kept},
    behind::Behind,
    rows::{read, row, write},
    schedule::Search,
    side::Side,
    written::Written,
};
use crate::{
    builder::Builder,
    copy::Values,
    error::{Error, Result},
    linear::Contribution,
    tape::{Cotangents, NodeId},
};
use iree_abi::{DType, Extent, TensorType};
use iree_dsl_ir::{
    Region, SpanId, ValueId,
    op::{BinaryOp, CompareOp, Op},
};

/// Linear maps that run again and again.
#[derive(Clone, Debug)]
pub(crate) struct Iterations {
    pub(super) body: Side,
    /// What the body reads of around it.
    pub(super) captured: Vec<NodeId>,
    /// What the body read of around it, and what is left to do behind the transposed loop.
    pub(super) behind: Vec<Behind>,
    /// What iterations hand on.
    pub(super) carried: Vec<Carried>,
    /// What each of them writes in a place of its own.
    pub(super) written: Vec<Written>,
    pub(super) stacks: Vec<Stack>,
    /// How what an iteration starts with is had, if that is not stacked for all of them.
    pub(super) again: Option<Again>,
    /// The counter in the body, and its first value.
    pub(super) index: ValueId,
    pub(super) start: ValueId,
    /// How many iterations there are, as an `i32`.
    pub(super) count: ValueId,
    /// The most that there can be, if there may be fewer.
    pub(super) most: Option<Extent>,
    pub(super) span: SpanId,
}

/// A value that iterations hand on.
#[derive(Clone, Debug)]
pub(crate) struct Carried {
    /// Which of the values with tangents that the loop has.
    pub(super) output: usize,
    /// In the body.
    pub(super) parameter: NodeId,
    /// What the first iteration is given; `None` for zeros.
    pub(super) first: Option<NodeId>,
}

/// A value of the body, and that of all iterations along a new first axis.
#[derive(Clone, Debug)]
pub(crate) struct Stack {
    pub(super) inner: ValueId,
    pub(super) stack: ValueId,
}

/// How what iterations start with is found, with where the search for one of them begins.
type Before<'a> = Option<(&'a Again, Search)>;

/// The values that the transposed loop hands on, in this order.
struct Handed {
    /// How many iterations are done.
    done: ValueId,
    /// The cotangents of what is carried.
    carried: Vec<ValueId>,
    /// The sums of the cotangents of what is read in the body.
    sums: Vec<ValueId>,
    /// The cotangents of contractions, of all iterations.
    stacked: Vec<ValueId>,
    /// What iterations start with, of those that are kept.
    kept: Vec<ValueId>,
}

impl Iterations {
    pub(crate) fn kept_mut(&mut self) -> Vec<&mut ValueId> {
        let mut kept = self.body.kept_mut();
        kept.extend(self.stacks.iter_mut().map(|stack| &mut stack.stack));
        kept.extend([&mut self.start, &mut self.count]);
        if let Some(again) = &mut self.again {
            kept.extend(again.kept_mut());
        }
        kept
    }

    pub(crate) fn reads(&self) -> impl Iterator<Item = NodeId> {
        let first = self.carried.iter().filter_map(|carried| carried.first);
        let behind = self.behind.iter().map(|behind| behind.captured);
        self.captured.iter().copied().chain(first).chain(behind)
    }

    /// A loop over the iterations from the last to the first, which hands on cotangents and adds up those of what is
    /// captured.
    pub(crate) fn transpose(
        &self,
        builder: &mut Builder,
        output: &dyn Fn(usize) -> NodeId,
        found: &mut Cotangents,
    ) -> Result<()> {
        let outputs = self.carried.len() + self.written.len();
        let Some(seeds) = found.of_outputs(outputs, output) else {
            return Ok(());
        };
        let seed = |output: usize| seeds.get(output).copied().flatten();
        builder.span = self.span;
        let mut types = self.types(builder)?;
        let mut operands = Vec::with_capacity(types.len());
        let carried = self.carried.iter().map(|carried| seed(carried.output));
        let first = std::iter::once(None).chain(carried);
        for (ty, seed) in types.iter().zip(first.chain(std::iter::repeat(None))) {
            operands.push(builder.or_zeros(seed, ty)?);
        }
        let written = self.written.iter();
        let written = written.filter_map(|written| Some((written.row, seed(written.output)?)));
        let written: Vec<_> = written.collect();
        let before = match &self.again {
            Some(again) => Some((again, again.search(builder, self.count)?)),
            None => None,
        };
        if let Some((again, _)) = &before {
            let kept = again.first(builder)?.values();
            types.extend(builder.types(&kept)?);
            operands.extend(kept);
        }
        let body = self.body(builder, &types, &before, &written)?;
        let condition = self.condition(builder, &types)?;
        let results = builder.emit_with_regions(Op::While, &operands, vec![condition, body])?;
        let handed = self.handed(&results)?;
        for (carried, cotangent) in self.carried.iter().zip(handed.carried) {
            if let Some(node) = carried.first {
                found.add(node, Contribution::Dense(cotangent));
            }
        }
        for (node, sum) in self.captured.iter().zip(handed.sums) {
            found.add(*node, Contribution::Dense(sum));
        }
        for (behind, stacked) in self.behind.iter().zip(handed.stacked) {
            let operands = [stacked, self.stack(behind.kept())?];
            behind.transpose(builder, operands, found)?;
        }
        Ok(())
    }

    /// The types of what the transposed loop hands on.
    fn types(&self, builder: &Builder) -> Result<Vec<TensorType>> {
        let tape = &self.body.tape;
        let mut types = vec![TensorType::new(DType::I32, [])];
        let carried = self.carried.iter().map(|carried| carried.parameter);
        for node in carried.chain(self.body.inputs.iter().copied()) {
            types.push(tape.ty(node)?);
        }
        for behind in &self.behind {
            let shape = builder.shape(self.stack(behind.kept())?)?;
            let count = shape.dims().first().cloned();
            types.push(behind.ty(tape, count.ok_or(Error::Lost("an axis"))?)?);
        }
        Ok(types)
    }

    /// A value of the body, of all iterations.
    fn stack(&self, inner: ValueId) -> Result<ValueId> {
        let stack = self.stacks.iter().find(|stack| stack.inner == inner);
        let stack = stack.map(|stack| stack.stack);
        stack.ok_or(Error::Lost("what was stacked"))
    }

    fn handed(&self, parameters: &[ValueId]) -> Result<Handed> {
        let (done, rest) = parameters.split_first().ok_or(Error::Lost("a count"))?;
        let (carried, sums) = rest
            .split_at_checked(self.carried.len())
            .ok_or(Error::Lost("a cotangent"))?;
        let (sums, rest) = sums
            .split_at_checked(self.captured.len())
            .ok_or(Error::Lost("a sum"))?;
        let (stacked, kept) = rest
            .split_at_checked(self.behind.len())
            .ok_or(Error::Lost("what is stacked"))?;
        Ok(Handed {
            done: *done,
            carried: carried.to_vec(),
            sums: sums.to_vec(),
            stacked: stacked.to_vec(),
            kept: kept.to_vec(),
        })
    }

    fn condition(&self, builder: &mut Builder, types: &[TensorType]) -> Result<Region> {
        let parameters = parameters(builder, types);
        let handed = self.handed(&parameters)?;
        builder.open(Vec::new());
        let mut more = builder.compare(CompareOp::Less, handed.done, self.count)?;
        // How many there are is not known from sizes, but a loop that is transposed again needs to know the most.
        if let Some(most) = &self.most {
            let most = builder.place(most)?;
            let within = builder.compare(CompareOp::Less, handed.done, most)?;
            more = builder.binary(BinaryOp::And, more, within)?;
        }
        Ok(Region {
            parameters,
            operations: builder.close(),
            results: vec![more],
        })
    }

    fn body(
        &self,
        builder: &mut Builder,
        types: &[TensorType],
        before: &Before<'_>,
        written: &[(NodeId, ValueId)],
    ) -> Result<Region> {
        let parameters = parameters(builder, types);
        let handed = self.handed(&parameters)?;
        builder.open(Vec::new());
        let left = builder.subtract(self.count, handed.done)?;
        let place = builder.plus(left, -1.0)?;
        let (values, kept) = self.look_up(builder, place, before, &handed.kept)?;
        let results = self.body.results.iter().zip(&handed.carried);
        let results = results.filter_map(|(node, value)| Some(((*node)?, *value)));
        let sums = self.body.inputs.iter().copied().zip(handed.sums.clone());
        let seeds = results.chain(sums);
        let seeds = seeds.map(|(node, value)| (node, Contribution::Dense(value)));
        let mut seeds: Vec<_> = seeds.collect();
        for (node, cotangents) in written {
            let sizes = self.body.tape.ty(*node)?.shape;
            let row = row(builder, *cotangents, place, sizes)?;
            seeds.push((*node, Contribution::Dense(row)));
        }
        let carried = self.carried.iter().map(|carried| carried.parameter);
        let inputs: Vec<_> = carried.chain(self.body.inputs.iter().copied()).collect();
        let behind = self.behind.iter().map(|behind| behind.node);
        let nodes = [inputs.clone(), behind.collect()].concat();
        let mut cotangents = self.body.transpose(builder, values, seeds, &nodes)?;
        let behind = cotangents.split_off(inputs.len());
        builder.span = self.span;
        let mut results = vec![builder.plus(handed.done, 1.0)?];
        for (cotangent, ty) in cotangents.into_iter().zip(types.iter().skip(1)) {
            results.push(match cotangent {
                Some(cotangent) => cotangent,
                None => builder.zeros(ty)?,
            });
        }
        for (cotangent, stack) in behind.into_iter().zip(handed.stacked) {
            results.push(match cotangent {
                Some(cotangent) => write(builder, stack, place, cotangent)?,
                None => stack,
            });
        }
        results.extend(kept);
        Ok(Region {
            parameters,
            operations: builder.close(),
            results,
        })
    }

    /// What the body kept in an iteration, and what is kept for those before it.
    fn look_up(
        &self,
        builder: &mut Builder,
        place: ValueId,
        before: &Before<'_>,
        kept: &[ValueId],
    ) -> Result<(Values, Vec<ValueId>)> {
        let (mut values, mut next) = (Values::new(), Vec::new());
        if let Some((again, search)) = before {
            let kept = Kept::of_values(kept)?;
            let around = |builder: &mut Builder, place, values: &mut Values| {
                self.around(builder, place, values)
            };
            let (start, left) = again.start(builder, search, &kept, place, &around)?;
            (values, next) = (start, left.values());
        }
        self.around(builder, place, &mut values)?;
        Ok((values, next))
    }

    /// The index of an iteration, and what it saved.
    fn around(&self, builder: &mut Builder, place: ValueId, values: &mut Values) -> Result<()> {
        let dtype = builder.ty(self.start)?.dtype;
        let moved = builder.convert(place, dtype)?;
        values.insert(self.index, builder.add(self.start, moved)?);
        for Stack { inner, stack } in &self.stacks {
            let ty = builder.ty(*inner)?;
            values.insert(*inner, read(builder, *stack, place, &ty)?);
        }
        Ok(())
    }
}

fn parameters(builder: &mut Builder, types: &[TensorType]) -> Vec<ValueId> {
    let types = types.iter().cloned();
    types.map(|ty| builder.value(ty)).collect()
}
