use super::{
    Entry, Parameters,
    mismatch::{self, Mismatch, Problem, Wanted},
};
use crate::{Error, Result, ffi::Supply};
use iree_abi::{Signature, SuppliedParameter};
use std::{borrow::Cow, collections::BTreeMap};

/// The archives that a program is loaded with, by scope.
#[derive(Clone, Default)]
pub(crate) struct Supplies(BTreeMap<String, Vec<Parameters>>);

impl Supplies {
    pub(crate) fn add(&mut self, scope: &str, parameters: Parameters) {
        self.0.entry(scope.to_owned()).or_default().push(parameters);
    }

    /// The bytes of a tensor, or why there are none.
    pub(crate) fn find(&self, scope: &str, key: &str) -> Result<Supply, String> {
        match self.all(scope, key).as_slice() {
            [entry, ..] => Ok(Supply {
                contents: entry.contents.clone(),
                residents: entry.residents.clone(),
            }),
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

    /// Has numbers become those of the types of a program, where these differ in that alone.
    pub(crate) fn convert(&mut self, signature: &Signature) {
        for (scope, archives) in &mut self.0 {
            for archive in archives {
                let own = signature.parameters.iter();
                let own = own.filter(|parameter| parameter.scope == *scope);
                archive.convert(own.map(|parameter| (parameter.key.as_str(), &parameter.ty)));
            }
        }
    }

    /// Checks that the archives have what a program needs.
    ///
    /// # Errors
    ///
    /// [`Error::Parameters`] with everything that is wrong.
    pub(crate) fn check(&self, signature: &Signature) -> Result<()> {
        let scopes = self.0.keys();
        let unknown = scopes.filter_map(|scope| unknown_scope(scope, signature));
        let problems = signature.parameters.iter().filter_map(|parameter| {
            let wanted = Wanted {
                scope: Some(&parameter.scope),
                key: &parameter.key,
                ty: &parameter.ty,
            };
            Some((wanted, self.problem(parameter)?))
        });
        let problems: Vec<_> = problems.collect();
        let archives = |scope: Option<&str>| {
            let archives = self.0.get(scope.unwrap_or_default());
            archives.into_iter().flatten().collect()
        };
        let is_wanted = |scope: Option<&str>, key: &str| {
            let mut own = signature.parameters.iter();
            own.any(|own| scope == Some(own.scope.as_str()) && own.key == key)
        };
        mismatch::error(
            &signature.name,
            unknown.collect(),
            &problems,
            archives,
            is_wanted,
        )
    }

    /// The bytes of a parameter, which was checked.
    pub(crate) fn bytes(&self, parameter: &SuppliedParameter) -> Result<Cow<'_, [u8]>> {
        match self.all(&parameter.scope, &parameter.key).as_slice() {
            [entry, ..] => Ok(entry.contents.bytes()),
            [] => Err(Error::Parameters {
                program: String::new(),
                problems: vec![parameter.to_string()],
            }),
        }
    }

    /// What is wrong with a parameter.
    fn problem(&self, parameter: &SuppliedParameter) -> Option<Problem> {
        match self.all(&parameter.scope, &parameter.key).as_slice() {
            [entry] => Mismatch::of(&parameter.ty, entry).map(Problem::Differs),
            [] if self.0.contains_key(&parameter.scope) => Some(Problem::Missing),
            [] => Some(Problem::NoArchive),
            several => Some(Problem::Several(several.len())),
        }
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
