//! Makes calls on the interpreter.

use super::execute::{Call, Outcome, Returned};
use iree_abi::{Shape, TensorType};
use iree_dsl_interpreter::{Interpreter, Tensor};
use iree_dsl_ir::Verified;
use std::{error::Error, sync::Arc};

/// What becomes of each call, of a module that is loaded anew for it.
pub(crate) fn outcomes(
    program: &Arc<Verified>,
    calls: &[Call],
    inputs: &[Vec<Vec<u8>>],
) -> Vec<Outcome> {
    let calls = calls.iter().zip(inputs);
    let outcomes = calls.map(|(call, inputs)| results(program, call, inputs));
    outcomes
        .map(|outcome| outcome.map_err(|error| error.to_string()))
        .collect()
}

fn results(
    program: &Arc<Verified>,
    call: &Call,
    inputs: &[Vec<u8>],
) -> Result<Returned, Box<dyn Error>> {
    let inputs = call.inputs.iter().zip(inputs);
    let inputs = inputs.map(|((dtype, sizes), bytes)| {
        let ty = TensorType::new(dtype.parse()?, Shape::from(sizes.as_slice()));
        Ok(Tensor::from_bytes(&ty, bytes)?)
    });
    let inputs = inputs.collect::<Result<Vec<_>, Box<dyn Error>>>()?;
    let results = Interpreter::new(program.clone())?.call(&call.function, &inputs)?;
    let results = results.iter();
    Ok(results
        .map(|result| (result.shape().to_vec(), result.to_bytes()))
        .collect())
}
