use super::{
    InferError, Op, RegionType, arity,
    family::Family,
    properties::{Alias, Cost, Properties},
};
use crate::text::{Printer, ReadResult, Reader};
use iree_abi::{DType, TensorType};
use std::fmt;

pub(super) fn infer(operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
    let [mask, on_true, on_false] = arity::exactly(operands)?;
    if mask.dtype != DType::Bool {
        return Err(InferError::DTypes(DType::Bool, mask.dtype));
    }
    arity::same_dtype(on_true, on_false)?;
    for other in [on_false, mask] {
        if other.shape != on_true.shape {
            let shapes = (on_true.shape.clone(), other.shape.clone());
            return Err(InferError::Shapes(shapes.0, shapes.1));
        }
    }
    Ok(vec![on_true.clone()])
}

/// The operation [`Op::Select`].
#[derive(Clone, Copy)]
pub(super) struct Select;

impl<'a> Family<'a> for Select {
    fn name(self) -> &'static str {
        "select"
    }

    fn infer(
        self,
        operands: &[TensorType],
        _: &[RegionType],
    ) -> Result<Vec<TensorType>, InferError> {
        infer(operands)
    }

    fn properties(self) -> Properties<'a> {
        Properties {
            // The mask has no numbers of the result.
            alias: Alias::Operands { first: 1 },
            ..Properties::elementwise(Cost::Elementwise)
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.operands()
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        text.plain("select", Op::Select)
    }
}
