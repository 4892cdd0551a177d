use super::{
    InferError, Op, RegionType, arity,
    family::Family,
    properties::{Alias, Cost, Properties},
};
use crate::text::{Printer, ReadResult, Reader};
use iree_abi::{DType, TensorType};
use std::fmt;

/// A truth value from two numbers of the same type, at each place. Comparisons with NaN are false,
/// except [`CompareOp::NotEqual`]. Complex numbers have no order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CompareOp {
    /// Whether they are equal.
    Equal,
    /// Whether they are not equal.
    NotEqual,
    /// Whether the first is smaller.
    Less,
    /// Whether the first is smaller or equal.
    LessEqual,
    /// Whether the first is larger.
    Greater,
    /// Whether the first is larger or equal.
    GreaterEqual,
}

impl CompareOp {
    /// Every operation of the family.
    pub const ALL: &[Self] = &[
        Self::Equal,
        Self::NotEqual,
        Self::Less,
        Self::LessEqual,
        Self::Greater,
        Self::GreaterEqual,
    ];

    /// The name in the text form.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::NotEqual => "not_equal",
            Self::Less => "less",
            Self::LessEqual => "less_equal",
            Self::Greater => "greater",
            Self::GreaterEqual => "greater_equal",
        }
    }

    pub(super) fn infer(self, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
        let ty = arity::same(operands)?;
        let ordered = !matches!(self, Self::Equal | Self::NotEqual);
        if ordered && ty.dtype.is_complex() {
            return Err(InferError::DType {
                operation: self.name(),
                dtype: ty.dtype,
            });
        }
        Ok(vec![TensorType::new(DType::Bool, ty.shape.clone())])
    }
}

impl<'a> Family<'a> for CompareOp {
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
            // The element type is another one.
            alias: Alias::New,
            ..Properties::elementwise(Cost::Elementwise)
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.operands()
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        match text.member(Self::ALL, Self::name) {
            Some(op) => text.bare(Op::Compare(op)),
            None => Ok(None),
        }
    }
}
