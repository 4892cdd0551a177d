use super::{recipe::Needed, side::Side};
use crate::{
    builder::Builder,
    copy::Values,
    effect,
    error::{Error, Result},
    linear::Contribution,
    tape::{Cotangents, NodeId, Tape},
    walk::{Mode, Walk},
};
use iree_dsl_ir::{Operation, OperationId, Region, SpanId, ValueId, op::Op};
use std::collections::BTreeSet;

/// Linear maps of which one of two blocks runs.
#[derive(Clone, Debug)]
pub(crate) struct Branches {
    condition: ValueId,
    sides: Vec<Side>,
    /// What the blocks read of around them.
    captured: Vec<NodeId>,
    span: SpanId,
}

impl Branches {
    pub(crate) fn kept_mut(&mut self) -> Vec<&mut ValueId> {
        let mut kept = vec![&mut self.condition];
        kept.extend(self.sides.iter_mut().flat_map(Side::kept_mut));
        kept
    }

    pub(crate) fn reads(&self) -> impl Iterator<Item = NodeId> {
        self.captured.iter().copied()
    }

    /// A branch on the same condition, each side of which hands cotangents back.
    pub(crate) fn transpose(
        &self,
        builder: &mut Builder,
        output: &dyn Fn(usize) -> NodeId,
        found: &mut Cotangents,
    ) -> Result<()> {
        let mut blocks = Vec::with_capacity(self.sides.len());
        for side in &self.sides {
            let seeds = side.seeds(output, found);
            builder.open(Vec::new());
            let cotangents = side.transpose(builder, Values::new(), seeds, &side.inputs)?;
            blocks.push((builder.close(), cotangents));
        }
        let is_found = |position: &usize| {
            let mut found = blocks.iter().map(|(_, found)| found.get(*position));
            found.any(|cotangent| cotangent.is_some_and(Option::is_some))
        };
        let positions: Vec<_> = (0..self.captured.len()).filter(is_found).collect();
        if positions.is_empty() {
            return Ok(());
        }
        builder.span = self.span;
        let mut regions = Vec::with_capacity(blocks.len());
        for ((block, cotangents), side) in blocks.into_iter().zip(&self.sides) {
            let nodes = positions.iter().map(|position| {
                let cotangent = cotangents.get(*position).copied().flatten();
                let node = side.inputs.get(*position).copied();
                node.map(|node| (cotangent, node))
            });
            let nodes: Option<Vec<_>> = nodes.collect();
            let nodes = nodes.ok_or(Error::Lost("an input of a branch"))?;
            regions.push(with_zeros(builder, block, &side.tape, nodes)?);
        }
        let results = builder.emit_with_regions(Op::If, &[self.condition], regions)?;
        for (position, result) in positions.iter().zip(results) {
            let node = self.captured.get(*position).copied();
            let node = node.ok_or(Error::Lost("an input of a branch"))?;
            found.add(node, Contribution::Dense(result));
        }
        Ok(())
    }
}

/// A block that hands on some values, zeros where there are none.
fn with_zeros(
    builder: &mut Builder,
    block: Vec<OperationId>,
    tape: &Tape,
    values: Vec<(Option<ValueId>, NodeId)>,
) -> Result<Region> {
    builder.open(block);
    let mut results = Vec::with_capacity(values.len());
    for (value, node) in values {
        results.push(builder.or_zeros(value, &tape.ty(node)?)?);
    }
    Ok(Region {
        parameters: Vec::new(),
        operations: builder.close(),
        results,
    })
}

impl Walk<'_> {
    /// A branch that reads what changes.
    pub(crate) fn branch(&mut self, id: OperationId, operation: Operation) -> Result<()> {
        match self.mode {
            Mode::Forward => self.branch_forward(id, operation),
            Mode::Reverse => self.branch_reverse(id, operation),
        }
    }

    /// Both sides have tangents as further results.
    fn branch_forward(&mut self, id: OperationId, mut operation: Operation) -> Result<()> {
        let mut sides = Vec::with_capacity(operation.regions.len());
        for region in &operation.regions {
            self.context.builder.open(Vec::new());
            self.block(&region.operations)?;
            let tangents = self.tangents_of(&region.results)?;
            sides.push((self.context.builder.close(), tangents));
        }
        let has_tangent = |position: &usize| {
            let mut sides = sides.iter().map(|(_, tangents)| tangents.get(*position));
            sides.any(|tangent| tangent.is_some_and(Option::is_some))
        };
        let count = operation.results.len();
        let positions: Vec<_> = (0..count).filter(has_tangent).collect();
        let types = self.context.builder.types(&operation.results)?;
        for (region, (block, tangents)) in operation.regions.iter_mut().zip(sides) {
            region.results = self.named(&region.results);
            self.context.builder.open(block);
            for position in &positions {
                let tangent = tangents.get(*position).copied().flatten();
                region.results.push(match (tangent, types.get(*position)) {
                    (Some(tangent), _) => tangent,
                    (None, Some(ty)) => self.context.builder.zeros(ty)?,
                    (None, None) => return Err(Error::Lost("a result")),
                });
            }
            region.operations = self.context.builder.close();
        }
        operation.operands = self.named(&operation.operands);
        for position in positions {
            let result = operation.results.get(position).copied();
            let result = result.ok_or(Error::Lost("a result"))?;
            let tangent = self.given_tangent(result)?;
            operation.results.push(tangent);
        }
        self.replace(id, operation)
    }

    /// Both sides have what their tapes keep as further results.
    fn branch_reverse(&mut self, id: OperationId, mut operation: Operation) -> Result<()> {
        let captured = self.captured(&operation.regions);
        let mut sides = Vec::with_capacity(operation.regions.len());
        let mut saved = Vec::with_capacity(operation.regions.len());
        for region in &mut operation.regions {
            let side = self.enter_tape(&captured, |walk, inputs| {
                walk.context.builder.open(Vec::new());
                walk.block(&region.operations)?;
                let results = region.results.iter();
                let results = results.map(|id| walk.tangents.get(id).copied()).collect();
                Ok((inputs, results))
            })?;
            let (tape, (inputs, results)) = side;
            region.operations = self.context.builder.close();
            region.results = self.named(&region.results);
            let builder = &self.context.builder;
            let needed = Needed::of(builder, &[], &region.operations, &[], tape.kept())?;
            saved.push(needed.saved);
            sides.push(Side {
                tape,
                recipe: needed.recipe,
                inputs,
                results,
            });
        }
        let results = operation.results.clone();
        self.hand_out(&mut operation, &saved, &mut sides)?;
        operation.operands = self.named(&operation.operands);
        let condition = operation.operands.first().copied();
        let span = operation.span;
        self.replace(id, operation)?;
        let active = active_results(&sides, results.len());
        for side in &mut sides {
            side.results = pick(&side.results, &active);
        }
        let branches = Branches {
            condition: condition.ok_or(Error::Lost("a condition"))?,
            sides,
            captured: captured.iter().map(|(_, node)| *node).collect(),
            span,
        };
        let results = pick(&results, &active);
        let types = self.context.builder.types(&results)?;
        let outputs = self.context.tape.branches(branches, types);
        self.tangents.extend(results.into_iter().zip(outputs));
        Ok(())
    }

    /// Makes what each side saves results of the branch: zeros on the other side.
    fn hand_out(
        &mut self,
        operation: &mut Operation,
        saved: &[Vec<ValueId>],
        sides: &mut [Side],
    ) -> Result<()> {
        let builder = &mut self.context.builder;
        for (own, values) in saved.iter().enumerate() {
            let types = builder.types(values)?;
            for (at, region) in operation.regions.iter_mut().enumerate() {
                if at == own {
                    region.results.extend(values);
                    continue;
                }
                builder.open(std::mem::take(&mut region.operations));
                for ty in &types {
                    region.results.push(builder.zeros(ty)?);
                }
                region.operations = builder.close();
            }
            let mut names = Values::new();
            for (value, ty) in values.iter().zip(types) {
                let result = builder.value(ty);
                operation.results.push(result);
                names.insert(*value, result);
            }
            if let Some(side) = sides.get_mut(own) {
                side.tape = side.tape.renamed(&names);
            }
        }
        Ok(())
    }
}

/// The positions of the results that have a tangent on one side.
fn active_results(sides: &[Side], count: usize) -> Vec<usize> {
    let has_tangent = |position: &usize| {
        let mut nodes = sides.iter().map(|side| side.results.get(*position));
        nodes.any(|node| node.is_some_and(Option::is_some))
    };
    (0..count).filter(has_tangent).collect()
}

/// The items at some positions.
fn pick<T: Copy>(items: &[T], positions: &[usize]) -> Vec<T> {
    let positions = positions.iter();
    positions
        .filter_map(|position| items.get(*position).copied())
        .collect()
}

impl Walk<'_> {
    /// The values around regions that these read and that have tangents.
    pub(super) fn captured(&self, regions: &[Region]) -> Vec<(ValueId, NodeId)> {
        let function = &self.context.builder.function;
        let reads = regions
            .iter()
            .flat_map(|region| effect::reads_of(function, region));
        let reads: BTreeSet<_> = reads.collect();
        let nodes = reads
            .into_iter()
            .map(|id| Some((id, *self.tangents.get(&id)?)));
        nodes.flatten().collect()
    }
}
