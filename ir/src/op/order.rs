use super::{
    InferError, Op, ReduceKind, RegionType, arity,
    family::Family,
    properties::{Alias, Cost, Effect, Properties, Structure},
};
use crate::text::{Printer, ReadResult, Reader, done};
use iree_abi::{DType, TensorType};
use std::fmt;

/// The places of the elements along an axis in order, as `i32`. Equal elements stay in their order, zeros are equal
/// whatever their sign, and NaN comes last in any order. Not complex.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ArgSort {
    /// The axis.
    pub axis: usize,
    /// Whether the largest comes first.
    pub descending: bool,
}

impl ArgSort {
    /// The name of the operation in the text form.
    pub const fn name(&self) -> &'static str {
        match self.descending {
            false => "arg_sort",
            true => "arg_sort_descending",
        }
    }

    pub(super) fn infer(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
        let [operand] = arity::exactly(operands)?;
        arity::check_axis(self.axis, operand)?;
        if operand.dtype.is_complex() {
            return Err(InferError::DType {
                operation: self.name(),
                dtype: operand.dtype,
            });
        }
        Ok(vec![TensorType::new(DType::I32, operand.shape.clone())])
    }
}

/// Each element combined with all before it along an axis.
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
        match Self::KINDS.contains(&self.kind) {
            true => Ok(vec![operand.clone()]),
            false => Err(InferError::DType {
                operation: self.name(),
                dtype,
            }),
        }
    }
}

impl<'a> Family<'a> for &'a ArgSort {
    fn name(self) -> &'static str {
        self.name()
    }

    fn infer(
        self,
        operands: &[TensorType],
        _: &[RegionType],
    ) -> Result<Vec<TensorType>, InferError> {
        self.infer(operands)
    }

    fn properties(self) -> Properties<'a> {
        Properties {
            effect: Effect::Pure,
            alias: Alias::Operands { first: 0 },
            cost: Cost::Along,
            structure: Structure::Sort(self),
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.operands()?;
        write!(text, " axis {}", self.axis)
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        let name = |descending| {
            ArgSort {
                axis: 0,
                descending,
            }
            .name()
        };
        let Some(descending) = text.member(&[false, true], name) else {
            return Ok(None);
        };
        text.operands()?;
        let axis = text.number("axis")?;
        done(Op::ArgSort(ArgSort { axis, descending }))
    }
}

impl<'a> Family<'a> for &Cumulate {
    fn name(self) -> &'static str {
        self.name()
    }

    fn infer(
        self,
        operands: &[TensorType],
        _: &[RegionType],
    ) -> Result<Vec<TensorType>, InferError> {
        self.infer(operands)
    }

    fn properties(self) -> Properties<'a> {
        Properties {
            effect: Effect::Pure,
            alias: Alias::Operands { first: 0 },
            cost: Cost::Along,
            structure: Structure::Scan(self.axis),
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.operands()?;
        write!(text, " axis {}", self.axis)
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        let name = |kind| Cumulate { kind, axis: 0 }.name();
        let Some(kind) = text.member(Cumulate::KINDS, name) else {
            return Ok(None);
        };
        text.operands()?;
        let axis = text.number("axis")?;
        done(Op::Cumulate(Cumulate { kind, axis }))
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
        assert_eq!(op.infer(&[ty(DType::F32)]), Ok(vec![ty(DType::I32)]));
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
