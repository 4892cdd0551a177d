use super::{
    InferError, Op, RegionType, arity,
    family::Family,
    properties::{Alias, Cost, Effect, Properties, Structure},
    shape,
};
use crate::{
    Constant, ConstantData,
    text::{Printer, ReadResult, Reader, done, print_data},
};
use iree_abi::{DType, TensorType};
use std::fmt;

/// The index along one axis.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Iota {
    /// The type of the result. Not `bool`.
    pub ty: TensorType,
    /// The axis.
    pub axis: usize,
}

impl Iota {
    pub(super) fn infer(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
        let [] = arity::exactly(operands)?;
        arity::check_axis(self.axis, &self.ty)?;
        if self.ty.dtype == DType::Bool {
            return Err(InferError::DType {
                operation: "iota",
                dtype: DType::Bool,
            });
        }
        Ok(vec![self.ty.clone()])
    }
}

pub(super) fn infer_constant(
    constant: &Constant,
    operands: &[TensorType],
) -> Result<Vec<TensorType>, InferError> {
    let [] = arity::exactly(operands)?;
    let size = constant.ty.dtype.size();
    let count = shape::element_count(&constant.ty.shape)?;
    let (expected, found) = match &constant.data {
        ConstantData::Splat(bytes) => (size, bytes.len()),
        ConstantData::Dense(bytes) => (size.saturating_mul(count), bytes.len()),
    };
    if expected == found {
        Ok(vec![constant.ty.clone()])
    } else {
        Err(InferError::ConstantSize { expected, found })
    }
}

impl<'a> Family<'a> for &'a Constant {
    fn name(self) -> &'static str {
        "constant"
    }

    fn infer(
        self,
        operands: &[TensorType],
        _: &[RegionType],
    ) -> Result<Vec<TensorType>, InferError> {
        infer_constant(self, operands)
    }

    fn properties(self) -> Properties<'a> {
        Properties {
            effect: Effect::Pure,
            alias: Alias::Constant,
            cost: Cost::Free,
            structure: Structure::Constant(self),
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        write!(text, " {}", print_data(self))?;
        text.operands()?;
        text.ty(&self.ty)
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        if !text.is("constant") {
            return Ok(None);
        }
        let constant = text.constant()?;
        done(Op::Constant(constant))
    }
}

impl<'a> Family<'a> for &Iota {
    fn name(self) -> &'static str {
        "iota"
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
            alias: Alias::Constant,
            cost: Cost::Elementwise,
            structure: Structure::Index,
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.operands()?;
        write!(text, " axis {}", self.axis)?;
        text.ty(&self.ty)
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        if !text.is("iota") {
            return Ok(None);
        }
        text.operands()?;
        let axis = text.number("axis")?;
        let ty = text.ty()?;
        done(Op::Iota(Iota { ty, axis }))
    }
}
