//! The numbers of NumPy, SciPy, mpmath and JAX in `tests/oracle`. The programs that compute the same, and the calls of
//! them, are read from the tests of `dsl/tests/oracle`, which run them on a device.

mod calls;
mod data;
mod distributions;
mod elementwise;
mod index;
mod source;

use crate::{
    device::{compare, verified},
    language::trace_right,
};
use data::Data;
use iree_dsl_interpreter::{Interpreter, Tensor};
use iree_dsl_ir::{Function, Verified};
use libtest_mimic::{Failed, Trial};

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = elementwise::trials();
    trials.extend(calls::trials());
    trials.extend(index::trials());
    trials.extend(distributions::trials());
    trials
}

/// A program of an oracle's test, and what was wrong with its results.
struct Program {
    verified: Verified,
    data: Data,
    failures: Vec<String>,
}

impl Program {
    fn new(source: &str, data: Data) -> Result<Self, Failed> {
        Ok(Self {
            verified: verified(trace_right(source)?)?,
            data,
            failures: Vec::new(),
        })
    }

    fn function(&self, name: &str) -> Result<&Function, Failed> {
        let mut functions = self.verified.module().functions.iter();
        let found = functions.find(|(_, function)| function.name == name);
        let (_, function) = found.ok_or_else(|| format!("there is no `{name}`"))?;
        Ok(function)
    }

    /// Arrays with the element types of a function's parameters.
    fn inputs(&self, name: &str, keys: &[String]) -> Result<Vec<Tensor>, Failed> {
        let function = self.function(name)?;
        let types = function
            .types(&function.body.parameters)
            .unwrap_or_default();
        let inputs = types.iter().zip(keys);
        inputs
            .map(|(ty, key)| self.data.tensor(key, ty.dtype))
            .collect()
    }

    fn call(&self, name: &str, inputs: &[Tensor]) -> Result<Vec<Tensor>, Failed> {
        Ok(Interpreter::new(self.verified.clone())?.call(name, inputs)?)
    }

    /// Compares a result with the array of a name. Errors count as if numbers were at least of the size `floor`.
    fn compare(&mut self, name: &str, found: &Tensor, floor: f64) -> Result<(), Failed> {
        let right = self.data.tensor(name, found.dtype())?;
        self.compare_with(name, &right, found, floor);
        Ok(())
    }

    fn compare_with(&mut self, name: &str, right: &Tensor, found: &Tensor, floor: f64) {
        if let Some(difference) = compare(right, found, units(found), floor) {
            self.failures.push(format!("{name}: {difference}"));
        }
    }

    fn finish(self) -> Result<(), Failed> {
        match self.failures.is_empty() {
            true => Ok(()),
            false => Err(self.failures.join("\n").into()),
        }
    }
}

/// As many units in the last place as `dsl/tests/oracle` allows.
fn units(tensor: &Tensor) -> f64 {
    match tensor {
        Tensor::F16(_) | Tensor::BF16(_) => 1.0,
        Tensor::F32(_) | Tensor::F64(_) => 4.0,
        Tensor::C64(_) | Tensor::C128(_) => 8.0,
        _ => 0.0,
    }
}
