//! What is padded between its elements and put somewhere, before or behind: `pad!(pad!(x, low = [4]), interior = [1])`, the
//! derivative of `x[s![4..]][s![..;2]]`, or `y[s![1..8]] = pad!(x, interior = [1])` of zeros.
//!
//! IREE 3.13 puts what is inside straight to its place in what is outside. On the way it forgets what is between the elements, or
//! what it adds below them.
//! Defect `gaps-are-lost-in-padding`.

use super::{
    graph::{Graph, Node, Step},
    sources::is_view,
};
use iree_dsl_ir::op::{Op, Structure};
use std::collections::BTreeSet;

/// The operands that must be in memory before they are put into something.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<(Node, usize)> {
    let steps = graph
        .nodes()
        .filter_map(|(node, computed)| Some((node, computed.step.as_ref()?)));
    let cuts = steps.filter_map(|(node, step)| {
        let outer = Place::of(step)?;
        let operand = step.operands.get(outer.position)?;
        let origin = graph.through(*operand, is_view).last()?;
        let inner = Place::of(graph.step(origin)?)?;
        (outer.has_gaps || inner.has_gaps).then_some((node, outer.position))
    });
    cuts.collect()
}

/// Where a step puts an operand.
struct Place {
    /// The position of the operand.
    position: usize,
    /// Whether something comes between its elements.
    has_gaps: bool,
}

impl Place {
    fn of(step: &Step<'_>) -> Option<Self> {
        if let Op::Pad(pad) = step.op() {
            let has_gaps = pad.interior.iter().any(|count| *count > 0);
            return Some(Self {
                position: 0,
                has_gaps,
            });
        }
        let is_update = step.op().structure() == Structure::Update;
        is_update.then_some(Self {
            position: 1,
            has_gaps: false,
        })
    }
}
