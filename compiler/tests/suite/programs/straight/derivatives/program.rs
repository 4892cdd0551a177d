//! Procedures for the interpreter, as they are and with numbers of other widths.

use crate::programs::straight::{
    array::{Array, elements_of},
    execute::Call,
    interpret::outcomes,
    judge::{Failure, Kind, module, verified},
};
use iree_abi::DType;
use iree_dsl_ir::Verified;
use std::sync::Arc;

/// The name of the procedure.
pub(super) const NAME: &str = "f0";

/// A procedure for the interpreter.
pub(super) struct Program {
    verified: Arc<Verified>,
    /// The element types of its results.
    results: Vec<DType>,
}

impl Program {
    pub(super) fn of(text: &str, results: &[DType]) -> Result<Self, Failure> {
        Ok(Self {
            verified: verified(&module(text))?,
            results: results.to_vec(),
        })
    }

    /// The same with all numbers in `f64`.
    pub(super) fn widened(text: &str, results: &[DType]) -> Result<Self, Failure> {
        let results: Vec<_> = results.iter().copied().map(widened).collect();
        Self::of(&text.replace("f32", "f64"), &results)
    }

    /// The same with all numbers in `f32`.
    pub(super) fn narrowed(text: &str, results: &[DType]) -> Result<Self, Failure> {
        let results: Vec<_> = results.iter().copied().map(narrowed).collect();
        Self::of(&text.replace("f64", "f32"), &results)
    }

    pub(super) fn call(&self, inputs: &[Array]) -> Result<Vec<Array>, Failure> {
        let call = Call {
            function: NAME.to_owned(),
            inputs: inputs.iter().map(Array::described).collect(),
            results: Vec::new(),
        };
        let bytes = inputs.iter().map(Array::bytes).collect();
        let outcome = outcomes(&self.verified, &[call], &[bytes]);
        let results = outcome.into_iter().next().transpose();
        let results = results.map_err(|message| Failure {
            kind: Kind::Stopped,
            message,
        })?;
        let results = results.into_iter().flatten().zip(&self.results);
        let arrays = results.map(|((shape, bytes), dtype)| Array {
            dtype: *dtype,
            shape,
            elements: elements_of(*dtype, &bytes),
        });
        Ok(arrays.collect())
    }
}

pub(super) fn widened(dtype: DType) -> DType {
    match dtype {
        DType::F32 => DType::F64,
        DType::C64 => DType::C128,
        other => other,
    }
}

pub(super) fn narrowed(dtype: DType) -> DType {
    match dtype {
        DType::F64 => DType::F32,
        DType::C128 => DType::C64,
        other => other,
    }
}
