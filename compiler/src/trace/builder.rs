use super::value::Tensor;
use crate::{
    ir::{Constant, ConstantData, Function, GlobalId, Linkage, OutOfRange, Scalar, Value},
    op::{GlobalAccess, InferError, Op},
    span::SpanId,
};
use iree_abi::{DType, Shape, TensorType};
use std::collections::BTreeMap;

/// A function that grows by one operation at a time.
///
/// Globals are values in between: loaded where they are first read, stored when the function ends. IREE
/// keeps such straight-line code in place, and nothing can come between a load and a store.
#[derive(Debug)]
pub(crate) struct FunctionBuilder {
    function: Function,
    globals: BTreeMap<GlobalId, GlobalState>,
}

#[derive(Debug)]
struct GlobalState {
    access: GlobalAccess,
    current: Tensor,
    loaded: Option<Tensor>,
    stored_at: SpanId,
}

impl FunctionBuilder {
    /// A function without operations.
    pub(crate) fn new(name: impl Into<String>, linkage: Linkage, span: SpanId) -> Self {
        Self {
            function: Function::new(name, linkage, span),
            globals: BTreeMap::new(),
        }
    }

    /// A function that nobody keeps, for what must not have operations.
    pub(crate) fn scratch() -> Self {
        Self::new("", Linkage::Private, SpanId::CALL_SITE)
    }

    /// Adds a parameter.
    pub(crate) fn parameter(&mut self, name: impl Into<String>, ty: &TensorType) -> Tensor {
        let id = self.function.values.push(Value { ty: ty.clone() });
        self.function.body.parameters.push(id);
        self.function.parameter_names.push(name.into());
        Tensor { id, ty: ty.clone() }
    }

    /// Adds an operation.
    pub(crate) fn emit(
        &mut self,
        op: Op,
        operands: &[&Tensor],
        span: SpanId,
    ) -> Result<Vec<Tensor>, InferError> {
        let types: Vec<_> = operands.iter().map(|tensor| tensor.ty.clone()).collect();
        let results: Vec<_> = op
            .infer(&types)?
            .into_iter()
            .map(|ty| self.value(ty))
            .collect();
        let id = self.function.operations.push(crate::ir::Operation {
            op,
            operands: operands.iter().map(|tensor| tensor.id).collect(),
            results: results.iter().map(|tensor| tensor.id).collect(),
            regions: Vec::new(),
            span,
        });
        self.function.body.operations.push(id);
        Ok(results)
    }

    /// Adds an operation with one result.
    pub(crate) fn emit_one(
        &mut self,
        op: Op,
        operands: &[&Tensor],
        span: SpanId,
    ) -> Result<Tensor, InferError> {
        let results = self.emit(op, operands, span)?;
        let found = results.len();
        let mut results = results.into_iter();
        results
            .next()
            .ok_or(InferError::OperandCount { expected: 1, found })
    }

    /// The same number everywhere.
    pub(crate) fn splat(
        &mut self,
        number: Scalar,
        dtype: DType,
        shape: &Shape,
        span: SpanId,
    ) -> Result<Tensor, OutOfRange> {
        let constant = Constant {
            ty: TensorType::new(dtype, shape.clone()),
            data: ConstantData::Splat(number.encode(dtype)?),
        };
        self.emit_one(Op::Constant(constant), &[], span)
            .map_err(|_| OutOfRange)
    }

    fn value(&mut self, ty: TensorType) -> Tensor {
        let id = self.function.values.push(Value { ty: ty.clone() });
        Tensor { id, ty }
    }

    /// The value of a global at this point.
    pub(crate) fn load_global(
        &mut self,
        global: GlobalId,
        ty: &TensorType,
        span: SpanId,
    ) -> Result<Tensor, InferError> {
        if let Some(state) = self.globals.get(&global) {
            return Ok(state.current.clone());
        }
        let access = GlobalAccess {
            global,
            ty: ty.clone(),
        };
        let current = self.emit_one(Op::GlobalLoad(access.clone()), &[], span)?;
        let state = GlobalState {
            access,
            loaded: Some(current.clone()),
            current: current.clone(),
            stored_at: span,
        };
        self.globals.insert(global, state);
        Ok(current)
    }

    /// Gives a global another value from this point on.
    pub(crate) fn store_global(&mut self, global: GlobalId, value: Tensor, span: SpanId) {
        let access = GlobalAccess {
            global,
            ty: value.ty.clone(),
        };
        let loaded = self.globals.remove(&global).and_then(|state| state.loaded);
        let state = GlobalState {
            access,
            current: value,
            loaded,
            stored_at: span,
        };
        self.globals.insert(global, state);
    }

    /// Whether a global was loaded or stored before.
    pub(crate) fn knows_global(&self, global: GlobalId) -> bool {
        self.globals.contains_key(&global)
    }

    /// The globals that were changed.
    pub(crate) fn stored(&self) -> Vec<GlobalId> {
        let changed = self.globals.iter();
        let changed = changed.filter(|(_, state)| state.loaded.as_ref() != Some(&state.current));
        changed.map(|(global, _)| *global).collect()
    }

    /// The constant that a tensor is, if it is one.
    pub(crate) fn as_constant(&self, tensor: &Tensor) -> Option<Constant> {
        let defines = |operation: &crate::ir::Operation| operation.results.contains(&tensor.id);
        let mut operations = self.function.operations.iter();
        let (_, operation) = operations.find(|(_, operation)| defines(operation))?;
        match &operation.op {
            Op::Constant(constant) => Some(constant.clone()),
            _ => None,
        }
    }

    /// The finished function, with the globals that it changed.
    pub(crate) fn finish(
        mut self,
        results: &[Tensor],
    ) -> Result<(Function, Vec<GlobalId>), InferError> {
        let stored = self.stored();
        for global in &stored {
            if let Some(state) = self.globals.remove(global) {
                let span = state.stored_at;
                self.emit(Op::GlobalStore(state.access), &[&state.current], span)?;
            }
        }
        self.function.body.results = results.iter().map(|tensor| tensor.id).collect();
        Ok((self.function, stored))
    }
}
