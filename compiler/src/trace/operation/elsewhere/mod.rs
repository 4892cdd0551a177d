//! What users of other libraries look for, and what it is called here.

mod names;
mod types;

use names::{ARGUMENTS, LIBRARIES, OPERATIONS, VALUES};
use types::TYPES;

/// What a name of another library is in the language.
#[derive(Clone, Copy, Debug)]
enum Here {
    /// Ways to write the same.
    Write(&'static [&'static str]),
    /// Why there is nothing of the kind, or what to do in its place.
    Say(&'static str),
}

use Here::{Say, Write};

impl Here {
    fn advice(self) -> String {
        match self {
            Write(ways) => format!("write `{}`", ways.join("` or `")),
            Say(text) => text.to_owned(),
        }
    }
}

/// How to write what an operation of this name does elsewhere. PyTorch has a `_` behind what changes a tensor in place.
pub(crate) fn operation_elsewhere(name: &str) -> Option<String> {
    let plain = name.trim_end_matches('_');
    find(OPERATIONS, name).or_else(|| find(OPERATIONS, plain))
}

/// What to write in place of an operation elsewhere that applies to values that are no tensors, too.
pub(crate) fn habit_elsewhere(name: &str) -> Option<String> {
    let here = entry(OPERATIONS, name)?;
    matches!(here, Say(_)).then(|| here.advice())
}

/// How to write a value of this name elsewhere.
pub(crate) fn value_elsewhere(name: &str) -> Option<String> {
    if LIBRARIES.contains(&name) {
        let help = "operations have no library before their names: `np.exp(x)` is `x.exp()`";
        return Some(help.to_owned());
    }
    find(VALUES, name)
}

/// How to write what an argument of this name does elsewhere.
pub(crate) fn argument_elsewhere(name: &str) -> Option<String> {
    find(ARGUMENTS, name)
}

/// What is written in place of a type of this name elsewhere.
pub(crate) fn type_elsewhere(name: &str) -> Option<String> {
    find(TYPES, name)
}

fn find(table: &[(&[&str], Here)], name: &str) -> Option<String> {
    entry(table, name).map(Here::advice)
}

fn entry(table: &[(&[&str], Here)], name: &str) -> Option<Here> {
    let found = table.iter().find(|(names, _)| names.contains(&name));
    found.map(|(_, here)| *here)
}

#[cfg(test)]
mod tests {
    use super::{
        super::OPERATIONS as KNOWN,
        names::{ARGUMENTS, OPERATIONS, VALUES},
        *,
    };
    use std::collections::BTreeSet;

    #[test]
    fn each_name_stands_there_once_and_is_no_operation() {
        let mut seen = BTreeSet::new();
        for name in OPERATIONS.iter().flat_map(|(names, _)| *names) {
            assert!(seen.insert(*name), "`{name}` twice");
            let known = KNOWN
                .iter()
                .any(|known| known.name.trim_end_matches('!') == *name);
            assert!(!known, "`{name}` is an operation");
        }
    }

    /// The variables that what is to be written may name.
    const VARIABLES: &str = "x: Tensor<f32, 3, 4>, y: Tensor<f32, 3, 4>, z: Tensor<Complex<f32>, 3, 4>, a: Tensor<f32, 4>, \
        b: Tensor<f32, 4>, c: Tensor<f32, 3>, i: Tensor<i32, 3>, mask: Tensor<bool, 3, 4>, square: Tensor<f32, 4, 4>, \
        image: Tensor<f32, 2, 8, 8, 3>, kernel: Tensor<f32, 3, 3, 3, 5>, key: Tensor<u32, 2>, row: Tensor<f32, 1, 4>";

    #[test]
    fn what_is_to_be_written_is_right() {
        for (names, here) in OPERATIONS.iter().chain(VALUES).chain(ARGUMENTS) {
            let Write(ways) = here else { continue };
            for way in *ways {
                let program = format!(
                    "mod m {{ pub struct P {{}} impl P {{ pub fn run(&self, {VARIABLES}) {{ let r = {{ {way} }}; }} }} }}"
                );
                let mistakes = crate::trace::tests::mistakes(&program);
                assert_eq!(mistakes, Vec::<String>::new(), "{names:?}: {way}");
            }
        }
    }

    #[test]
    fn types_that_are_to_be_written_are_there() {
        let mut seen = BTreeSet::new();
        for (names, here) in TYPES {
            assert!(names.iter().all(|name| seen.insert(*name)), "{names:?}");
            let Write(types) = here else { continue };
            for ty in *types {
                let program = format!(
                    "mod m {{ pub struct P {{}} impl P {{ pub fn run(&self, x: Tensor<{ty}>) -> Tensor<{ty}> {{ x }} }} }}"
                );
                let mistakes = crate::trace::tests::mistakes(&program);
                assert_eq!(mistakes, Vec::<String>::new(), "{names:?}: {ty}");
            }
        }
    }

    #[test]
    fn names_of_other_libraries_are_known() {
        let here = |name| operation_elsewhere(name).unwrap_or_default();
        assert_eq!(here("expand_dims"), "write `x.insert_axis(0)`");
        assert_eq!(here("where_"), "write `select(mask, x, y)`");
        assert_eq!(here("add_"), "write `x + y`");
        assert_eq!(here("sum"), "");
    }
}
