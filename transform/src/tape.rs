//! The linear maps of a function in the order in which they run.

use crate::{
    builder::Builder,
    error::{Error, Result},
    linear::{Contribution, Linear},
};
use iree_abi::TensorType;
use iree_dsl_ir::{SpanId, ValueId};
use std::collections::BTreeSet;

/// The index of a value of the tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NodeId(usize);

/// What a linear map is applied to.
#[derive(Clone, Debug)]
pub(crate) enum Input {
    Node(NodeId),
    /// Zeros of a type, which nobody has made.
    Zero(TensorType),
}

struct Node {
    ty: TensorType,
    /// How it is computed; an input of the function is not.
    step: Option<Step>,
}

struct Step {
    map: Linear,
    inputs: Vec<Input>,
    span: SpanId,
}

/// Values that depend linearly on inputs.
#[derive(Default)]
pub(crate) struct Tape {
    nodes: Vec<Node>,
}

impl Tape {
    /// A value that is given.
    pub(crate) fn input(&mut self, ty: TensorType) -> NodeId {
        self.push(Node { ty, step: None })
    }

    /// A value that a map has for others.
    pub(crate) fn apply(
        &mut self,
        map: Linear,
        inputs: Vec<Input>,
        ty: TensorType,
        span: SpanId,
    ) -> NodeId {
        let step = Some(Step { map, inputs, span });
        self.push(Node { ty, step })
    }

    fn push(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len() - 1)
    }

    pub(crate) fn ty(&self, id: NodeId) -> Result<TensorType> {
        let node = self.nodes.get(id.0);
        let node = node.ok_or(Error::Lost("a value of the tape"))?;
        Ok(node.ty.clone())
    }

    /// The values that some depend on.
    pub(crate) fn sources(&self, results: &[NodeId]) -> BTreeSet<NodeId> {
        let mut found: BTreeSet<_> = results.iter().copied().collect();
        for (index, node) in self.nodes.iter().enumerate().rev() {
            if let Some(step) = &node.step
                && found.contains(&NodeId(index))
            {
                found.extend(step.inputs.iter().filter_map(|input| match input {
                    Input::Node(id) => Some(*id),
                    Input::Zero(_) => None,
                }));
            }
        }
        found
    }

    /// Emits the maps, first to last, and returns what the values are for these inputs.
    pub(crate) fn replay(
        &self,
        builder: &mut Builder,
        inputs: &[(NodeId, ValueId)],
        results: &[NodeId],
    ) -> Result<Vec<ValueId>> {
        let needed = self.sources(results);
        let mut values: Vec<Option<ValueId>> = vec![None; self.nodes.len()];
        for (id, value) in inputs {
            set(&mut values, *id, *value);
        }
        for (index, node) in self.nodes.iter().enumerate() {
            let id = NodeId(index);
            if let Some(step) = node.step.as_ref().filter(|_| needed.contains(&id)) {
                builder.span = step.span;
                let mut operands = Vec::with_capacity(step.inputs.len());
                for input in &step.inputs {
                    operands.push(match input {
                        Input::Node(id) => get(&values, *id)?,
                        Input::Zero(ty) => builder.zeros(ty)?,
                    });
                }
                let value = step.map.emit(builder, &operands)?;
                set(&mut values, id, value);
            }
        }
        results.iter().map(|id| get(&values, *id)).collect()
    }

    /// Emits the transposed maps, last to first, and returns the cotangents of the inputs.
    pub(crate) fn transpose(
        &self,
        builder: &mut Builder,
        seeds: &[(NodeId, ValueId)],
        inputs: &[NodeId],
    ) -> Result<Vec<ValueId>> {
        let mut found: Vec<Vec<Contribution>> = self.nodes.iter().map(|_| Vec::new()).collect();
        for (id, seed) in seeds {
            contribute(&mut found, *id, Contribution::Dense(*seed));
        }
        let mut cotangents: Vec<Option<ValueId>> = vec![None; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate().rev() {
            let parts = found.get_mut(index).map(std::mem::take).unwrap_or_default();
            if parts.is_empty() || is_empty(&node.ty) {
                continue;
            }
            if let Some(step) = &node.step {
                builder.span = step.span;
            }
            let cotangent = Contribution::sum(builder, parts, &node.ty)?;
            set(&mut cotangents, NodeId(index), cotangent);
            if let Some(step) = &node.step {
                self.step_back(builder, step, cotangent, &mut found)?;
            }
        }
        let mut results = Vec::with_capacity(inputs.len());
        for id in inputs {
            results.push(match get(&cotangents, *id) {
                Ok(value) => value,
                Err(_) => builder.zeros(&self.ty(*id)?)?,
            });
        }
        Ok(results)
    }

    fn step_back(
        &self,
        builder: &mut Builder,
        step: &Step,
        cotangent: ValueId,
        found: &mut [Vec<Contribution>],
    ) -> Result<()> {
        let types = step.inputs.iter().map(|input| match input {
            Input::Node(id) => self.ty(*id),
            Input::Zero(ty) => Ok(ty.clone()),
        });
        let types = types.collect::<Result<Vec<_>>>()?;
        for (position, input) in step.inputs.iter().enumerate() {
            if let Input::Node(id) = input {
                let part = step.map.transpose(builder, position, &types, cotangent)?;
                contribute(found, *id, part);
            }
        }
        Ok(())
    }
}

/// Whether there are no elements, as far as that is known.
fn is_empty(ty: &TensorType) -> bool {
    ty.shape.dims().iter().any(|dim| dim.known() == Some(0))
}

fn contribute(found: &mut [Vec<Contribution>], id: NodeId, part: Contribution) {
    if let Some(parts) = found.get_mut(id.0) {
        parts.push(part);
    }
}

fn set(values: &mut [Option<ValueId>], id: NodeId, value: ValueId) {
    if let Some(place) = values.get_mut(id.0) {
        *place = Some(value);
    }
}

fn get(values: &[Option<ValueId>], id: NodeId) -> Result<ValueId> {
    let value = values.get(id.0).copied().flatten();
    value.ok_or(Error::Lost("a value of the tape"))
}
