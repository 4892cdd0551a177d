//! Which tensors are needed again when something changes them in place.

use super::{Buffers, Source, Sources, uses::Spans};
use iree_dsl_ir::{Operation, OperationId, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// From where to where there are values that may come to share a buffer.
pub(super) struct Lives {
    /// Those of a source, by their size in bytes.
    sources: BTreeMap<Source, BTreeMap<Option<usize>, Spans>>,
    constants: Spans,
}

impl Lives {
    fn of(buffers: &Buffers<'_>) -> Self {
        let mut values: BTreeMap<_, BTreeMap<_, Vec<_>>> = BTreeMap::new();
        for (value, sources) in &buffers.sources {
            let size = buffers.size(*value);
            for source in sources {
                let sizes = values.entry(*source).or_default();
                sizes.entry(size).or_default().push(*value);
            }
        }
        let spans = |(size, values)| (size, buffers.uses.spans(values));
        let values = values.into_iter();
        Self {
            sources: values
                .map(|(source, sizes)| (source, sizes.into_iter().map(spans).collect()))
                .collect(),
            constants: buffers.uses.spans(buffers.constants.iter().copied()),
        }
    }
}

impl Buffers<'_> {
    /// Which operands of a loop, by their position, need a buffer of their own, so that the loop can change
    /// them in place.
    pub(in crate::legalize) fn needed_otherwise(
        &self,
        id: OperationId,
        operation: &Operation,
    ) -> BTreeSet<usize> {
        let parameters = operation.regions.last().map(|body| body.parameters.iter());
        let operands = operation
            .operands
            .iter()
            .zip(parameters.into_iter().flatten());
        let needed = |(_, (operand, parameter)): &(usize, (&ValueId, &ValueId))| {
            let sources = self.all(&[**operand]);
            let lost = |source: &Source| match source {
                Source::Argument(_) => true,
                Source::Global(global) => !self.is_stored_in(Source::Joined(**parameter), *global),
                Source::Carried(_) | Source::Joined(_) | Source::Computed(_) => false,
                Source::Replaced(_) | Source::Result(..) | Source::Constant => false,
            };
            sources.iter().any(lost)
                || self.is_repeated(**operand)
                || self.is_needed_later(**operand, &sources, id)
        };
        let needed = (0..).zip(operands).filter(needed);
        needed.map(|(position, _)| position).collect()
    }

    /// Whether something else may be the same constant: where sizes are not known, IREE makes one of those that
    /// are equal.
    fn is_repeated(&self, value: ValueId) -> bool {
        let ty = self.function.ty(value);
        let is_unknown = ty.is_some_and(|ty| ty.shape.known().is_none());
        is_unknown && self.constants.contains(&value)
    }

    /// Whether something that may be the same as a tensor of these sources is used after a loop that changes it.
    fn is_needed_later(&self, value: ValueId, sources: &Sources, mutation: OperationId) -> bool {
        let lives = self.lives();
        let outlive = |spans: &Spans| self.uses.outlive(spans, mutation);
        let any_outlive = |source: &Source| {
            let sizes = lives.sources.get(source);
            sizes.is_some_and(|sizes| sizes.values().any(outlive))
        };
        // What two values were both computed with may be one of them, if that is a constant.
        sources.iter().any(|source| match source {
            Source::Constant => outlive(&lives.constants),
            source => any_outlive(source),
        }) || self.constants.contains(&value) && any_outlive(&Source::Constant)
    }

    /// Whether something that may be the same as a tensor of a global is used after what changes a part of it.
    pub(super) fn is_read_later(&self, mutation: OperationId, whole: ValueId) -> bool {
        let size = self.size(whole);
        let sources = self.all(&[whole]);
        let mut globals = sources.iter().filter(|source| source.global().is_some());
        globals.any(|global| {
            let spans = self.lives().sources.get(global);
            let spans = spans.and_then(|sizes| sizes.get(&size));
            spans.is_some_and(|spans| self.uses.outlive(spans, mutation))
        })
    }

    fn lives(&self) -> &Lives {
        self.lives.get_or_init(|| Lives::of(self))
    }
}
