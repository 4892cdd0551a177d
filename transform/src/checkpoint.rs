//! Operations that are run again in reverse mode, instead of keeping what they compute.

use crate::{
    builder::Builder,
    copy::Values,
    effect::{self, may_run_again},
    error::Result,
    flow::Flow,
    linear::Contribution,
    region::{Recipe, Side},
    tape::{Cotangents, NodeId},
    walk::Walk,
};
use iree_dsl_ir::{Operation, OperationId, SpanId, ValueId};
use std::collections::BTreeSet;

/// The linear maps of operations that are run again before they are transposed.
#[derive(Clone, Debug)]
pub(crate) struct Checkpoint {
    side: Side,
    /// What the operations read of before them.
    captured: Vec<NodeId>,
    /// Whether the operations are in the block that they are run again in.
    is_beside: bool,
    span: SpanId,
}

impl Checkpoint {
    pub(crate) fn kept_mut(&mut self) -> Vec<&mut ValueId> {
        self.side.kept_mut()
    }

    pub(crate) fn reads(&self) -> impl Iterator<Item = NodeId> {
        self.captured.iter().copied()
    }

    /// Runs the operations again, and leads cotangents back through them.
    pub(crate) fn transpose(
        &self,
        builder: &mut Builder,
        output: &dyn Fn(usize) -> NodeId,
        found: &mut Cotangents,
    ) -> Result<()> {
        let seeds = self.side.seeds(output, found);
        if seeds.is_empty() {
            return Ok(());
        }
        builder.span = self.span;
        let inputs = &self.side.inputs;
        let values = match self.is_beside {
            true => self.side.recipe.behind_barriers(builder)?,
            false => Values::new(),
        };
        let cotangents = self.side.transpose(builder, values, seeds, inputs)?;
        for (node, cotangent) in self.captured.iter().zip(cotangents) {
            if let Some(cotangent) = cotangent {
                found.add(*node, Contribution::Dense(cotangent));
            }
        }
        Ok(())
    }
}

impl Walk<'_> {
    /// Visits operations of which nothing is kept but what they read of before them.
    pub(crate) fn checkpoint(&mut self, operations: &[OperationId]) -> Result<()> {
        let mut steps = Vec::with_capacity(operations.len());
        for id in operations {
            steps.push((*id, self.context.builder.operation(*id)?));
        }
        let outputs = self.changing(operations, &steps);
        let may_run_again = |walk: &Self, step| may_run_again(&walk.context.builder.function, step);
        let happens_once = steps.iter().any(|(_, step)| {
            let mut results = step.results.iter();
            !may_run_again(self, step) && results.any(|result| outputs.contains(result))
        });
        if happens_once {
            return steps
                .into_iter()
                .try_for_each(|(id, step)| self.visit(id, step));
        }
        let captured = self.captured_by(&steps);
        let mut values = Values::new();
        let (mut originals, mut copies) = (Vec::new(), Vec::new());
        for (id, step) in &steps {
            if may_run_again(self, step) {
                originals.push(*id);
                copies.push(self.context.builder.copy(*id, &mut values)?);
            }
        }
        let function = &mut self.context.builder.function;
        self.checkpoints.copy(function, &originals, &copies);
        for copy in &copies {
            effect::remove(function, *copy);
        }
        // The copies are those that run again: they are marked as far as groups are within this one.
        if let Some(first) = copies.first() {
            self.checkpoints.leave(*first);
        }
        let is_beside = !std::mem::take(&mut self.is_apart);
        let (tape, (inputs, results)) = self.enter_tape(&captured, |walk, inputs| {
            walk.context.builder.open(Vec::new());
            walk.block(&copies)?;
            let copied = outputs.iter().map(|id| values.get(id));
            let results = copied.map(|id| walk.tangents.get(id?).copied()).collect();
            Ok((inputs, results))
        })?;
        self.is_apart = !is_beside;
        let again = self.context.builder.close();
        let recipe = Recipe::whole(&self.context.builder, again)?;
        for (id, step) in steps {
            self.context.builder.span = step.span;
            self.keep(id, step)?;
        }
        let side = Side {
            tape,
            recipe,
            inputs,
            results,
        };
        let checkpoint = Checkpoint {
            side,
            captured: captured.iter().map(|(_, node)| *node).collect(),
            is_beside,
            span: self.context.builder.span,
        };
        let types = self.context.builder.types(&outputs)?;
        let nodes = self.context.tape.checkpoint(checkpoint, types);
        self.tangents.extend(outputs.into_iter().zip(nodes));
        Ok(())
    }

    /// The results of operations that may have tangents.
    fn changing(&self, block: &[OperationId], steps: &[(OperationId, Operation)]) -> Vec<ValueId> {
        let function = &self.context.builder.function;
        let mut flow = Flow::of_tangents(function, self.tangents.keys().copied());
        flow.block(block);
        let results = steps.iter().flat_map(|(_, step)| &step.results).copied();
        results.filter(|id| flow.reaches(*id)).collect()
    }

    /// The values before operations that they read and that have tangents.
    fn captured_by(&self, steps: &[(OperationId, Operation)]) -> Vec<(ValueId, NodeId)> {
        let function = &self.context.builder.function;
        let reads = steps
            .iter()
            .flat_map(|(_, step)| effect::reads(function, step));
        let reads: BTreeSet<_> = reads.collect();
        let nodes = reads
            .into_iter()
            .map(|id| Some((id, *self.tangents.get(&id)?)));
        nodes.flatten().collect()
    }
}
