//! Whether functions are linear.

use crate::{
    derive,
    error::{Error, Result},
    flow::Flow,
    piece::Variable,
};
use iree_dsl_ir::{FunctionId, Module};
use std::ops::Range;

/// Whether some results of a function are linear in some parameters: their derivative does not depend on these, and is there
/// if they do. Of a sum with something that does not depend on the parameters this says nothing.
///
/// # Errors
///
/// If the function has no derivative.
pub fn is_linear(
    module: &Module,
    function: FunctionId,
    parameters: Range<usize>,
    results: Range<usize>,
) -> Result<bool> {
    let found = module.functions.get(function);
    let found = found.ok_or(Error::NoFunction(function.index()))?;
    let lost = || Error::Lost("a parameter or a result");
    let names = found.body.parameters.get(parameters).ok_or_else(lost)?;
    let results = found.body.results.get(results).ok_or_else(lost)?.to_vec();
    let variables = names.iter().map(|id| Variable {
        name: *id,
        value: *id,
    });
    let variables: Vec<_> = variables.collect();
    let mut piece = derive::piece(module, found.clone());
    let depends = piece.depends(names, &results);
    let linear = piece.linearise(&variables, &results)?;
    let mut flow = Flow::of_values(&piece.function, names.iter().copied());
    flow.block(&piece.operations);
    let is_constant = !linear.kept().iter().any(|kept| flow.reaches(*kept));
    Ok(is_constant && (linear.has_derivative() || !depends))
}
