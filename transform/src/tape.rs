//! The linear maps of a block in the order in which they run.

use crate::{
    builder::Builder,
    checkpoint::Checkpoint,
    copy::Values,
    error::{Error, Result},
    linear::{Contribution, Linear},
    region::{Branches, Iterations},
    ruled::Ruled,
};
use iree_abi::TensorType;
use iree_dsl_ir::{SpanId, ValueId};
use std::collections::BTreeSet;

/// The index of a value of the tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NodeId(usize);

impl NodeId {
    pub(crate) const fn index(self) -> usize {
        self.0
    }
}

/// What a linear map is applied to.
#[derive(Clone, Debug)]
pub(crate) enum Input {
    Node(NodeId),
    /// Zeros of a type, which nobody has made.
    Zero(TensorType),
}

impl Input {
    /// The value, unless it is zeros.
    pub(crate) fn node(&self) -> Option<NodeId> {
        match self {
            Self::Node(id) => Some(*id),
            Self::Zero(_) => None,
        }
    }
}

/// A value that depends linearly on others, or what computes several of them.
#[derive(Clone, Debug)]
enum Node {
    /// It is given.
    Input(TensorType),
    /// A map has it for others.
    Apply(Apply),
    /// One of two blocks has the values behind it.
    Branches(Box<Branches>),
    /// A loop has the values behind it.
    Iterations(Box<Iterations>),
    /// A function with a derivative of its own has the values behind it.
    Ruled(Box<Ruled>),
    /// Operations that are run again have the values behind it.
    Checkpoint(Box<Checkpoint>),
    /// What the branches, the loop, the function or the operations before it have.
    Output(TensorType),
}

#[derive(Clone, Debug)]
struct Apply {
    map: Linear,
    inputs: Vec<Input>,
    ty: TensorType,
    span: SpanId,
}

/// Values that depend linearly on inputs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tape {
    nodes: Vec<Node>,
}

/// The cotangents of the values of a tape, as far as there are any.
pub(crate) struct Cotangents {
    parts: Vec<Vec<Contribution>>,
    sums: Vec<Option<ValueId>>,
}

impl Tape {
    /// A value that is given.
    pub(crate) fn input(&mut self, ty: TensorType) -> NodeId {
        self.push(Node::Input(ty))
    }

    /// A value that a map has for others.
    pub(crate) fn apply(
        &mut self,
        map: Linear,
        inputs: Vec<Input>,
        ty: TensorType,
        span: SpanId,
    ) -> NodeId {
        self.push(Node::Apply(Apply {
            map,
            inputs,
            ty,
            span,
        }))
    }

    /// The values that one of two blocks has.
    pub(crate) fn branches(&mut self, branches: Branches, types: Vec<TensorType>) -> Vec<NodeId> {
        self.push(Node::Branches(Box::new(branches)));
        self.outputs(types)
    }

    /// The values that a loop has.
    pub(crate) fn iterations(
        &mut self,
        iterations: Iterations,
        types: Vec<TensorType>,
    ) -> Vec<NodeId> {
        self.push(Node::Iterations(Box::new(iterations)));
        self.outputs(types)
    }

    /// The values that a function with a derivative of its own has.
    pub(crate) fn ruled(&mut self, ruled: Ruled, types: Vec<TensorType>) -> Vec<NodeId> {
        self.push(Node::Ruled(Box::new(ruled)));
        self.outputs(types)
    }

    /// The values that operations have which are run again.
    pub(crate) fn checkpoint(
        &mut self,
        checkpoint: Checkpoint,
        types: Vec<TensorType>,
    ) -> Vec<NodeId> {
        self.push(Node::Checkpoint(Box::new(checkpoint)));
        self.outputs(types)
    }

    fn outputs(&mut self, types: Vec<TensorType>) -> Vec<NodeId> {
        let types = types.into_iter();
        types.map(|ty| self.push(Node::Output(ty))).collect()
    }

    fn push(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len() - 1)
    }

    pub(crate) fn ty(&self, id: NodeId) -> Result<TensorType> {
        match self.nodes.get(id.0) {
            Some(Node::Input(ty) | Node::Output(ty)) => Ok(ty.clone()),
            Some(Node::Apply(apply)) => Ok(apply.ty.clone()),
            Some(Node::Branches(_) | Node::Iterations(_)) => {
                Err(Error::Lost("a value of the tape"))
            }
            Some(Node::Ruled(_) | Node::Checkpoint(_)) => Err(Error::Lost("a value of the tape")),
            None => Err(Error::Lost("a value of the tape")),
        }
    }

    /// The map that has a value, and what it is applied to, if there is one.
    pub(crate) fn map(&self, id: NodeId) -> Option<(&Linear, &[Input])> {
        match self.nodes.get(id.0)? {
            Node::Apply(apply) => Some((&apply.map, &apply.inputs)),
            Node::Input(_) | Node::Output(_) => None,
            Node::Branches(_) | Node::Iterations(_) | Node::Ruled(_) | Node::Checkpoint(_) => None,
        }
    }

    /// All values, in the order in which they are computed.
    pub(crate) fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.nodes.len()).map(NodeId)
    }

    /// Has a value be given, instead of computed.
    pub(crate) fn cut(&mut self, id: NodeId) -> Result<()> {
        let ty = self.ty(id)?;
        if let Some(node) = self.nodes.get_mut(id.0) {
            *node = Node::Input(ty);
        }
        Ok(())
    }

    /// Some values, and all that they are computed of.
    pub(crate) fn reached(&self, from: impl IntoIterator<Item = NodeId>) -> BTreeSet<NodeId> {
        let mut reached: BTreeSet<_> = from.into_iter().collect();
        for id in self.ids().rev() {
            if reached.contains(&id) {
                reached.extend(self.reads(id));
            }
        }
        reached
    }

    /// How many times others are computed of a value.
    pub(crate) fn readers(&self, of: NodeId) -> usize {
        let reads = self.ids().flat_map(|id| self.reads(id));
        reads.filter(|id| *id == of).count()
    }

    /// What a value is computed of.
    fn reads(&self, id: NodeId) -> Vec<NodeId> {
        match self.nodes.get(id.0) {
            // What has it is before it, or before another one that it has.
            Some(Node::Output(_)) => id.0.checked_sub(1).map(NodeId).into_iter().collect(),
            Some(Node::Apply(apply)) => apply.inputs.iter().filter_map(Input::node).collect(),
            Some(Node::Branches(branches)) => branches.reads().collect(),
            Some(Node::Iterations(iterations)) => iterations.reads().collect(),
            Some(Node::Ruled(ruled)) => ruled.reads().collect(),
            Some(Node::Checkpoint(checkpoint)) => checkpoint.reads().collect(),
            Some(Node::Input(_)) | None => Vec::new(),
        }
    }

    /// Emits the maps from the first one on that has no value in the list. Inputs have theirs.
    pub(crate) fn replay(&self, builder: &mut Builder, values: &mut Vec<ValueId>) -> Result<()> {
        for node in self.nodes.iter().skip(values.len()) {
            let Node::Apply(apply) = node else {
                return Err(Error::Lost("a tangent"));
            };
            let mut operands = Vec::with_capacity(apply.inputs.len());
            for input in &apply.inputs {
                operands.push(match input {
                    Input::Node(id) => {
                        let value = values.get(id.0).copied();
                        value.ok_or(Error::Lost("a tangent"))?
                    }
                    Input::Zero(ty) => builder.zeros(ty)?,
                });
            }
            values.push(apply.map.emit(builder, &operands)?);
        }
        Ok(())
    }

    /// Emits the transposed maps, last to first, and returns the cotangents of the inputs, as far as there are any.
    pub(crate) fn transpose(
        &self,
        builder: &mut Builder,
        seeds: Vec<(NodeId, Contribution)>,
        inputs: &[NodeId],
    ) -> Result<Vec<Option<ValueId>>> {
        let mut found = Cotangents {
            parts: self.nodes.iter().map(|_| Vec::new()).collect(),
            sums: vec![None; self.nodes.len()],
        };
        for (id, seed) in seeds {
            found.add(id, seed);
        }
        for (index, node) in self.nodes.iter().enumerate().rev() {
            let id = NodeId(index);
            match node {
                Node::Input(ty) | Node::Output(ty) => {
                    found.sum(builder, id, ty)?;
                }
                Node::Apply(apply) => {
                    builder.span = apply.span;
                    if let Some(cotangent) = found.sum(builder, id, &apply.ty)? {
                        self.back(builder, apply, cotangent, &mut found)?;
                    }
                }
                Node::Branches(branches) => {
                    branches.transpose(builder, &outputs_of(id), &mut found)?;
                }
                Node::Iterations(iterations) => {
                    iterations.transpose(builder, &outputs_of(id), &mut found)?;
                }
                Node::Ruled(ruled) => ruled.transpose(builder, &outputs_of(id), &mut found)?,
                Node::Checkpoint(checkpoint) => {
                    checkpoint.transpose(builder, &outputs_of(id), &mut found)?;
                }
            }
        }
        Ok(inputs.iter().map(|id| found.get(*id)).collect())
    }

    fn back(
        &self,
        builder: &mut Builder,
        apply: &Apply,
        cotangent: ValueId,
        found: &mut Cotangents,
    ) -> Result<()> {
        let types = apply.inputs.iter().map(|input| match input {
            Input::Node(id) => self.ty(*id),
            Input::Zero(ty) => Ok(ty.clone()),
        });
        let types = types.collect::<Result<Vec<_>>>()?;
        // A window is read before it is cleared, so that this needs no copy.
        for (position, input) in apply.inputs.iter().enumerate().rev() {
            if let Input::Node(id) = input {
                let part = apply.map.transpose(builder, position, &types, cotangent)?;
                found.add(*id, part);
            }
        }
        Ok(())
    }

    /// The values of the function that are kept.
    pub(crate) fn kept(&self) -> Vec<ValueId> {
        // One list of them serves for reading and for changing.
        let mut tape = self.clone();
        let kept = tape.kept_mut().into_iter();
        kept.map(|value| *value).collect()
    }

    pub(crate) fn kept_mut(&mut self) -> Vec<&mut ValueId> {
        let mut kept = Vec::new();
        for node in &mut self.nodes {
            match node {
                Node::Input(_) | Node::Output(_) => {}
                Node::Apply(apply) => kept.extend(apply.map.kept_mut()),
                Node::Branches(branches) => kept.extend(branches.kept_mut()),
                Node::Iterations(iterations) => kept.extend(iterations.kept_mut()),
                Node::Ruled(ruled) => kept.extend(ruled.kept_mut()),
                Node::Checkpoint(checkpoint) => kept.extend(checkpoint.kept_mut()),
            }
        }
        kept
    }

    /// The same with other values in the place of some that are kept.
    pub(crate) fn renamed(&self, names: &Values) -> Self {
        let mut tape = self.clone();
        rename(tape.kept_mut(), names);
        tape
    }
}

/// Puts other values in the place of some.
pub(crate) fn rename(values: Vec<&mut ValueId>, names: &Values) {
    for value in values {
        if let Some(name) = names.get(value) {
            *value = *name;
        }
    }
}

/// The outputs of branches or a loop come behind it.
fn outputs_of(id: NodeId) -> impl Fn(usize) -> NodeId {
    move |position| NodeId(id.0 + 1 + position)
}

impl Cotangents {
    /// Adds a part to a cotangent.
    pub(crate) fn add(&mut self, id: NodeId, part: Contribution) {
        if let Some(parts) = self.parts.get_mut(id.0) {
            parts.push(part);
        }
    }

    /// A cotangent to which nothing is added any more.
    pub(crate) fn get(&self, id: NodeId) -> Option<ValueId> {
        self.sums.get(id.0).copied().flatten()
    }

    /// The cotangents of outputs; `None` if none has one.
    pub(crate) fn of_outputs(
        &self,
        count: usize,
        output: &dyn Fn(usize) -> NodeId,
    ) -> Option<Vec<Option<ValueId>>> {
        let cotangents: Vec<_> = (0..count)
            .map(|position| self.get(output(position)))
            .collect();
        cotangents.iter().any(Option::is_some).then_some(cotangents)
    }

    fn sum(
        &mut self,
        builder: &mut Builder,
        id: NodeId,
        ty: &TensorType,
    ) -> Result<Option<ValueId>> {
        let parts = self.parts.get_mut(id.0);
        let parts = parts.map(std::mem::take).unwrap_or_default();
        if parts.is_empty() || is_empty(ty) {
            return Ok(None);
        }
        let sum = Contribution::sum(builder, parts, ty)?;
        if let Some(place) = self.sums.get_mut(id.0) {
            *place = Some(sum);
        }
        Ok(Some(sum))
    }
}

/// Whether there are no elements, as far as that is known.
fn is_empty(ty: &TensorType) -> bool {
    ty.shape.dims().iter().any(|dim| dim.known() == Some(0))
}
