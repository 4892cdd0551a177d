use super::{
    InferError, RegionType, arity,
    family::Family,
    properties::{Alias, Cost, Effect, Properties, Structure},
};
use crate::{
    FunctionId, GlobalId,
    text::{OpSyntax, Printer, ReadResult, Reader},
};
use iree_abi::TensorType;
use std::fmt;

/// The results of another function of the module.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    /// The function, which stands before the caller.
    pub callee: FunctionId,
    /// The types of its parameters.
    pub parameters: Vec<TensorType>,
    /// The types of its results.
    pub results: Vec<TensorType>,
}

impl Call {
    pub(super) fn infer(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
        Self::check(&self.parameters, operands)?;
        Ok(self.results.clone())
    }

    /// Whether a function with these parameters takes these operands.
    pub(super) fn check(
        parameters: &[TensorType],
        operands: &[TensorType],
    ) -> Result<(), InferError> {
        if operands.len() != parameters.len() {
            return Err(InferError::OperandCount {
                expected: parameters.len(),
                found: operands.len(),
            });
        }
        let mut pairs = operands.iter().zip(parameters);
        pairs.try_for_each(|(operand, parameter)| {
            arity::same(&[parameter.clone(), operand.clone()]).map(drop)
        })
    }
}

/// A load or a store of a global.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GlobalAccess {
    /// The global.
    pub global: GlobalId,
    /// Its type.
    pub ty: TensorType,
}

impl GlobalAccess {
    pub(super) fn infer_load(
        &self,
        operands: &[TensorType],
    ) -> Result<Vec<TensorType>, InferError> {
        let [] = arity::exactly(operands)?;
        Ok(vec![self.ty.clone()])
    }

    pub(super) fn infer_store(
        &self,
        operands: &[TensorType],
    ) -> Result<Vec<TensorType>, InferError> {
        let [operand] = arity::exactly(operands)?;
        arity::same(&[self.ty.clone(), operand.clone()])?;
        Ok(Vec::new())
    }
}

impl<'a> Family<'a> for &'a Call {
    fn name(self) -> &'static str {
        "call"
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
            effect: Effect::Calls(self),
            alias: Alias::Callee(self),
            cost: Cost::Control,
            structure: Structure::Effect,
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.function(self.callee)?;
        text.operands()?;
        text.signature(&self.parameters, &self.results)
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        if !text.is("call") {
            return Ok(None);
        }
        let callee = text.symbol()?;
        text.operands()?;
        let types = text.signature()?;
        Ok(Some(OpSyntax::Call { callee, types }))
    }
}

/// The operation [`Op::GlobalLoad`].
#[derive(Clone, Copy)]
pub(super) struct Load<'a>(pub(super) &'a GlobalAccess);

impl<'a> Family<'a> for Load<'a> {
    fn name(self) -> &'static str {
        "global_load"
    }

    fn infer(
        self,
        operands: &[TensorType],
        _: &[RegionType],
    ) -> Result<Vec<TensorType>, InferError> {
        self.0.infer_load(operands)
    }

    fn properties(self) -> Properties<'a> {
        Properties {
            effect: Effect::Reads(self.0),
            alias: Alias::Global(self.0),
            cost: Cost::View,
            structure: Structure::Effect,
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.global(self.0.global)?;
        text.operands()?;
        text.ty(&self.0.ty)
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        if !text.is("global_load") {
            return Ok(None);
        }
        let global = text.symbol()?;
        text.operands()?;
        let ty = text.explicit_type()?;
        Ok(Some(OpSyntax::Load(global, ty)))
    }
}

/// The operation [`Op::GlobalStore`].
#[derive(Clone, Copy)]
pub(super) struct Store<'a>(pub(super) &'a GlobalAccess);

impl<'a> Family<'a> for Store<'a> {
    fn name(self) -> &'static str {
        "global_store"
    }

    fn infer(
        self,
        operands: &[TensorType],
        _: &[RegionType],
    ) -> Result<Vec<TensorType>, InferError> {
        self.0.infer_store(operands)
    }

    fn properties(self) -> Properties<'a> {
        Properties {
            effect: Effect::Writes(self.0),
            alias: Alias::NoResults,
            cost: Cost::View,
            structure: Structure::Effect,
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.global(self.0.global)?;
        text.operands()?;
        text.operand_type(&self.0.ty)
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        if !text.is("global_store") {
            return Ok(None);
        }
        let global = text.symbol()?;
        text.operands()?;
        let ty = text.explicit_type()?;
        Ok(Some(OpSyntax::Store(global, ty)))
    }
}
