//! How loops are transposed.

use super::side::Side;
use crate::{
    builder::{Builder, with_first},
    copy::Values,
    error::{Error, Result},
    linear::Contribution,
    tape::{Cotangents, NodeId},
};
use iree_abi::{DType, Dim, Extent, TensorType};
use iree_dsl_ir::{
    Region, SpanId, ValueId,
    op::{BinaryOp, CompareOp, DynamicSlice, Op},
};

/// Linear maps that run again and again.
#[derive(Clone, Debug)]
pub(crate) struct Iterations {
    pub(super) body: Side,
    /// What the body reads of around it.
    pub(super) captured: Vec<NodeId>,
    /// What iterations hand on.
    pub(super) carried: Vec<Carried>,
    pub(super) stacks: Vec<Stack>,
    /// How what an iteration starts with is had, if nothing is stacked because no size tells how many there are.
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

/// A loop that is run again, up to an iteration.
#[derive(Clone, Debug)]
pub(crate) struct Again {
    /// What the first iteration is given.
    pub(super) first: Vec<ValueId>,
    /// What an iteration is given, in the body, and what it hands on.
    pub(super) parameters: Vec<ValueId>,
    pub(super) results: Vec<ValueId>,
}

/// The values that the transposed loop hands on, in this order.
struct Handed {
    /// How many iterations are done.
    done: ValueId,
    /// The cotangents of what is carried.
    carried: Vec<ValueId>,
    /// The sums of the cotangents of what is captured.
    sums: Vec<ValueId>,
}

impl Iterations {
    pub(crate) fn kept_mut(&mut self) -> Vec<&mut ValueId> {
        let mut kept = self.body.kept_mut();
        kept.extend(self.stacks.iter_mut().map(|stack| &mut stack.stack));
        kept.extend([&mut self.start, &mut self.count]);
        if let Some(again) = &mut self.again {
            kept.extend(again.first.iter_mut().chain(&mut again.results));
        }
        kept
    }

    /// A loop over the iterations from the last to the first, which hands on cotangents and adds up those of what is
    /// captured.
    pub(crate) fn transpose(
        &self,
        builder: &mut Builder,
        output: &dyn Fn(usize) -> NodeId,
        found: &mut Cotangents,
    ) -> Result<()> {
        let Some(seeds) = found.of_outputs(self.carried.len(), output) else {
            return Ok(());
        };
        builder.span = self.span;
        let types = self.types()?;
        let mut operands = Vec::with_capacity(types.len());
        for (position, ty) in types.iter().enumerate() {
            let seed = position.checked_sub(1);
            let seed = seed.and_then(|position| seeds.get(position).copied().flatten());
            operands.push(builder.or_zeros(seed, ty)?);
        }
        let body = self.body(builder, &types)?;
        let condition = self.condition(builder, &types)?;
        let results = builder.emit_with_regions(Op::While, &operands, vec![condition, body])?;
        let carried = self.carried.iter().map(|carried| carried.first);
        let nodes = carried.chain(self.captured.iter().copied().map(Some));
        for (node, result) in nodes.zip(results.into_iter().skip(1)) {
            if let Some(node) = node {
                found.add(node, Contribution::Dense(result));
            }
        }
        Ok(())
    }

    /// The types of what the transposed loop hands on.
    fn types(&self) -> Result<Vec<TensorType>> {
        let carried = self.carried.iter().map(|carried| carried.parameter);
        let nodes = carried.chain(self.body.inputs.iter().copied());
        let types = nodes.map(|node| self.body.tape.ty(node));
        let done = Ok(TensorType::new(DType::I32, []));
        std::iter::once(done).chain(types).collect()
    }

    fn handed(&self, parameters: &[ValueId]) -> Result<Handed> {
        let (done, rest) = parameters.split_first().ok_or(Error::Lost("a count"))?;
        let (carried, sums) = rest
            .split_at_checked(self.carried.len())
            .ok_or(Error::Lost("a cotangent"))?;
        Ok(Handed {
            done: *done,
            carried: carried.to_vec(),
            sums: sums.to_vec(),
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

    fn body(&self, builder: &mut Builder, types: &[TensorType]) -> Result<Region> {
        let parameters = parameters(builder, types);
        let handed = self.handed(&parameters)?;
        builder.open(Vec::new());
        let values = self.look_up(builder, handed.done)?;
        let results = self.body.results.iter().zip(&handed.carried);
        let results = results.filter_map(|(node, value)| Some(((*node)?, *value)));
        let sums = self.body.inputs.iter().copied().zip(handed.sums.clone());
        let seeds = results.chain(sums);
        let seeds = seeds.map(|(node, value)| (node, Contribution::Dense(value)));
        let seeds = seeds.collect();
        let carried = self.carried.iter().map(|carried| carried.parameter);
        let inputs: Vec<_> = carried.chain(self.body.inputs.iter().copied()).collect();
        let cotangents = self.body.transpose(builder, values, seeds, &inputs)?;
        builder.span = self.span;
        let mut results = vec![builder.plus(handed.done, 1.0)?];
        for (cotangent, ty) in cotangents.into_iter().zip(types.iter().skip(1)) {
            results.push(match cotangent {
                Some(cotangent) => cotangent,
                None => builder.zeros(ty)?,
            });
        }
        Ok(Region {
            parameters,
            operations: builder.close(),
            results,
        })
    }

    /// What the body kept in the iteration before those that are done.
    fn look_up(&self, builder: &mut Builder, done: ValueId) -> Result<Values> {
        let left = builder.subtract(self.count, done)?;
        let place = builder.plus(left, -1.0)?;
        let dtype = builder.ty(self.start)?.dtype;
        let moved = builder.convert(place, dtype)?;
        let mut values = Values::new();
        if let Some(again) = &self.again {
            self.run_again(builder, again, place, &mut values)?;
        }
        values.insert(self.index, builder.add(self.start, moved)?);
        let zero = builder.splat_like(0.0, place)?;
        for Stack { inner, stack } in &self.stacks {
            let shape = builder.shape(*inner)?;
            let sizes = with_first(Dim::Static(1), &shape);
            let starts = std::iter::once(place).chain(std::iter::repeat(zero));
            let starts = starts.take(sizes.rank());
            let operands: Vec<_> = std::iter::once(*stack).chain(starts).collect();
            let row = builder.emit(Op::DynamicSlice(DynamicSlice { sizes }), &operands)?;
            values.insert(*inner, builder.reshape(row, &shape)?);
        }
        Ok(values)
    }
}

impl Iterations {
    /// Runs so many iterations of the loop again, and finds what the next one is given.
    fn run_again(
        &self,
        builder: &mut Builder,
        again: &Again,
        count: ValueId,
        values: &mut Values,
    ) -> Result<()> {
        let done = TensorType::new(DType::I32, []);
        let mut types = vec![done.clone()];
        types.extend(builder.types(&again.first)?);
        let condition = parameters(builder, &types);
        let (more, _) = condition.split_first().ok_or(Error::Lost("a count"))?;
        builder.open(Vec::new());
        let more = builder.compare(CompareOp::Less, *more, count)?;
        let condition = Region {
            operations: builder.close(),
            results: vec![more],
            parameters: condition,
        };
        let body = parameters(builder, &types);
        let (round, state) = body.split_first().ok_or(Error::Lost("a count"))?;
        builder.open(Vec::new());
        let state = state.iter().copied();
        let mut inside: Values = again.parameters.iter().copied().zip(state).collect();
        self.body.recipe.emit(builder, &mut inside)?;
        let mut results = vec![builder.plus(*round, 1.0)?];
        let next = again.results.iter();
        results.extend(next.map(|id| inside.get(id).copied().unwrap_or(*id)));
        let body = Region {
            operations: builder.close(),
            results,
            parameters: body,
        };
        let mut operands = vec![builder.zeros(&done)?];
        operands.extend(&again.first);
        let found = builder.emit_with_regions(Op::While, &operands, vec![condition, body])?;
        let found = found.into_iter().skip(1);
        values.extend(again.parameters.iter().copied().zip(found));
        Ok(())
    }
}

fn parameters(builder: &mut Builder, types: &[TensorType]) -> Vec<ValueId> {
    let types = types.iter().cloned();
    types.map(|ty| builder.value(ty)).collect()
}
