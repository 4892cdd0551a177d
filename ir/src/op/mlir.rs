use super::{
    InferError, Op, RegionType,
    family::Family,
    properties::{Alias, Cost, Effect, Properties, Structure},
};
use crate::text::{Printer, ReadResult, Reader, done};
use iree_abi::{DType, TensorType};
use std::fmt;

/// What a text in MLIR says, for what no other operation does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Mlir {
    /// The body of a function, whose last operation is a `return`.
    pub text: String,
    /// The name that the text has for each operand, without `%`.
    pub arguments: Vec<String>,
    /// The types of the results, whose sizes follow from those of the operands.
    pub results: Vec<TensorType>,
}

impl Mlir {
    pub(super) fn infer(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
        let (expected, found) = (self.arguments.len(), operands.len());
        match expected == found {
            true => Ok(self.results.clone()),
            false => Err(InferError::OperandCount { expected, found }),
        }
    }
}

/// A type of tensors as MLIR spells it. A size that is not known while building is `?`.
pub fn mlir_type(ty: &TensorType) -> String {
    let dims = ty.shape.dims().iter().map(|dim| match dim.known() {
        Some(size) => format!("{size}x"),
        None => "?x".to_owned(),
    });
    let dims: String = dims.collect();
    format!("tensor<{dims}{}>", mlir_element(ty.dtype))
}

/// An element type as MLIR spells it.
pub fn mlir_element(dtype: DType) -> String {
    match dtype {
        DType::Bool => "i1".to_owned(),
        DType::U8 | DType::U16 | DType::U32 | DType::U64 => format!("ui{}", 8 * dtype.size()),
        DType::C64 | DType::C128 => format!("complex<{}>", mlir_element(dtype.real())),
        other => other.name().to_owned(),
    }
}

impl<'a> Family<'a> for &'a Mlir {
    fn name(self) -> &'static str {
        "mlir"
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
            effect: Effect::Foreign(self),
            alias: Alias::Foreign,
            cost: Cost::Control,
            structure: Structure::Effect,
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.operands()?;
        write!(text, " arguments [")?;
        for (index, argument) in self.arguments.iter().enumerate() {
            write!(text, "{}", if index > 0 { ", " } else { "" })?;
            text.name(argument)?;
        }
        write!(text, "]")?;
        text.list("results", &self.results)?;
        write!(text, " text ")?;
        text.quoted(&self.text)
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        if !text.is("mlir") {
            return Ok(None);
        }
        text.operands()?;
        let arguments = text.names("arguments")?;
        let results = text.types("results")?;
        let text = text.word("text")?;
        done(Op::Mlir(Mlir {
            text,
            arguments,
            results,
        }))
    }
}
