//! A builder of functions, which the interpreter evaluates.

use iree_abi::{Extent, TensorType};
use iree_dsl_interpreter::{Interpreter, Tensor};
use iree_dsl_ir::{
    Constant, ConstantData, Function, Linkage, Module, Operation, Region, Scalar, SpanId, Value,
    ValueId, op::Op, verify,
};
use iree_dsl_library::{Builder, Error, Term, Write};
use std::{cell::RefCell, mem};

/// A function that grows at its end.
struct Appending(RefCell<Function>);

impl Builder for Appending {
    type Value = ValueId;

    fn ty(&self, value: &ValueId) -> TensorType {
        self.0.borrow().ty(*value).expect("a value of it").clone()
    }

    fn emit(&self, op: Op, operands: &[&ValueId]) -> Result<ValueId, Error> {
        let mut function = self.0.borrow_mut();
        let operands: Vec<_> = operands.iter().map(|id| **id).collect();
        let types = function.types(&operands).expect("values of it");
        let results = op.infer(&types, &[])?.into_iter();
        let results: Vec<_> = results
            .map(|ty| function.values.push(Value { ty }))
            .collect();
        let result = results[0];
        let operation = function.operations.push(Operation {
            op,
            operands,
            results,
            regions: Vec::new(),
            span: SpanId::CALL_SITE,
        });
        function.body.operations.push(operation);
        Ok(result)
    }

    fn repeat(
        &self,
        first: &[ValueId],
        condition: Write<'_, ValueId, ValueId>,
        body: Write<'_, ValueId, Vec<ValueId>>,
    ) -> Result<Vec<ValueId>, Error> {
        let condition = self.region(first, &mut |carried| Ok(vec![condition(carried)?]))?;
        let body = self.region(first, body)?;
        let mut function = self.0.borrow_mut();
        let types = function.types(first).expect("values of it").into_iter();
        let results: Vec<_> = types.map(|ty| function.values.push(Value { ty })).collect();
        let operation = function.operations.push(Operation {
            op: Op::While,
            operands: first.to_vec(),
            results: results.clone(),
            regions: vec![condition, body],
            span: SpanId::CALL_SITE,
        });
        function.body.operations.push(operation);
        Ok(results)
    }

    fn splat(&self, number: Scalar, ty: &TensorType) -> Result<ValueId, Error> {
        let data = number.encode(ty.dtype);
        let data = ConstantData::Splat(data.map_err(|_| Error::OutOfRange(ty.dtype))?);
        let ty = ty.clone();
        self.emit(Op::Constant(Constant { ty, data }), &[])
    }

    fn require_order(&self, least: &Extent, most: &Extent) -> bool {
        let distance = most.minus(least).expect("a small number").known();
        distance.is_none_or(|distance| distance >= 0)
    }

    fn is_derived(&self) -> bool {
        false
    }
}

impl Appending {
    /// A region that takes values of the types of others.
    fn region(
        &self,
        like: &[ValueId],
        write: Write<'_, ValueId, Vec<ValueId>>,
    ) -> Result<Region, Error> {
        let mut function = self.0.borrow_mut();
        let types = function.types(like).expect("values of it").into_iter();
        let parameters: Vec<_> = types.map(|ty| function.values.push(Value { ty })).collect();
        let outside = mem::take(&mut function.body.operations);
        drop(function);
        let results = write(&parameters);
        let operations = mem::replace(&mut self.0.borrow_mut().body.operations, outside);
        Ok(Region {
            parameters,
            operations,
            results: results?,
        })
    }
}

/// What a composite makes of tensors.
pub(crate) fn evaluated<const N: usize>(
    operands: [Tensor; N],
    run: impl for<'x> FnOnce([Term<'x, ValueId>; N]) -> Term<'x, ValueId>,
) -> Result<Tensor, Error> {
    evaluated_on(operands, |_, terms| run(terms))
}

/// What a composite makes of nothing.
pub(crate) fn built(
    run: impl for<'x> FnOnce(&'x dyn Builder<Value = ValueId>) -> Term<'x, ValueId>,
) -> Result<Tensor, Error> {
    evaluated_on([], |builder, []| run(builder))
}

fn evaluated_on<const N: usize>(
    operands: [Tensor; N],
    run: impl for<'x> FnOnce(
        &'x dyn Builder<Value = ValueId>,
        [Term<'x, ValueId>; N],
    ) -> Term<'x, ValueId>,
) -> Result<Tensor, Error> {
    let mut function = Function::new("f", Linkage::Public, SpanId::CALL_SITE);
    let parameters = operands.each_ref().map(|operand| {
        let parameter = function.values.push(Value { ty: operand.ty() });
        let name = format!("x{}", function.body.parameters.len());
        function.body.parameters.push(parameter);
        function.parameter_names.push(name);
        parameter
    });
    let builder = Appending(RefCell::new(function));
    let terms = parameters.map(|parameter| Term::new(&builder, parameter));
    let result = run(&builder, terms).value()?;
    let mut function = builder.0.into_inner();
    function.body.results.push(result);
    let mut module = Module::new("m");
    module.functions.push(function);
    let module = verify(module).expect("a sound module");
    let mut program = Interpreter::new(module).expect("a module without parameters");
    let results = program.call("f", &operands).expect("a right call");
    Ok(results.into_iter().next().expect("one result"))
}
