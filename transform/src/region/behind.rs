//! Contractions of loops whose transposes are one behind the transposed loop: what a loop reads of around it in each iteration, as the
//! weights of a recurrent net, has the sum over all iterations of contractions of cotangents with what was kept. That is a
//! contraction which sums over iterations too, of cotangents that are stacked.

use super::rows::stacked;
use crate::{
    builder::Builder,
    error::Result,
    linear::{Contraction, Contribution, Linear},
    tape::{Cotangents, Input, NodeId, Tape},
};
use iree_abi::{Dim, TensorType};
use iree_dsl_ir::{Region, ValueId};
use std::collections::BTreeSet;

/// A contraction in the body of a loop of a tensor that is around it.
#[derive(Clone, Debug)]
pub(super) struct Behind {
    /// What it has, of which the tape of the body is given the cotangent.
    pub(super) node: NodeId,
    contraction: Contraction,
    /// What it is applied to.
    operand: TensorType,
    /// The maps from the tensor to that, last to first, each with what it is applied to.
    maps: Vec<(Linear, TensorType)>,
    /// The tensor.
    pub(super) captured: NodeId,
}

impl Behind {
    /// Takes contractions out of the tape of a body, where what is stacked in an iteration is no
    /// more than what would be added up. Inputs of the tape stand for what is around it.
    pub(super) fn take(
        builder: &Builder,
        tape: &mut Tape,
        inputs: &[(NodeId, NodeId)],
        body: &Region,
    ) -> Result<Vec<Self>> {
        let mut inside: BTreeSet<_> = body.parameters.iter().copied().collect();
        for id in &body.operations {
            inside.extend(builder.operation(*id)?.results);
        }
        let mut taken = Vec::new();
        for node in tape.ids() {
            let Some(found) = Self::of(tape, inputs, node)? else {
                continue;
            };
            let kept = found.contraction.kept;
            let is_inside = inside.contains(&kept);
            let tensor = elements(&found.operand);
            let is_small = |ty: &TensorType| {
                let sizes = elements(ty).zip(tensor);
                sizes.is_some_and(|(elements, tensor)| elements <= tensor)
            };
            if is_inside && is_small(&tape.ty(node)?) && is_small(&builder.ty(kept)?) {
                tape.cut(node)?;
                taken.push(found);
            }
        }
        Ok(taken)
    }

    fn of(tape: &Tape, inputs: &[(NodeId, NodeId)], node: NodeId) -> Result<Option<Self>> {
        let Some((map, [Input::Node(operand)])) = tape.map(node) else {
            return Ok(None);
        };
        let Some(contraction) = map.contraction() else {
            return Ok(None);
        };
        let (mut at, mut maps) = (*operand, Vec::new());
        loop {
            if let Some((_, captured)) = inputs.iter().find(|(input, _)| *input == at) {
                return Ok(Some(Self {
                    node,
                    contraction,
                    operand: tape.ty(*operand)?,
                    maps,
                    captured: *captured,
                }));
            }
            match tape.map(at) {
                Some((map, [Input::Node(below)])) if map.clone().kept_mut().is_empty() => {
                    maps.push((map.clone(), tape.ty(*below)?));
                    at = *below;
                }
                Some(_) | None => return Ok(None),
            }
        }
    }

    /// What the contraction keeps, of each iteration.
    pub(super) fn kept(&self) -> ValueId {
        self.contraction.kept
    }

    /// The type of the cotangents of as many iterations.
    pub(super) fn ty(&self, tape: &Tape, count: Dim) -> Result<TensorType> {
        Ok(stacked(&tape.ty(self.node)?, count))
    }

    /// Adds to the cotangent of the tensor what all iterations have for it.
    pub(super) fn transpose(
        &self,
        builder: &mut Builder,
        [cotangents, kept]: [ValueId; 2],
        found: &mut Cotangents,
    ) -> Result<()> {
        let operands = [cotangents, kept];
        let sum = self
            .contraction
            .transpose_all(builder, &self.operand, operands)?;
        let (mut part, mut ty) = (Contribution::Dense(sum), &self.operand);
        for (map, below) in &self.maps {
            let cotangent = Contribution::sum(builder, vec![part], ty)?;
            part = map.transpose(builder, 0, std::slice::from_ref(below), cotangent)?;
            ty = below;
        }
        found.add(self.captured, part);
        Ok(())
    }
}

fn elements(ty: &TensorType) -> Option<i128> {
    ty.shape.element_count()?.known()
}
