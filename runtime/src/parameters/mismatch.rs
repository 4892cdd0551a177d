//! What is wrong with the tensors that a program is given, said so that one can mend it.

use super::{Entry, Parameters, byte_count, names};
use crate::{Error, Result, convert::Conversion};
use iree_abi::{DType, TensorType};
use std::fmt;

/// As many problems of one kind are told one by one; of more there is a line about all.
const FEW: usize = 3;

/// A tensor that a program needs.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    /// What the program calls the archives that should have it; `None` if there is but one.
    pub(super) scope: Option<&'a str>,
    pub(super) key: &'a str,
    pub(super) ty: &'a TensorType,
}

impl fmt::Display for Wanted<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scope, key, ty } = self;
        match scope {
            Some(scope) => write!(formatter, "{scope}::{key}: {ty}"),
            None => write!(formatter, "{key}: {ty}"),
        }
    }
}

/// Why a program does not get a tensor.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Problem {
    /// No archive has the name.
    Missing,
    /// The scope has no archives.
    NoArchive,
    /// So many archives have it.
    Several(usize),
    /// It is another tensor.
    Differs(Mismatch),
}

/// How a tensor of an archive differs from what it should be.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Mismatch {
    /// The type that the archive says it has.
    Type(TensorType),
    /// How many bytes it has, of so many.
    Bytes { found: usize, expected: usize },
    /// Bytes that are neither `false` nor `true`.
    TruthValues,
    /// A number that the program's type has no room for.
    Overflow(f64),
    /// It cannot be read.
    Unreadable(String),
}

impl Mismatch {
    /// `None` if the tensor is what it should be.
    pub(super) fn of(expected: &TensorType, entry: &Entry) -> Option<Self> {
        let found = entry.contents.len();
        if let Some(ty) = entry.ty.as_ref().filter(|ty| *ty != expected) {
            return Some(Self::Type(ty.clone()));
        }
        if byte_count(expected) != Some(found) {
            let expected = byte_count(expected).unwrap_or(usize::MAX);
            return Some(Self::Bytes { found, expected });
        }
        if expected.dtype == DType::Bool && !entry.contents.are_truth_values() {
            return Some(Self::TruthValues);
        }
        match entry.contents.overflow() {
            Ok(number) => number.map(Self::Overflow),
            Err(error) => Some(Self::Unreadable(error.to_string())),
        }
    }

    fn explain(&self, wanted: &TensorType) -> String {
        match self {
            Self::Type(found) => match Difference::between(found, wanted) {
                Difference::Other => format!("the archive has `{found}`"),
                difference => format!("the archive has `{found}`; {}", difference.cure()),
            },
            Self::Bytes { found, expected } => {
                let types = "; it says no types, so that nothing of it can be converted";
                let ratio = found.max(expected).checked_div(*found.min(expected));
                let is_other_type = matches!(ratio, Some(2 | 4));
                let types = if is_other_type { types } else { "" };
                format!("the archive has {found} bytes instead of {expected}{types}")
            }
            Self::TruthValues => {
                "the archive has bytes that are neither `false` nor `true`".to_owned()
            }
            Self::Overflow(number) => {
                format!(
                    "the archive has {number:?}, which `{}` has no room for",
                    wanted.dtype
                )
            }
            Self::Unreadable(reason) => format!("the archive cannot be read: {reason}"),
        }
    }
}

/// How two types differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Difference {
    /// In the type of floating-point numbers alone.
    Convertible,
    /// One is the transpose of the other.
    Transposed,
    /// They have the same sizes in another order.
    Permuted,
    /// They have as many elements.
    Reshaped,
    Other,
}

impl Difference {
    fn between(found: &TensorType, wanted: &TensorType) -> Self {
        let sizes = found.shape.known().zip(wanted.shape.known());
        let (found_sizes, wanted_sizes) = sizes.unwrap_or_default();
        if found.shape == wanted.shape {
            return match Conversion::new(found.dtype, wanted.dtype) {
                Some(_) => Self::Convertible,
                None => Self::Other,
            };
        }
        let (mut reversed, mut one, mut other) = (
            found_sizes.clone(),
            found_sizes.clone(),
            wanted_sizes.clone(),
        );
        reversed.reverse();
        one.sort_unstable();
        other.sort_unstable();
        let count = |sizes: &[usize]| {
            sizes
                .iter()
                .try_fold(1, |count: usize, size| count.checked_mul(*size))
        };
        match () {
            () if found_sizes.len() == 2 && reversed == wanted_sizes => Self::Transposed,
            () if one == other => Self::Permuted,
            () if count(&found_sizes) == count(&wanted_sizes) => Self::Reshaped,
            () => Self::Other,
        }
    }

    const fn cure(self) -> &'static str {
        match self {
            Self::Convertible => "`convert_parameters()` of the loader converts it",
            Self::Transposed => "declare this transpose, and use `.t()` of it",
            Self::Permuted => "declare these sizes in this order, and use `.permute([…])` of it",
            Self::Reshaped => "declare these sizes, and use `.reshape([…])` of it",
            Self::Other => "",
        }
    }
}

/// All that is wrong, as one error; `before` is said first.
///
/// `archives` are those of a scope, `is_wanted` tells whether the program has a parameter of a name.
pub(super) fn error<'p>(
    program: &str,
    before: Vec<String>,
    problems: &[(Wanted<'_>, Problem)],
    archives: impl Fn(Option<&str>) -> Vec<&'p Parameters>,
    is_wanted: impl Fn(Option<&str>, &str) -> bool,
) -> Result<()> {
    if before.is_empty() && problems.is_empty() {
        return Ok(());
    }
    let mut lines = before;
    let mut rest: Vec<_> = problems.iter().collect();
    lines.extend(of_types(&mut rest));
    lines.extend(without_archives(&mut rest));
    let mut scopes: Vec<_> = rest.iter().map(|(wanted, _)| wanted.scope).collect();
    scopes.dedup();
    for scope in scopes {
        let keys = archives(scope);
        let unused = keys.iter().flat_map(|archive| archive.keys());
        let unused: Vec<_> = unused.filter(|key| !is_wanted(scope, key)).collect();
        let in_scope = |(wanted, _): &&(Wanted<'_>, Problem)| wanted.scope == scope;
        let (own, others): (Vec<_>, Vec<_>) = rest.into_iter().partition(in_scope);
        rest = others;
        lines.extend(names::explain(scope, own, &unused));
    }
    Err(Error::Parameters {
        program: program.to_owned(),
        problems: lines,
    })
}

type Problems<'p, 'w> = Vec<&'p (Wanted<'w>, Problem)>;

/// Takes tensors out that differ in the same way, if there are more than a few.
fn of_types(problems: &mut Problems<'_, '_>) -> Vec<String> {
    let kind = |(wanted, problem): &(Wanted<'_>, Problem)| match problem {
        Problem::Differs(Mismatch::Type(found)) => match Difference::between(found, wanted.ty) {
            Difference::Convertible => Some((
                wanted.scope.map(str::to_owned),
                found.dtype,
                wanted.ty.dtype,
            )),
            Difference::Transposed if found.dtype == wanted.ty.dtype => {
                Some((wanted.scope.map(str::to_owned), found.dtype, found.dtype))
            }
            _ => None,
        },
        _ => None,
    };
    let mut lines = Vec::new();
    let mut kinds: Vec<_> = problems
        .iter()
        .filter_map(|problem| kind(problem))
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    for alike in kinds {
        let own: Vec<_> = problems
            .iter()
            .filter(|one| kind(one).as_ref() == Some(&alike))
            .collect();
        let (_, found, wanted) = &alike;
        if let [(first, problem), ..] = own.as_slice()
            && own.len() > FEW
        {
            let count = own.len();
            let scope = scope(first.scope);
            lines.push(match (found == wanted, problem) {
                (true, Problem::Differs(Mismatch::Type(found))) => format!(
                    "{scope}{count} tensors are transposed, as `{}`, which is `{found}` in the archive instead of \
                     `{}`: declare the transposes, and use `.t()` of them",
                    first.key, first.ty
                ),
                _ => format!(
                    "{scope}{count} tensors have elements of `{found}` in the archive instead of `{wanted}`, as \
                     `{}`: `convert_parameters()` of the loader converts them",
                    first.key
                ),
            });
            problems.retain(|one| kind(one).as_ref() != Some(&alike));
        }
    }
    lines
}

/// Takes the tensors of scopes without archives out, if there are more than a few.
fn without_archives(problems: &mut Problems<'_, '_>) -> Vec<String> {
    let mut scopes: Vec<_> = problems.iter().map(|(wanted, _)| wanted.scope).collect();
    scopes.dedup();
    let lines = scopes.into_iter().filter_map(|scope| {
        let is_own = |(wanted, problem): &&(Wanted<'_>, Problem)| {
            wanted.scope == scope && *problem == Problem::NoArchive
        };
        let count = problems.iter().copied().filter(is_own).count();
        let first = problems.iter().copied().find(is_own)?;
        if count <= FEW {
            return None;
        }
        problems.retain(|problem| !is_own(problem));
        Some(format!(
            "no archive was given for the scope `{}`, which has {count} tensors, as `{}`",
            scope.unwrap_or_default(),
            first.0.key
        ))
    });
    lines.collect()
}

/// What lines about several tensors of a scope begin with.
pub(super) fn scope(scope: Option<&str>) -> String {
    scope.map_or_else(String::new, |scope| format!("{scope}: "))
}

/// What is said of one tensor alone. `near` is a name that may have been meant.
pub(super) fn line(wanted: &Wanted<'_>, problem: &Problem, near: Option<&str>) -> String {
    let reason = match problem {
        Problem::Missing => {
            let missing = match wanted.scope {
                Some(_) => "no archive has it",
                None => "the archive does not have it",
            };
            near.map_or_else(
                || missing.to_owned(),
                |near| format!("{missing}; the nearest name is `{near}`"),
            )
        }
        Problem::NoArchive => {
            let scope = wanted.scope.unwrap_or_default();
            format!("no archive was given for the scope `{scope}`")
        }
        Problem::Several(count) => format!("{count} archives have it"),
        Problem::Differs(mismatch) => mismatch.explain(wanted.ty),
    };
    format!("{wanted}: {reason}")
}
