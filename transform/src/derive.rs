//! Derivatives and batches as functions of a module.

use crate::{
    batch::Batching,
    builder::with_first,
    dead,
    error::{Error, Result},
    mark::Checkpoints,
    piece::{Piece, Variable},
    ruled::Rule,
};
use iree_abi::{Dim, TensorType};
use iree_dsl_ir::{Function, FunctionId, Module, Value, ValueId, Verified};
use std::collections::BTreeMap;

/// A module with one more function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derived {
    /// The module.
    pub module: Module,
    /// The function that was added, its last.
    pub function: FunctionId,
}

/// Adds a function `<name>_jvp` to a module: what a function computes, and how that changes with some of its parameters.
///
/// It takes what the function takes, then a tangent for each of `inputs`, of its type, and returns the results, then a
/// tangent for each result that is real or complex, of its type.
///
/// # Errors
///
/// If an input is not real or complex, no result depends on one, or an operation on the way has no rule.
pub fn jvp(module: &Verified, function: FunctionId, inputs: &[usize]) -> Result<Derived> {
    let module = module.module();
    let mut source = source(module, function)?;
    let variables = variables(&source, inputs)?;
    let mut tangents = Vec::with_capacity(inputs.len());
    for (index, variable) in inputs.iter().zip(&variables) {
        let ty = ty(&source, variable.value)?;
        let of = source.parameter_names.get(*index);
        let name = format!("d.{}", of.map_or("", String::as_str));
        tangents.push((*variable, parameter(&mut source, ty, name)));
    }
    let mut results = source.body.results.clone();
    let mut piece = piece(module, source);
    check_dependence(&piece, inputs, &results)?;
    let (found, names) = piece.push_forward(&tangents, &results)?;
    let zeros = piece.zeros(&results)?;
    for result in &mut results {
        *result = names.of(*result);
    }
    let tangents = found.into_iter().zip(zeros);
    results.extend(tangents.filter_map(|(tangent, zeros)| tangent.or(zeros)));
    finish(piece, "jvp", results)
}

/// Adds a function `<name>_vjp` to a module: what a function computes, and how changes of that lead back to some of its
/// parameters.
///
/// It takes what the function takes, then a cotangent for each result that is real or complex, of its type, and returns
/// the results, then a cotangent for each of `inputs`, of its type.
///
/// # Errors
///
/// As for [`jvp`].
pub fn vjp(module: &Verified, function: FunctionId, inputs: &[usize]) -> Result<Derived> {
    let module = module.module();
    let source = source(module, function)?;
    let variables = variables(&source, inputs)?;
    let mut results = source.body.results.clone();
    let mut piece = piece(module, source);
    check_dependence(&piece, inputs, &results)?;
    let linear = piece.linearise(&variables, &results)?;
    let mut seeds = Vec::with_capacity(results.len());
    for (index, result) in results.iter().enumerate() {
        let ty = ty(&piece.function, *result)?;
        let is_number = is_differentiable(ty.dtype);
        let name = format!("d.{index}");
        seeds.push(is_number.then(|| parameter(&mut piece.function, ty, name)));
    }
    let cotangents = linear.pull_back(&mut piece, &seeds)?;
    for result in &mut results {
        *result = linear.names().of(*result);
    }
    results.extend(cotangents);
    finish(piece, "vjp", results)
}

/// Adds a function `<name>_vmap` to a module, which applies another to a batch of this size.
///
/// It takes what the function takes, some parameters, `inputs`, with the batch as a new first axis, and returns the results
/// likewise. A size that is known at the call is one that these parameters tell. What is differentiated afterwards, `deriving`,
/// computes nothing for elements that do not get to it.
///
/// # Errors
///
/// If there is no such parameter, or a global is stored.
pub fn vmap(
    module: &Verified,
    function: FunctionId,
    inputs: &[usize],
    size: &Dim,
    deriving: bool,
) -> Result<Derived> {
    let mut module = module.module().clone();
    let mut source = source(&module, function)?;
    let mut variables = Vec::with_capacity(inputs.len());
    for index in inputs {
        let name = parameter_at(&source, *index, &variables)?;
        let TensorType { dtype, shape } = ty(&source, name)?;
        let ty = TensorType::new(dtype, with_first(size.clone(), &shape));
        let value = source.values.push(Value { ty });
        if let Some(place) = source.body.parameters.get_mut(*index) {
            *place = value;
        }
        variables.push(Variable { name, value });
    }
    let mut batching = Batching {
        module: &mut module,
        rules: &mut BTreeMap::new(),
        checkpoints: &mut Checkpoints::default(),
        operations: std::mem::take(&mut source.body.operations),
        function: source,
        first: 0,
        deriving,
    };
    let results = batching.function.body.results.clone();
    let (results, _) = batching.map(size, &variables, &results)?;
    let Batching {
        mut function,
        operations,
        ..
    } = batching;
    function.body.operations = operations;
    function.body.results = results;
    added(module, &function, "vmap")
}

/// Whether numbers of a type have derivatives.
pub fn is_differentiable(dtype: iree_abi::DType) -> bool {
    dtype.is_float() || dtype.is_complex()
}

/// A copy of a function.
fn source(module: &Module, id: FunctionId) -> Result<Function> {
    let function = module.functions.get(id).cloned();
    function.ok_or(Error::NoFunction(id.index()))
}

fn ty(function: &Function, value: ValueId) -> Result<TensorType> {
    let ty = function.ty(value).cloned();
    ty.ok_or(Error::Lost("the type of a value"))
}

fn parameter(function: &mut Function, ty: TensorType, name: String) -> ValueId {
    let value = function.values.push(Value { ty });
    function.body.parameters.push(value);
    function.parameter_names.push(name);
    value
}

/// The parameters that a function is differentiated by.
fn variables(function: &Function, inputs: &[usize]) -> Result<Vec<Variable>> {
    let mut variables: Vec<Variable> = Vec::with_capacity(inputs.len());
    for index in inputs {
        let value = parameter_at(function, *index, &variables)?;
        let ty = ty(function, value)?;
        if !is_differentiable(ty.dtype) {
            let name = function.parameter_names.get(*index);
            let parameter = name.cloned().unwrap_or_default();
            return Err(Error::Discrete { parameter, ty });
        }
        variables.push(Variable { name: value, value });
    }
    Ok(variables)
}

/// The parameter with a number, which is none of some variables.
fn parameter_at(function: &Function, index: usize, variables: &[Variable]) -> Result<ValueId> {
    let parameter = function.body.parameters.get(index).copied();
    let is_new = |id: &ValueId| {
        variables
            .iter()
            .all(|other| other.name != *id && other.value != *id)
    };
    parameter.filter(is_new).ok_or_else(|| Error::NoParameter {
        function: function.name.clone(),
        index,
    })
}

/// The whole body of a function.
pub(crate) fn piece(module: &Module, mut function: Function) -> Piece<'_> {
    static RULES: BTreeMap<FunctionId, Rule> = BTreeMap::new();
    static CHECKPOINTS: Checkpoints = Checkpoints::none();
    Piece {
        module,
        rules: &RULES,
        checkpoints: &CHECKPOINTS,
        operations: std::mem::take(&mut function.body.operations),
        function,
        first: 0,
    }
}

/// Refuses inputs that no result depends on.
fn check_dependence(piece: &Piece<'_>, inputs: &[usize], results: &[ValueId]) -> Result<()> {
    let function = &piece.function;
    for index in inputs {
        let value = function.body.parameters.get(*index).copied();
        if value.is_none_or(|value| !piece.depends(&[value], results)) {
            let parameter = function.parameter_names.get(*index);
            return Err(Error::Independent {
                function: function.name.clone(),
                parameter: parameter.cloned().unwrap_or_default(),
            });
        }
    }
    Ok(())
}

/// Adds the function to a copy of the module.
fn finish(piece: Piece<'_>, kind: &str, results: Vec<ValueId>) -> Result<Derived> {
    let Piece {
        module,
        mut function,
        operations,
        ..
    } = piece;
    function.body.operations = operations;
    function.body.results = results;
    added(module.clone(), &function, kind)
}

/// The module with a function that was made of another.
fn added(mut module: Module, function: &Function, kind: &str) -> Result<Derived> {
    let mut function = dead::remove(&module, function)?;
    function.name = unused(&module, &format!("{}_{kind}", function.name));
    let function = module.functions.push(function);
    Ok(Derived { module, function })
}

/// The name, or the first with a number that no function has.
pub(crate) fn unused(module: &Module, name: &str) -> String {
    let taken = |name: &str| module.functions.iter().any(|(_, other)| other.name == name);
    let mut found = name.to_owned();
    let mut number = 1_usize;
    while taken(&found) {
        number += 1;
        found = format!("{name}_{number}");
    }
    found
}
