use super::recipe::Recipe;
use crate::{
    builder::Builder,
    copy::Values,
    error::Result,
    linear::Contribution,
    tape::{Cotangents, NodeId, Tape},
};
use iree_dsl_ir::ValueId;

/// The linear maps of a region.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    pub(crate) tape: Tape,
    /// How what the maps keep is had where they are transposed.
    pub(crate) recipe: Recipe,
    /// What stands in the region for values around it.
    pub(crate) inputs: Vec<NodeId>,
    /// What the region hands on; `None` for zeros.
    pub(crate) results: Vec<Option<NodeId>>,
}

impl Side {
    /// The cotangents of what the region hands on, of those that have one.
    pub(crate) fn seeds(
        &self,
        output: &dyn Fn(usize) -> NodeId,
        found: &Cotangents,
    ) -> Vec<(NodeId, Contribution)> {
        let results = self.results.iter().enumerate();
        let seeds = results.filter_map(|(position, node)| {
            let cotangent = found.get(output(position))?;
            Some(((*node)?, Contribution::Dense(cotangent)))
        });
        seeds.collect()
    }

    /// Transposes the maps in the block that is open. `values` has what was saved of the region.
    pub(crate) fn transpose(
        &self,
        builder: &mut Builder,
        mut values: Values,
        seeds: Vec<(NodeId, Contribution)>,
        inputs: &[NodeId],
    ) -> Result<Vec<Option<ValueId>>> {
        self.recipe.emit(builder, &mut values)?;
        self.tape.renamed(&values).transpose(builder, seeds, inputs)
    }

    /// The values around the region that are needed.
    pub(crate) fn kept_mut(&mut self) -> Vec<&mut ValueId> {
        let mut kept = self.tape.kept_mut();
        kept.extend(self.recipe.kept_mut());
        kept
    }
}
