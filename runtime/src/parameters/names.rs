//! What archives call the tensors that a program does not find in them.

use super::mismatch::{Problem, Wanted, line, scope};
use std::collections::{BTreeMap, BTreeSet};

/// So many names are compared with all that there are, which takes time.
const COMPARED: usize = 64;

/// So many names are looked for that are spelled alike, which takes more.
const SPELLED: usize = 16;

/// A part of names that the archive has in the place of another, both of whole words between dots and without the dots
/// around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Renaming<'k> {
    wanted: &'k str,
    found: &'k str,
}

/// A line for each problem of a scope, or for all names that the archive has in the same other form. `unused` are the names
/// that the archives have and the program does not.
pub(super) fn explain(
    scope: Option<&str>,
    problems: Vec<&(Wanted<'_>, Problem)>,
    unused: &[&str],
) -> Vec<String> {
    let mut lines = Vec::new();
    let is_missing = |problem: &Problem| *problem == Problem::Missing;
    let mut missing: Vec<_> = problems
        .iter()
        .filter_map(|(wanted, problem)| is_missing(problem).then_some(wanted.key))
        .collect();
    let mut unused: BTreeSet<_> = unused.iter().copied().collect();
    while let Some(renaming) = most_frequent(&missing, &unused) {
        let found = missing.iter().copied();
        let found: Vec<_> = found
            .filter_map(|key| Some((key, renaming.apply(key, &unused)?)))
            .collect();
        let [(key, other), ..] = found.as_slice() else {
            break;
        };
        lines.push(renaming.say(scope, found.len(), key, other));
        missing.retain(|key| !found.iter().any(|(found, _)| found == key));
        for (_, other) in &found {
            unused.remove(other.as_str());
        }
    }
    let mut spelled = 0;
    for (wanted, problem) in problems {
        if !is_missing(problem) {
            lines.push(line(wanted, problem, None));
        } else if missing.contains(&wanted.key) {
            spelled += 1;
            let near = (spelled <= SPELLED).then(|| nearest(wanted.key, &unused));
            lines.push(line(wanted, problem, near.flatten()));
        }
    }
    lines
}

/// The renaming that finds the most names, of several or of all.
fn most_frequent<'k>(missing: &[&'k str], unused: &BTreeSet<&'k str>) -> Option<Renaming<'k>> {
    let mut counts: BTreeMap<Renaming<'_>, usize> = BTreeMap::new();
    for key in missing.iter().take(COMPARED) {
        let all = unused
            .iter()
            .filter_map(|other| Renaming::between(key, other));
        for renaming in all.collect::<BTreeSet<_>>() {
            *counts.entry(renaming).or_default() += 1;
        }
    }
    let simplest = |renaming: &Renaming<'_>| renaming.wanted.len() + renaming.found.len();
    let (renaming, count) = counts.into_iter().max_by(|(one, count), (other, others)| {
        count.cmp(others).then(simplest(other).cmp(&simplest(one)))
    })?;
    let is_prefix = renaming.wanted.is_empty() || renaming.found.is_empty();
    (count > 1 || (is_prefix && missing.len() == 1)).then_some(renaming)
}

impl<'k> Renaming<'k> {
    /// What differs between two names, which have some word in common.
    fn between(wanted: &'k str, found: &'k str) -> Option<Self> {
        let words = |key: &'k str| key.split('.').collect::<Vec<_>>();
        let (one, other) = (words(wanted), words(found));
        let shorter = one.len().min(other.len());
        let front = one
            .iter()
            .zip(&other)
            .take_while(|(one, other)| one == other);
        let front = front.count();
        let back = one.iter().rev().zip(other.iter().rev());
        let back = back.take_while(|(one, other)| one == other).count();
        let back = back.min(shorter - front.min(shorter));
        (front + back > 0 && wanted != found).then_some(Self {
            wanted: middle(wanted, front, back),
            found: middle(found, front, back),
        })
    }

    /// What the archive calls a tensor, if it is one of those that it has.
    fn apply(self, key: &str, unused: &BTreeSet<&str>) -> Option<String> {
        let words: Vec<_> = key.split('.').collect();
        let parts = |text: &'k str| text.split('.').filter(|part| !part.is_empty());
        let (old, new): (Vec<_>, Vec<_>) =
            (parts(self.wanted).collect(), parts(self.found).collect());
        (0..=words.len().checked_sub(old.len())?).find_map(|at| {
            let (front, rest) = words.split_at(at);
            let back = rest.strip_prefix(old.as_slice())?;
            let name = [front, &new, back].concat().join(".");
            unused.contains(name.as_str()).then_some(name)
        })
    }

    fn say(self, scope_name: Option<&str>, count: usize, key: &str, other: &str) -> String {
        let Self { wanted, found } = self;
        let scope = scope(scope_name);
        let tensors = match count {
            1 => "a tensor is".to_owned(),
            _ => format!("{count} tensors are"),
        };
        let example = format!("`{other}` for `{key}`");
        if wanted.is_empty() && other.strip_suffix(key) == Some(&format!("{found}.")) {
            return format!(
                "{scope}{tensors} in the archive with `{found}.` in front, {example}: \
                 give `archive.without_prefix(\"{found}.\")`"
            );
        }
        if found.is_empty() && key.strip_suffix(other) == Some(&format!("{wanted}.")) {
            return format!(
                "{scope}{tensors} in the archive without `{wanted}.` in front, {example}: \
                 give `archive.with_prefix(\"{wanted}.\")`"
            );
        }
        let how = match (wanted, found) {
            ("", found) => format!("with `{found}` more"),
            (wanted, "") => format!("without `{wanted}`"),
            (wanted, found) => format!("with `{found}` for `{wanted}`"),
        };
        format!("{scope}{tensors} in the archive {how}, {example}: say so with `#[param(\"…\")]`")
    }
}

/// The words of a name without so many in front and at the end.
fn middle(key: &str, front: usize, back: usize) -> &str {
    let after = |text: &'_ str| text.find('.').map_or(text.len(), |dot| dot + 1);
    let start = (0..front).fold(0, |start, _| start + key.get(start..).map_or(0, after));
    let end = (0..back).fold(key.len(), |end, _| {
        key.get(..end).and_then(|text| text.rfind('.')).unwrap_or(0)
    });
    key.get(start..end.max(start))
        .unwrap_or_default()
        .trim_end_matches('.')
}

/// The name that was most likely meant.
fn nearest<'k>(key: &str, unused: &BTreeSet<&'k str>) -> Option<&'k str> {
    let length = key.chars().count();
    let most = 1 + length / 4;
    let near = unused
        .iter()
        .filter(|other| other.chars().count().abs_diff(length) <= most);
    let distances = near.map(|other| (strsim::damerau_levenshtein(key, other), *other));
    let (distance, nearest) = distances.min()?;
    (distance <= most && distance < length).then_some(nearest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use iree_abi::{DType, TensorType};

    fn lines(missing: &[&str], unused: &[&str]) -> Vec<String> {
        let ty = TensorType::new(DType::F32, []);
        let problems = missing.iter().map(|key| {
            let wanted = Wanted {
                scope: Some("model"),
                key,
                ty: &ty,
            };
            (wanted, Problem::Missing)
        });
        let problems: Vec<_> = problems.collect();
        explain(Some("model"), problems.iter().collect(), unused)
    }

    #[test]
    fn a_prefix_that_the_archive_has_is_told_once() {
        let found = lines(
            &["layers.0.w", "layers.0.b", "layers.1.w", "scale"],
            &[
                "bert.layers.0.b",
                "bert.layers.0.w",
                "bert.layers.1.w",
                "bert.scale",
                "cls.w",
            ],
        );
        assert_eq!(
            found,
            [
                "model: 4 tensors are in the archive with `bert.` in front, `bert.layers.0.w` for `layers.0.w`: \
              give `archive.without_prefix(\"bert.\")`"
            ]
        );
    }

    #[test]
    fn a_prefix_that_the_archive_lacks_is_told_once() {
        let found = lines(&["model.w", "model.b"], &["w", "b", "c"]);
        assert_eq!(
            found,
            [
                "model: 2 tensors are in the archive without `model.` in front, `w` for `model.w`: \
              give `archive.with_prefix(\"model.\")`"
            ]
        );
        let found = lines(&["model.w"], &["w"]);
        assert!(
            found[0].starts_with("model: a tensor is in the archive without"),
            "{found:?}"
        );
    }

    #[test]
    fn words_in_the_middle_are_told_once() {
        let found = lines(
            &["l.0.query.w", "l.0.key.w", "l.1.query.w", "l.1.key.w"],
            &[
                "l.0.self.query.w",
                "l.0.self.key.w",
                "l.1.self.query.w",
                "l.1.self.key.w",
            ],
        );
        assert_eq!(
            found,
            [
                "model: 4 tensors are in the archive with `self` more, `l.0.self.query.w` for `l.0.query.w`: \
              say so with `#[param(\"…\")]`"
            ]
        );
        let found = lines(
            &["layers.0.w", "layers.0.b", "layers.1.w", "layers.1.b"],
            &["h.0.w", "h.0.b", "h.1.w", "h.1.b"],
        );
        assert_eq!(
            found,
            [
                "model: 4 tensors are in the archive with `h` for `layers`, `h.0.w` for `layers.0.w`: \
              say so with `#[param(\"…\")]`"
            ]
        );
        let found = lines(
            &["a.gamma", "b.gamma", "a.beta", "b.beta"],
            &["a.weight", "b.weight", "a.bias", "b.bias"],
        );
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(
            found[1].contains("with `weight` for `gamma`")
                || found[0].contains("with `weight` for `gamma`"),
            "{found:?}"
        );
    }

    #[test]
    fn single_names_have_their_nearest() {
        let found = lines(&["layers.0.wieght", "other"], &["layers.0.weight", "z"]);
        assert_eq!(
            found,
            [
                "model::layers.0.wieght: Tensor<f32>: no archive has it; the nearest name is `layers.0.weight`",
                "model::other: Tensor<f32>: no archive has it",
            ]
        );
    }

    #[test]
    fn nothing_is_said_of_names_that_have_nothing_in_common() {
        assert_eq!(
            lines(&["a.b"], &["x.y", "z"]),
            ["model::a.b: Tensor<f32>: no archive has it"]
        );
        assert_eq!(lines(&["a"], &[]).len(), 1);
    }

    #[test]
    fn the_middle_of_a_name_is_whole_words() {
        assert_eq!(middle("a.b.c.d", 1, 1), "b.c");
        assert_eq!(middle("a.b.c", 0, 2), "a");
        assert_eq!(middle("a.b.c", 2, 0), "c");
        assert_eq!(middle("a.b", 1, 1), "");
        assert_eq!(middle("a", 0, 1), "");
    }
}
