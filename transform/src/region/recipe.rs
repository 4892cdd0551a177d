use crate::{
    builder::Builder,
    copy::Values,
    effect::{self, may_run_again},
    error::Result,
};
use iree_dsl_ir::{
    Operation, OperationId, ValueId,
    op::{Cost, Effect, UnaryOp},
};
use std::collections::BTreeSet;

/// Operations of a block that are run again where what they compute is needed behind it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recipe {
    operations: Vec<OperationId>,
    /// What they read of around the block, and what stands for that now.
    reads: Values,
}

/// Values of a block that are needed behind it.
pub(crate) struct Needed {
    /// How some of them are computed again.
    pub(crate) recipe: Recipe,
    /// The others.
    pub(crate) saved: Vec<ValueId>,
}

impl Needed {
    /// Of some values those that a block defines, which has these parameters. What is `given` is there behind it too.
    pub(crate) fn of(
        builder: &Builder,
        parameters: &[ValueId],
        block: &[OperationId],
        given: &[ValueId],
        values: Vec<ValueId>,
    ) -> Result<Self> {
        let mut steps = Vec::with_capacity(block.len());
        for id in block {
            steps.push((*id, builder.operation(*id)?));
        }
        let mut inside: BTreeSet<_> = parameters.iter().copied().collect();
        inside.extend(steps.iter().flat_map(|(_, step)| &step.results));
        let mut cheap: BTreeSet<_> = given.iter().copied().collect();
        for (_, step) in &steps {
            let mut operands = step.operands.iter();
            if is_cheap(step) && operands.all(|id| cheap.contains(id) || !inside.contains(id)) {
                cheap.extend(&step.results);
            }
        }
        let values: BTreeSet<_> = values
            .into_iter()
            .filter(|id| inside.contains(id))
            .collect();
        let (again, saved): (BTreeSet<_>, BTreeSet<_>) =
            values.into_iter().partition(|id| cheap.contains(id));
        let (recipe, _) = Recipe::of(builder, &steps, &inside, again);
        let saved = saved.into_iter().collect();
        Ok(Self { recipe, saved })
    }

    /// The same if all that can run again does, however long it takes. Parameters are among what is saved.
    pub(crate) fn of_few(
        builder: &Builder,
        parameters: &[ValueId],
        block: &[OperationId],
        values: impl IntoIterator<Item = ValueId>,
    ) -> Result<Self> {
        let mut inside: BTreeSet<_> = parameters.iter().copied().collect();
        let mut left = inside.clone();
        let mut steps = Vec::with_capacity(block.len());
        for id in block {
            let step = builder.operation(*id)?;
            inside.extend(effect::defines(&builder.function, &step));
            match may_run_again(&builder.function, &step) {
                true => steps.push((*id, step)),
                false => left.extend(&step.results),
            }
        }
        let values = values.into_iter().filter(|id| inside.contains(id));
        let (recipe, needed) = Recipe::of(builder, &steps, &inside, values.collect());
        let saved = needed.intersection(&left).copied().collect();
        Ok(Self { recipe, saved })
    }
}

impl Recipe {
    /// The steps that compute some values, and all values that they need.
    fn of(
        builder: &Builder,
        steps: &[(OperationId, Operation)],
        inside: &BTreeSet<ValueId>,
        mut needed: BTreeSet<ValueId>,
    ) -> (Self, BTreeSet<ValueId>) {
        let mut recipe = Self::default();
        for (id, step) in steps.iter().rev() {
            if step.results.iter().any(|result| needed.contains(result)) {
                recipe.operations.push(*id);
                let reads = effect::reads(&builder.function, step);
                let around = reads.iter().filter(|id| !inside.contains(id));
                recipe.reads.extend(around.map(|id| (*id, *id)));
                needed.extend(reads);
            }
        }
        recipe.operations.reverse();
        (recipe, needed)
    }

    /// All operations of a block.
    pub(crate) fn whole(builder: &Builder, operations: Vec<OperationId>) -> Result<Self> {
        let (mut reads, mut inside) = (BTreeSet::new(), BTreeSet::new());
        for id in &operations {
            let step = builder.operation(*id)?;
            reads.extend(effect::reads(&builder.function, &step));
            inside.extend(effect::defines(&builder.function, &step));
        }
        let around = reads.difference(&inside).map(|id| (*id, *id));
        let reads = around.collect();
        Ok(Self { operations, reads })
    }

    /// Runs the operations again; `values` has what is given, and then what they compute.
    pub(crate) fn emit(&self, builder: &mut Builder, values: &mut Values) -> Result<()> {
        for (read, name) in &self.reads {
            values.entry(*read).or_insert(*name);
        }
        for id in &self.operations {
            let copy = builder.copy(*id, values)?;
            effect::remove(&mut builder.function, copy);
            builder.push(copy);
        }
        Ok(())
    }

    /// What it reads of around the block, behind barriers: what is computed of that is not what was computed before.
    pub(crate) fn behind_barriers(&self, builder: &mut Builder) -> Result<Values> {
        let reads = self.reads.iter();
        let reads = reads.map(|(read, name)| Ok((*read, builder.unary(UnaryOp::Barrier, *name)?)));
        reads.collect()
    }

    /// The values around the block that it reads.
    pub(crate) fn kept_mut(&mut self) -> Vec<&mut ValueId> {
        self.reads.values_mut().collect()
    }
}

/// Whether an operation may run again instead of being remembered.
fn is_cheap(step: &Operation) -> bool {
    step.op.effect() == Effect::Pure
        && match step.op.cost() {
            Cost::Free | Cost::View | Cost::Movement | Cost::Elementwise => true,
            Cost::Transcendental | Cost::Reduction | Cost::Windows => false,
            Cost::Contraction | Cost::Along | Cost::Control => false,
        }
}
