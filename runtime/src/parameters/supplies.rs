use super::{Entry, Parameters, byte_count};
use crate::{Error, Result, ffi::Contents};
use iree_abi::{DType, Signature, SuppliedParameter, TensorType};
use std::{borrow::Cow, collections::BTreeMap};

/// The archives that a program is loaded with, by scope.
#[derive(Clone, Default)]
pub(crate) struct Supplies(BTreeMap<String, Vec<Parameters>>);

impl Supplies {
    pub(crate) fn add(&mut self, scope: &str, parameters: Parameters) {
        self.0.entry(scope.to_owned()).or_default().push(parameters);
    }

    /// The bytes of a tensor, or why there are none.
    pub(crate) fn find(&self, scope: &str, key: &str) -> Result<Contents, String> {
        match self.all(scope, key).as_slice() {
            [entry, ..] => Ok(entry.contents.clone()),
            [] if self.0.contains_key(scope) => Err(format!("no archive has `{scope}::{key}`")),
            [] => Err(format!(
                "no archive was given for the scope `{scope}`, for `{key}`"
            )),
        }
    }

    fn all(&self, scope: &str, key: &str) -> Vec<&Entry> {
        let archives = self.0.get(scope).into_iter().flatten();
        archives
            .filter_map(|archive| archive.entries.get(key))
            .collect()
    }

    /// Checks that the archives have what a program needs.
    ///
    /// # Errors
    ///
    /// [`Error::Parameters`] with everything that is wrong.
    pub(crate) fn check(&self, signature: &Signature) -> Result<()> {
        let scopes = self.0.keys();
        let unknown = scopes.filter_map(|scope| unknown_scope(scope, signature));
        let wrong = signature.parameters.iter();
        let wrong = wrong.filter_map(|parameter| self.problem(parameter));
        all(&signature.name, unknown.chain(wrong).collect())
    }

    /// The bytes of a parameter, which was checked.
    pub(crate) fn bytes(&self, parameter: &SuppliedParameter) -> Result<Cow<'_, [u8]>> {
        match self.all(&parameter.scope, &parameter.key).as_slice() {
            [entry, ..] => Ok(entry.contents.bytes()),
            [] => all("", vec![parameter.to_string()]).map(|()| Cow::Borrowed(&[][..])),
        }
    }

    /// What is wrong with a parameter.
    fn problem(&self, parameter: &SuppliedParameter) -> Option<String> {
        let reason = match self.all(&parameter.scope, &parameter.key).as_slice() {
            [entry] => mismatch(&parameter.ty, entry)?,
            [] if self.0.contains_key(&parameter.scope) => "no archive has it".to_owned(),
            [] => format!("no archive was given for the scope `{}`", parameter.scope),
            several => format!("{} archives have it", several.len()),
        };
        Some(format!("{parameter}: {reason}"))
    }
}

/// Everything that is wrong, if anything is.
pub(super) fn all(program: &str, problems: Vec<String>) -> Result<()> {
    match problems.is_empty() {
        true => Ok(()),
        false => Err(Error::Parameters {
            program: program.to_owned(),
            problems,
        }),
    }
}

fn unknown_scope(scope: &str, signature: &Signature) -> Option<String> {
    let mut known: Vec<_> = signature.parameters.iter().map(|one| &one.scope).collect();
    known.dedup();
    if known.iter().any(|known| *known == scope) {
        return None;
    }
    let known: Vec<_> = known.iter().map(|scope| format!("`{scope}`")).collect();
    let known = match known.is_empty() {
        true => "none".to_owned(),
        false => known.join(", "),
    };
    Some(format!(
        "the program has no scope `{scope}`; its scopes are: {known}"
    ))
}

/// How a tensor of an archive differs from what it should be.
pub(super) fn mismatch(expected: &TensorType, entry: &Entry) -> Option<String> {
    let found = entry.contents.len();
    match &entry.ty {
        Some(ty) if ty != expected => Some(format!("the archive has `{ty}`")),
        _ if byte_count(expected) != Some(found) => {
            let expected = byte_count(expected).unwrap_or(usize::MAX);
            Some(format!(
                "the archive has {found} bytes instead of {expected}"
            ))
        }
        _ if expected.dtype == DType::Bool && !entry.contents.are_truth_values() => {
            Some("the archive has bytes that are neither `false` nor `true`".to_owned())
        }
        _ => None,
    }
}
