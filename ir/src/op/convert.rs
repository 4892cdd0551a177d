use super::{
    InferError, Op, RegionType, arity,
    family::Family,
    properties::{Alias, Cost, Properties},
};
use crate::text::{Printer, ReadResult, Reader, done};
use iree_abi::{DType, TensorType};
use std::fmt;

/// Rust's `as`: integers wrap, real numbers saturate and NaN becomes 0. `bool` becomes 0 or 1, and
/// everything but 0 becomes true. A complex number does not become a real one.
pub(super) fn infer(dtype: DType, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
    let [operand] = arity::exactly(operands)?;
    if operand.dtype.is_complex() && !dtype.is_complex() {
        return Err(InferError::DTypes(operand.dtype, dtype));
    }
    Ok(vec![TensorType::new(dtype, operand.shape.clone())])
}

/// Between floating-point numbers and integers, in both directions.
pub(super) fn infer_bitcast(
    dtype: DType,
    operands: &[TensorType],
) -> Result<Vec<TensorType>, InferError> {
    let [operand] = arity::exactly(operands)?;
    let has_bits = |dtype: DType| dtype.is_float() || dtype.is_integer();
    let fits = dtype.size() == operand.dtype.size();
    if !fits || !has_bits(dtype) || !has_bits(operand.dtype) {
        return Err(InferError::DTypes(operand.dtype, dtype));
    }
    Ok(vec![TensorType::new(dtype, operand.shape.clone())])
}

/// The operation [`Op::Convert`].
#[derive(Clone, Copy)]
pub(super) struct Convert(pub(super) DType);

/// The operation [`Op::Bitcast`].
#[derive(Clone, Copy)]
pub(super) struct Bitcast(pub(super) DType);

impl<'a> Family<'a> for Convert {
    fn name(self) -> &'static str {
        "convert"
    }

    fn infer(
        self,
        operands: &[TensorType],
        _: &[RegionType],
    ) -> Result<Vec<TensorType>, InferError> {
        infer(self.0, operands)
    }

    fn properties(self) -> Properties<'a> {
        Properties::elementwise(Cost::Elementwise)
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.operands()?;
        text.dtype(self.0)
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        if !text.is("convert") {
            return Ok(None);
        }
        text.operands()?;
        let dtype = text.dtype()?;
        done(Op::Convert(dtype))
    }
}

impl<'a> Family<'a> for Bitcast {
    fn name(self) -> &'static str {
        "bitcast"
    }

    fn infer(
        self,
        operands: &[TensorType],
        _: &[RegionType],
    ) -> Result<Vec<TensorType>, InferError> {
        infer_bitcast(self.0, operands)
    }

    fn properties(self) -> Properties<'a> {
        Properties {
            alias: Alias::View,
            ..Properties::elementwise(Cost::View)
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.operands()?;
        text.dtype(self.0)
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        if !text.is("bitcast") {
            return Ok(None);
        }
        text.operands()?;
        let dtype = text.dtype()?;
        done(Op::Bitcast(dtype))
    }
}
