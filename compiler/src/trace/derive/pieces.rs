//! What is lent to `iree_dsl_transform`, and comes back.

use super::super::{
    builder::{FunctionBuilder, Mark},
    tracer::Tracer,
    tree::Tree,
    value::{Tensor, Value, ValueLeaf},
};
use iree_dsl_ir::{Function, GlobalId, ValueId, op::InferError};
use iree_dsl_transform::{Batching, Names, Piece, remove_dead};

impl Tracer<'_> {
    /// Lends the block that is open, of which a piece starts at a point.
    pub(super) fn with_piece<R>(
        &mut self,
        mark: &Mark,
        run: impl FnOnce(&mut Piece<'_>) -> R,
    ) -> R {
        let checkpoints = std::mem::take(&mut self.builder.checkpoints);
        let mut piece = self.builder.lend(&self.ir, &self.rules, &checkpoints, mark);
        let result = run(&mut piece);
        self.builder.take_back(piece);
        self.builder.checkpoints = checkpoints;
        result
    }

    /// Lends the block that is open, of which what was added since a point is applied to a batch.
    pub(super) fn with_batching<R>(
        &mut self,
        mark: &Mark,
        run: impl FnOnce(&mut Batching<'_>) -> R,
    ) -> R {
        let mut checkpoints = std::mem::take(&mut self.builder.checkpoints);
        let (function, operations, first) = self.builder.lend_block(mark);
        let mut batching = Batching {
            module: &mut self.ir,
            rules: &mut self.rules,
            checkpoints: &mut checkpoints,
            function,
            operations,
            first,
            deriving: self.deriving > 0,
        };
        let result = run(&mut batching);
        let Batching {
            function,
            operations,
            ..
        } = batching;
        self.builder.take_block_back(function, operations);
        self.builder.checkpoints = checkpoints;
        result
    }

    /// The finished function, with the globals that it changed, and without what derivatives have left over.
    pub(crate) fn finished(
        &self,
        builder: FunctionBuilder,
        results: &[Tensor],
    ) -> Result<(Function, Vec<GlobalId>), InferError> {
        let derived = builder.derived;
        let (function, stored) = builder.finish(results)?;
        let needed = derived.then(|| remove_dead(&self.ir, &function).ok());
        // What is wrong with it is found where it is verified.
        Ok((needed.flatten().unwrap_or(function), stored))
    }

    /// Values of the function in the structure of a tree, one for each of its tensors.
    pub(super) fn tree_of(&self, tree: &Value, values: &[ValueId]) -> Value {
        let mut values = values.iter();
        tree.map(&mut |_| {
            let tensor = values.next().and_then(|id| self.builder.tensor(*id));
            tensor.map_or(ValueLeaf::Poison, ValueLeaf::Tensor)
        })
    }
}

/// A value with what stands for its tensors now.
pub(super) fn renamed(value: &Value, names: &Names) -> Value {
    value.map(&mut |leaf| match leaf {
        ValueLeaf::Tensor(tensor) => ValueLeaf::Tensor(Tensor {
            id: names.of(tensor.id),
            ..tensor.clone()
        }),
        other => other.clone(),
    })
}

/// The tensors of a tree.
pub(super) fn ids(tree: &Value) -> Vec<ValueId> {
    tree.tensors().iter().map(|tensor| tensor.id).collect()
}

/// One value, or a tuple of several.
pub(super) fn one_or_several(mut values: Vec<Value>) -> Value {
    match (values.len(), values.pop()) {
        (1, Some(one)) => one,
        (_, last) => Tree::Tuple(values.into_iter().chain(last).collect()),
    }
}
