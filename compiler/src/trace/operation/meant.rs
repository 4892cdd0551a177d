//! What was probably meant by the name of an operation that does not exist.

use super::{
    OPERATIONS, OperationForm, OperationInfo,
    elsewhere::{operation_elsewhere, type_elsewhere, value_elsewhere},
};
use crate::diagnostic::nearest;

/// What to say of a name that no operation of this form has. `others` are names that it may be a slip of, besides
/// those of operations.
pub(crate) fn meant<'n>(
    name: &'n str,
    form: OperationForm,
    others: impl IntoIterator<Item = &'n str>,
) -> Option<String> {
    let plain = name.rsplit("::").next().unwrap_or(name);
    in_other_form(plain, None)
        .or_else(|| of_group(name))
        .or_else(|| operation_elsewhere(plain))
        .or_else(|| slip(name, form, others))
        .or_else(|| of_first_segment(name))
}

/// What is written in place of what a path begins with: a library, a type or a value.
fn of_first_segment(name: &str) -> Option<String> {
    let first = name.split("::").next()?;
    value_elsewhere(first).or_else(|| type_elsewhere(first))
}

/// The operations of this name, but for those of a form.
pub(crate) fn in_other_form(name: &str, form: Option<OperationForm>) -> Option<String> {
    let is_other = |known: &&OperationInfo| plain(known) == name && Some(known.form) != form;
    let found = OPERATIONS.iter().filter(is_other);
    let found = found.map(|known| {
        let form = match known.form {
            OperationForm::Method => "method",
            OperationForm::Function => "function",
            OperationForm::Macro => "macro",
        };
        format!("a {form}: `{}`", known.usage)
    });
    let found: Vec<_> = found.collect();
    (!found.is_empty()).then(|| format!("it is {}", found.join(", or ")))
}

/// The function of a group, as `random`, that has this name in it.
fn of_group(name: &str) -> Option<String> {
    let mut operations = OPERATIONS.iter();
    let is_meant = |known: &&OperationInfo| {
        let in_group = known.name.rsplit_once("::");
        in_group.is_some_and(|(_, last)| last == name)
    };
    let usage = operations.find(is_meant)?.usage;
    Some(format!("write `{usage}`"))
}

/// What differs from a name in a few letters only: of several as near, first what is called in the same form.
fn slip<'n>(
    name: &'n str,
    form: OperationForm,
    others: impl IntoIterator<Item = &'n str>,
) -> Option<String> {
    let of_form = |known: &&OperationInfo| known.form == form;
    let (same, rest): (Vec<_>, Vec<_>) = OPERATIONS.iter().partition(of_form);
    let operations: Vec<_> = same.into_iter().chain(rest).collect();
    let names = operations.iter().map(|known| plain(known));
    let similar = nearest(name, others.into_iter().chain(names))?;
    let known = operations.iter().find(|known| plain(known) == similar);
    Some(match known {
        Some(known) => format!(
            "there is an operation with a similar name: `{}`",
            known.usage
        ),
        None => format!("there is something with a similar name: `{similar}`"),
    })
}

/// The name of an operation without the mark of a macro.
fn plain(known: &OperationInfo) -> &'static str {
    known.name.trim_end_matches('!')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_function(name: &str) -> String {
        meant(name, OperationForm::Function, ["project"]).unwrap_or_default()
    }

    #[test]
    fn an_operation_of_another_form_is_meant_first() {
        assert_eq!(of_function("relu"), "it is a method: `x.relu()`");
        assert_eq!(of_function("torch::relu"), "it is a method: `x.relu()`");
        assert_eq!(of_function("split"), "it is a method: `x.split(2, 0)`");
        assert_eq!(
            of_function("normal"),
            "write `random::normal::<f32, 3, 4>(key)`"
        );
    }

    #[test]
    fn then_what_is_called_so_elsewhere() {
        assert_eq!(of_function("np::concat"), "write `concatenate([x, y], 0)`");
        assert!(of_function("np::frobnicate").contains("`np.exp(x)` is `x.exp()`"));
    }

    #[test]
    fn then_a_slip() {
        let similar = "there is an operation with a similar name: `x.softmax(-1)`";
        assert_eq!(of_function("sofmax"), similar);
        assert_eq!(
            of_function("projects"),
            "there is something with a similar name: `project`"
        );
        assert_eq!(of_function("frobnicate"), "");
    }
}
