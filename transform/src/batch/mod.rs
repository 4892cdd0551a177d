//! Functions of one element, applied to a batch of them at once.
//!
//! A piece of a block was traced with the types of one element. It is taken out of the block and put back with the batch in
//! its operations: values that differ from element to element have it as their first axis, and all others stay as they are
//! and are computed once. There is a file for each family of operations.
//!
//! What only some elements get to, one side of a branch or an iteration of a loop, runs if one of them does, and its results
//! are selected. The other elements are fed with the values of one that gets there, where anybody could tell: an assertion
//! holds for them, a loop ends, and nothing is infinite whose derivative is asked for.

mod branch;
mod call;
mod contract;
mod convolution;
mod each;
mod elementwise;
mod feed;
mod index;
mod lane;
mod linalg;
mod observe;
mod order;
mod pad;
mod reduce;
mod repeat;
mod rule;
mod shape;
mod slice;
mod walk;
mod window;

use crate::{
    builder::Builder,
    error::Result,
    mark::Checkpoints,
    piece::{self, Names, Variable},
    ruled::Rule,
};
use iree_abi::Dim;
use iree_dsl_ir::{Function, FunctionId, Module, OperationId, ValueId};
use lane::Lane;
use std::collections::BTreeMap;

/// The operations at the end of a block that is not finished, which are to be applied to a batch.
#[derive(Debug)]
pub struct Batching<'m> {
    /// The module. Functions with derivatives of their own get copies for the batch.
    pub module: &'m mut Module,
    /// Functions of the module with derivatives of their own.
    pub rules: &'m mut BTreeMap<FunctionId, Rule>,
    /// As in a [`Piece`](crate::Piece).
    pub checkpoints: &'m mut Checkpoints,
    /// The function that the block is in.
    pub function: Function,
    /// The block.
    pub operations: Vec<OperationId>,
    /// Where the piece starts in it.
    pub first: usize,
    /// Whether what it computes is differentiated afterwards.
    pub deriving: bool,
}

impl Batching<'_> {
    /// Applies the piece to a batch of this size. Returns its results, with the batch as their first axis, and what stands for
    /// other values that are the same for all elements. The value of each variable has one element for each name along its
    /// first axis.
    ///
    /// # Errors
    ///
    /// If a global is stored.
    pub fn map(
        &mut self,
        size: &Dim,
        variables: &[Variable],
        results: &[ValueId],
    ) -> Result<(Vec<ValueId>, Names)> {
        let first = self.first.min(self.operations.len());
        let piece = self.operations.split_off(first);
        let function = std::mem::replace(&mut self.function, piece::nothing());
        let mut batch = Batch {
            module: self.module,
            rules: self.rules,
            checkpoints: self.checkpoints,
            deriving: self.deriving,
            size: size.clone(),
            builder: Builder::new(function, std::mem::take(&mut self.operations)),
            lanes: BTreeMap::new(),
            mask: None,
            copies: BTreeMap::new(),
        };
        let done = batch.run(&piece, variables, results);
        let shared = batch.lanes.iter().filter(|(_, lane)| !lane.is_mapped);
        let names = shared.map(|(id, lane)| (*id, lane.value)).collect();
        (self.function, self.operations) = batch.builder.finish();
        Ok((done?, Names(names)))
    }
}

/// A piece on its way into a block.
struct Batch<'b> {
    module: &'b mut Module,
    rules: &'b mut BTreeMap<FunctionId, Rule>,
    checkpoints: &'b mut Checkpoints,
    deriving: bool,
    /// How many elements there are.
    size: Dim,
    builder: Builder,
    /// What became of values. Others are the same for all elements, and as they were.
    lanes: BTreeMap<ValueId, Lane>,
    /// Which elements get here, if some do not.
    mask: Option<ValueId>,
    /// Copies of functions for arguments of which some differ from element to element.
    copies: BTreeMap<(FunctionId, Vec<bool>), Option<FunctionId>>,
}

impl Batch<'_> {
    fn run(
        &mut self,
        piece: &[OperationId],
        variables: &[Variable],
        results: &[ValueId],
    ) -> Result<Vec<ValueId>> {
        if self.size.known() == Some(0) {
            return self.of_nothing(results);
        }
        for Variable { name, value } in variables {
            self.lanes.insert(*name, Lane::each(*value));
        }
        self.block(piece)?;
        let results = results.iter();
        results.map(|id| self.spread(self.lane(*id))).collect()
    }

    /// Without elements, nothing runs.
    fn of_nothing(&mut self, results: &[ValueId]) -> Result<Vec<ValueId>> {
        let mut empty = Vec::with_capacity(results.len());
        for result in results {
            let ty = self.builder.ty(*result)?;
            let ty = self.batched(&ty);
            empty.push(self.builder.zeros(&ty)?);
        }
        Ok(empty)
    }
}
