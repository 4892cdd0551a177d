use super::{InferError, ReduceKind, arity};
use iree_abi::{DType, TensorType};

/// The places of the elements along an axis in rising order, as `i32`. Equal elements stay in their
/// order, and NaN comes last. Not complex. The size along the axis is known while building.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ArgSort {
    /// The axis.
    pub axis: usize,
    /// Whether the order falls instead; NaN still comes last.
    pub descending: bool,
}

impl ArgSort {
    pub(super) fn infer(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
        let [operand] = arity::exactly(operands)?;
        arity::check_axis(self.axis, operand)?;
        if operand.dtype.is_complex() {
            return Err(InferError::DType {
                operation: "arg_sort",
                dtype: operand.dtype,
            });
        }
        arity::check_known(self.axis, operand)?;
        Ok(vec![TensorType::new(DType::I32, operand.shape.clone())])
    }
}

/// Each element combined with all before it along an axis. All sizes are known while building.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cumulate {
    /// How two become one: a sum, product, maximum or minimum.
    pub kind: ReduceKind,
    /// The axis.
    pub axis: usize,
}

impl Cumulate {
    /// The kinds that there are.
    pub const KINDS: &[ReduceKind] = &[
        ReduceKind::Sum,
        ReduceKind::Product,
        ReduceKind::Maximum,
        ReduceKind::Minimum,
    ];

    /// The name of the operation in the text form.
    pub const fn name(&self) -> &'static str {
        match self.kind {
            ReduceKind::Sum => "cumulate_sum",
            ReduceKind::Product => "cumulate_product",
            ReduceKind::Maximum | ReduceKind::Any => "cumulate_maximum",
            ReduceKind::Minimum | ReduceKind::All => "cumulate_minimum",
        }
    }

    pub(super) fn infer(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
        let [operand] = arity::exactly(operands)?;
        arity::check_axis(self.axis, operand)?;
        let dtype = operand.dtype;
        self.kind.check(self.name(), dtype)?;
        for axis in 0..operand.shape.rank() {
            arity::check_known(axis, operand)?;
        }
        match Self::KINDS.contains(&self.kind) {
            true => Ok(vec![operand.clone()]),
            false => Err(InferError::DType {
                operation: self.name(),
                dtype,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_made_of_places() {
        let op = ArgSort {
            axis: 1,
            descending: false,
        };
        let ty = |dtype| TensorType::new(dtype, [2, 3]);
        assert_eq!(op.infer(&[ty(DType::F16)]), Ok(vec![ty(DType::I32)]));
        assert!(op.infer(&[ty(DType::C64)]).is_err());
    }

    #[test]
    fn truth_values_have_no_sums() {
        let of = |kind| Cumulate { kind, axis: 0 };
        let operand = [TensorType::new(DType::Bool, [3])];
        assert!(of(ReduceKind::Sum).infer(&operand).is_err());
        assert!(of(ReduceKind::All).infer(&operand).is_err());
        assert_eq!(
            of(ReduceKind::Maximum).infer(&operand),
            Ok(operand.to_vec())
        );
    }
}
