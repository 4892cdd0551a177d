use super::literal::{UnknownType, tensor};
use crate::device::HostTensor;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A case as it is stored: what the suite says, as text.
#[derive(Deserialize)]
pub(super) struct Case {
    /// The name of the function that it was.
    pub(super) name: String,
    /// The literal for each value that is known.
    pub(super) inputs: BTreeMap<String, String>,
    pub(super) ops: Vec<Operation>,
    pub(super) checks: Vec<Check>,
}

/// What is computed.
#[derive(Deserialize)]
pub(super) struct Operation {
    pub(super) op: String,
    pub(super) results: String,
    /// Everything behind the operation's name.
    pub(super) text: String,
}

/// What should come out.
#[derive(Deserialize)]
pub(super) struct Check {
    pub(super) kind: String,
    pub(super) actual: String,
    pub(super) expected: String,
}

impl Case {
    /// The cases, one for each line.
    pub(super) fn all() -> serde_json::Result<Vec<Self>> {
        let lines = include_str!("../../conformance/stablehlo_interpret.jsonl").lines();
        lines.map(serde_json::from_str).collect()
    }

    /// The operation that the case is about: the first one.
    pub(super) fn operation(&self) -> &Operation {
        self.ops.first().expect("a case has an operation")
    }

    /// The known values.
    pub(super) fn inputs(&self) -> Result<BTreeMap<String, HostTensor>, UnknownType> {
        let inputs = self.inputs.iter();
        inputs
            .map(|(name, literal)| Ok((name.clone(), tensor(literal)?)))
            .collect()
    }

    /// The expected values, each with the name of what should have it.
    pub(super) fn expected(&self) -> Result<Vec<(&str, HostTensor)>, UnknownType> {
        let checks = self.checks.iter();
        checks
            .map(|check| Ok((check.actual.as_str(), tensor(&check.expected)?)))
            .collect()
    }

    /// Whether every bit should be as expected.
    pub(super) fn is_exact(&self) -> bool {
        self.checks
            .iter()
            .all(|check| check.kind == "expect_eq_const")
    }
}
