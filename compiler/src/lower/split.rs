//! Axes that become several.

use super::emit::{Emitter, Result, Tensor};
use iree_abi::{Shape, TensorType};
use iree_dialects::{prelude::*, tensor};
use std::{iter, ops::Range};

/// What MLIR has in the place of a size that is not known.
const UNKNOWN: i64 = i64::MIN;

impl<'c, 'b> Emitter<'c, 'b> {
    /// The same elements with several axes in the place of the first, in a way that IREE sees through: what is done to each
    /// element of the result becomes a part of what computes the operand.
    pub(super) fn split_first(
        &self,
        operand: &Tensor<'c, 'b>,
        shape: &Shape,
    ) -> Result<Tensor<'c, 'b>> {
        let ty = TensorType::new(operand.dtype(), shape.clone());
        let first = shape.rank() + 1 - operand.ty.shape.rank();
        let others = (first..shape.rank()).map(|axis| axis..axis + 1);
        let groups: Vec<_> = iter::once(0..first).chain(others).collect();
        let sizes = shape.dims().iter().map(|dim| match dim.known() {
            Some(size) => size as i64,
            None => UNKNOWN,
        });
        let sizes: Vec<_> = sizes.collect();
        let value = tensor::ExpandShapeOperation::builder(self.context, self.location)
            .src(operand.value)
            .output_shape(&self.unknown(shape)?)
            .reassociation(self.groups(groups))
            .static_output_shape(DenseI64ArrayAttribute::new(self.context, &sizes))
            .result(self.tensor_type(&ty)?)
            .append_to(&self.block)?
            .result()?;
        Ok(Tensor { value, ty })
    }

    /// Lists of axes as an attribute.
    fn groups(&self, groups: Vec<Range<usize>>) -> ArrayAttribute<'c> {
        let number = IntegerType::new(self.context, 64).into();
        let group = |axes: Range<usize>| {
            let axes = axes.map(|axis| IntegerAttribute::new(number, axis as i64).into());
            ArrayAttribute::new(self.context, &axes.collect::<Vec<_>>()).into()
        };
        ArrayAttribute::new(
            self.context,
            &groups.into_iter().map(group).collect::<Vec<_>>(),
        )
    }
}
