use super::{
    super::{
        frame::Flow,
        tracer::Tracer,
        types::{Type, TypeLeaf},
        value::{Tensor, Value},
    },
    Selector, part_shape,
};
use crate::{
    ast::{BinaryOperator, Expr},
    span::SpanId,
};
use iree_abi::TensorType;

/// What one index after the other takes of a tensor.
pub(crate) struct Part {
    /// The type of the tensor.
    pub(crate) whole: TensorType,
    /// Its own type.
    pub(crate) ty: TensorType,
    indices: Vec<Index>,
}

struct Index {
    selectors: Vec<Selector>,
    span: SpanId,
}

impl Part {
    /// Its type as that of a value.
    pub(crate) fn ty(&self) -> Type {
        Type::Leaf(TypeLeaf::Tensor(self.ty.clone()))
    }
}

impl Tracer<'_> {
    /// The part that an index takes of a tensor of a type, which is a part of another itself where there is one
    /// around; `None` if it was reported to be wrong.
    pub(crate) fn narrowed(
        &mut self,
        around: Option<Part>,
        ty: TensorType,
        index: &Expr,
    ) -> Flow<Option<Part>> {
        let Some(selectors) = self.selectors(&ty.shape, index)? else {
            return Ok(None);
        };
        let Some(shape) = part_shape(&selectors) else {
            return Ok(None);
        };
        let (dtype, span) = (ty.dtype, index.span);
        let mut part = around.unwrap_or_else(|| Part {
            whole: ty.clone(),
            ty,
            indices: Vec::new(),
        });
        part.ty = TensorType { dtype, shape };
        part.indices.push(Index { selectors, span });
        Ok(Some(part))
    }

    /// The part of a tensor.
    pub(crate) fn read_indices(&mut self, tensor: Tensor, part: &Part) -> Option<Tensor> {
        let mut indices = part.indices.iter();
        indices.try_fold(tensor, |tensor, Index { selectors, span }| {
            self.read_part(tensor, selectors, *span)
        })
    }

    /// The tensor with a value in place of a part, or with what an operator makes of the part and the value.
    pub(crate) fn write_indices(
        &mut self,
        tensor: Tensor,
        part: &Part,
        operator: Option<(BinaryOperator, SpanId)>,
        value: (Value, SpanId),
        span: SpanId,
    ) -> Option<Tensor> {
        self.write_from(tensor, &part.indices, operator, value, span)
    }

    fn write_from(
        &mut self,
        tensor: Tensor,
        indices: &[Index],
        operator: Option<(BinaryOperator, SpanId)>,
        value: (Value, SpanId),
        span: SpanId,
    ) -> Option<Tensor> {
        let (
            Index {
                selectors,
                span: at,
            },
            inner,
        ) = indices.split_first()?;
        let value = match (operator, inner.is_empty()) {
            (None, true) => value,
            (Some((operator, operator_span)), true) => {
                let old = self.read_part(tensor.clone(), selectors, *at)?;
                let value_span = value.1;
                let new = self.binary_value(operator, (old.into(), *at), value, operator_span);
                (new, value_span)
            }
            (_, false) => {
                let old = self.read_part(tensor.clone(), selectors, *at)?;
                let new = self.write_from(old, inner, operator, value, span)?;
                (new.into(), span)
            }
        };
        match value.0.is_poisoned() {
            true => None,
            false => self.write_part(tensor, selectors, value, span),
        }
    }
}
