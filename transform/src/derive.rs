//! Derivatives as functions of a module.

use crate::{
    builder::Builder,
    dead,
    error::{Error, Result},
    linearise::{Linearised, linearise},
    tape::NodeId,
};
use iree_dsl_ir::{Function, FunctionId, Module, ValueId, Verified};

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
    let source = function_of(module, function)?;
    let mut linear = linearise(module, source, inputs)?;
    let name = |name: &str| format!("d.{name}");
    let tangents = linear.parameters(source, inputs, name)?;
    let active: Vec<NodeId> = linear
        .results
        .iter()
        .filter_map(|(_, node)| *node)
        .collect();
    let mut replayed = linear
        .tape
        .replay(&mut linear.builder, &tangents, &active)?
        .into_iter();
    linear.builder.span = source.span;
    let results = linear.results.clone();
    let mut outputs: Vec<ValueId> = results.iter().map(|(primal, _)| *primal).collect();
    for (primal, node) in results {
        let ty = linear.builder.ty(primal)?;
        match node {
            Some(_) => outputs.extend(replayed.next()),
            None if is_differentiable(ty.dtype) => outputs.push(linear.builder.zeros(&ty)?),
            None => {}
        }
    }
    finish(module, source, linear.builder, "jvp", outputs)
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
    let source = function_of(module, function)?;
    let mut linear = linearise(module, source, inputs)?;
    let mut seeds = Vec::new();
    for (index, (primal, node)) in linear.results.clone().into_iter().enumerate() {
        let ty = linear.builder.ty(primal)?;
        if is_differentiable(ty.dtype) {
            let seed = linear.builder.parameter(ty, format!("d.{index}"));
            seeds.extend(node.map(|node| (node, seed)));
        }
    }
    let nodes = linear.inputs.clone();
    let cotangents = linear.tape.transpose(&mut linear.builder, &seeds, &nodes)?;
    let mut outputs: Vec<ValueId> = linear.results.iter().map(|(primal, _)| *primal).collect();
    outputs.extend(cotangents);
    finish(module, source, linear.builder, "vjp", outputs)
}

/// Whether numbers of a type have derivatives.
pub(crate) fn is_differentiable(dtype: iree_abi::DType) -> bool {
    dtype.is_float() || dtype.is_complex()
}

fn function_of(module: &Module, id: FunctionId) -> Result<&Function> {
    let function = module.functions.get(id);
    function.ok_or(Error::NoFunction(id.index()))
}

impl Linearised {
    /// Adds a parameter for each input, and returns it with the input.
    fn parameters(
        &mut self,
        source: &Function,
        inputs: &[usize],
        name: impl Fn(&str) -> String,
    ) -> Result<Vec<(NodeId, ValueId)>> {
        let mut parameters = Vec::with_capacity(inputs.len());
        for (index, node) in inputs.iter().zip(self.inputs.clone()) {
            let of = source.parameter_names.get(*index);
            let name = name(of.map_or("", String::as_str));
            let value = self.builder.parameter(self.tape.ty(node)?, name);
            parameters.push((node, value));
        }
        Ok(parameters)
    }
}

/// Adds a function to a copy of the module.
fn finish(
    module: &Module,
    source: &Function,
    builder: Builder,
    kind: &str,
    results: Vec<ValueId>,
) -> Result<Derived> {
    let mut function = builder.function;
    function.name = unused(module, &format!("{}_{kind}", source.name));
    function.body.results = results;
    let function = dead::remove(module, &function)?;
    let mut module = module.clone();
    let function = module.functions.push(function);
    Ok(Derived { module, function })
}

/// The name, or the first with a number that no function has.
fn unused(module: &Module, name: &str) -> String {
    let taken = |name: &str| module.functions.iter().any(|(_, other)| other.name == name);
    let mut found = name.to_owned();
    let mut number = 1_usize;
    while taken(&found) {
        number += 1;
        found = format!("{name}_{number}");
    }
    found
}
