use super::{
    InferError, Op, RegionType, arity,
    family::Family,
    properties::{Alias, Cost, Effect, Properties, Structure},
};
use crate::text::{ParseError, Printer, ReadResult, Reader, done};
use iree_abi::{DType, Site, TensorType};
use std::fmt;

/// Something that the host hears of while the program runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Observation {
    /// The key of a trace, or what an assertion says.
    pub text: String,
    /// Which of the module's sites it is.
    pub site: usize,
}

impl Observation {
    /// An observation whose number is not known yet.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            site: 0,
        }
    }

    /// What IREE has for it.
    pub fn marked(&self) -> String {
        Site::marked(self.site, &self.text)
    }
}

/// Any tensors, and no results.
pub(super) fn infer_trace(operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
    match operands.is_empty() {
        true => Err(InferError::OperandCount {
            expected: 1,
            found: 0,
        }),
        false => Ok(Vec::new()),
    }
}

/// A single truth value, and no results.
pub(super) fn infer_assert(operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
    let [condition] = arity::exactly(operands)?;
    let expected = TensorType::new(DType::Bool, []);
    arity::same(&[expected, condition.clone()])?;
    Ok(Vec::new())
}

/// The operation [`Op::Trace`].
#[derive(Clone, Copy)]
pub(super) struct Trace<'a>(pub(super) &'a Observation);

impl<'a> Family<'a> for Trace<'a> {
    fn name(self) -> &'static str {
        "trace"
    }

    fn infer(
        self,
        operands: &[TensorType],
        _: &[RegionType],
    ) -> Result<Vec<TensorType>, InferError> {
        infer_trace(operands)
    }

    fn properties(self) -> Properties<'a> {
        Properties {
            effect: Effect::Shows(self.0),
            alias: Alias::NoResults,
            cost: Cost::Control,
            structure: Structure::Effect,
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        self.0.print(text)
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        match Observation::read(text, "trace")? {
            Some(observation) => done(Op::Trace(observation)),
            None => Ok(None),
        }
    }
}

/// The operation [`Op::Assert`].
#[derive(Clone, Copy)]
pub(super) struct Assert<'a>(pub(super) &'a Observation);

impl<'a> Family<'a> for Assert<'a> {
    fn name(self) -> &'static str {
        "assert"
    }

    fn infer(
        self,
        operands: &[TensorType],
        _: &[RegionType],
    ) -> Result<Vec<TensorType>, InferError> {
        infer_assert(operands)
    }

    fn properties(self) -> Properties<'a> {
        Properties {
            effect: Effect::Checks(self.0),
            alias: Alias::NoResults,
            cost: Cost::Control,
            structure: Structure::Effect,
        }
    }

    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result {
        self.0.print(text)
    }

    fn read(text: &mut Reader<'_, '_>) -> ReadResult {
        match Observation::read(text, "assert")? {
            Some(observation) => done(Op::Assert(observation)),
            None => Ok(None),
        }
    }
}

impl Observation {
    fn print(&self, text: &mut Printer<'_, '_>) -> fmt::Result {
        text.symbol(&self.text)?;
        text.operands()?;
        write!(text, " site {}", self.site)
    }

    fn read(reader: &mut Reader<'_, '_>, name: &str) -> Result<Option<Self>, ParseError> {
        if !reader.is(name) {
            return Ok(None);
        }
        let text = reader.symbol()?.item;
        reader.operands()?;
        let site = reader.number("site")?;
        Ok(Some(Self { text, site }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traces_take_anything_and_assertions_one_truth_value() {
        let (truth, x) = (
            TensorType::new(DType::Bool, []),
            TensorType::new(DType::Bool, [2]),
        );
        let both = [truth.clone(), x.clone()];
        assert_eq!(infer_trace(&both), Ok(Vec::new()));
        assert!(infer_trace(&[]).is_err());
        assert_eq!(infer_assert(&[truth]), Ok(Vec::new()));
        assert!(infer_assert(&[x]).is_err());
        assert!(infer_assert(&both).is_err());
    }
}
