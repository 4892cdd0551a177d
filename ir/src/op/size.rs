use super::{
    InferError, Op, RegionType, arity,
    family::Family,
    properties::{Alias, Cost, Effect, Properties, Structure},
};
use crate::text::{Printer, ReadResult, Reader, done};
use iree_abi::{DType, Extent, TensorType};
use std::fmt;

/// A number computed from sizes that are known at the call, as a scalar.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    /// The number.
    pub extent: Extent,
    /// The type of the scalar, to which it is converted as by `as`. Not `bool`.
    pub dtype: DType,
}

impl Size {
    pub(super) fn infer(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
        let [] = arity::exactly(operands)?;
        if self.dtype == DType::Bool {
            return Err(InferError::DType {
                operation: "size",
                dtype: DType::Bool,
            });
        }
        Ok(vec![TensorType::new(self.dtype, [])])
    }
}

impl<'a> Family<'a> for &'a Size {
    fn name(self) -> &'static str {
        "size"
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
            alias: Alias::New,
            cost: Cost::Elementwise,
            structure: Structure::Size(self),
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.operands()?;
        write!(text, " of [{}]", self.extent)?;
        text.dtype(self.dtype)
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        if !text.is("size") {
            return Ok(None);
        }
        text.operands()?;
        let [extent] = text
            .extents("of")?
            .try_into()
            .map_err(|_| text.error("expected one size"))?;
        let dtype = text.dtype()?;
        done(Op::Size(Size { extent, dtype }))
    }
}
