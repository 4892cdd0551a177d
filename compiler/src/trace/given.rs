//! Generic arguments of types and calls, found by position and name.

use super::{resolve::count, tracer::Tracer};
use crate::{
    ast::{Generic, GenericArgument, Given, Misgiven},
    diagnostic::{Code, Diagnostic, nearest},
    span::SpanId,
};

/// Something with generic parameters, where it is used.
#[derive(Clone, Copy)]
pub(crate) struct GenericUse<'a> {
    /// Its name.
    pub(crate) name: &'a str,
    /// What is said where there are too many arguments, or too few.
    pub(crate) code: Code,
    /// Its parameters.
    pub(crate) parameters: &'a [Generic],
    /// What stands between the angle brackets.
    pub(crate) arguments: &'a [GenericArgument],
    /// Where it is used.
    pub(crate) span: SpanId,
}

impl Tracer<'_> {
    /// The argument for each parameter of a type; `None` if it was reported that there is something wrong with
    /// them. Those that are missing have defaults.
    pub(crate) fn given_to_type<'a>(
        &mut self,
        used: GenericUse<'a>,
    ) -> Option<Vec<Option<&'a GenericArgument>>> {
        let given = self.given(used)?;
        let pairs = used.parameters.iter().zip(&given);
        let missing = pairs.filter(|(parameter, argument)| {
            let is_given = argument.is_some() || parameter.default.is_some();
            !is_given
        });
        let missing: Vec<_> = missing.map(|(parameter, _)| parameter).collect();
        if missing.is_empty() {
            return Some(given);
        }
        self.report(too_few(used, &missing));
        None
    }

    /// The argument for each parameter of a kernel; `None` if it was reported that there is something wrong with
    /// them. Those that are missing follow from the call: all of them, or those that no name is given for.
    pub(crate) fn given_to_call<'a>(
        &mut self,
        used: GenericUse<'a>,
    ) -> Option<Vec<Option<&'a GenericArgument>>> {
        let given = self.given(used)?;
        let is_full = used.arguments.len() == used.parameters.len();
        if !is_full && !used.arguments.is_empty() && !has_names(used.arguments) {
            self.report(wrong_count(used));
            return None;
        }
        Some(given)
    }

    fn given<'a>(&mut self, used: GenericUse<'a>) -> Option<Vec<Option<&'a GenericArgument>>> {
        let given = Given::new(used.parameters, used.arguments);
        let mut diagnostics = Vec::new();
        let mut is_surplus = false;
        for mistake in &given.mistakes {
            match *mistake {
                Misgiven::Surplus => is_surplus = true,
                mistake => diagnostics.extend(describe(mistake, used)),
            }
        }
        if is_surplus {
            diagnostics.push(wrong_count(used));
        }
        for diagnostic in diagnostics {
            self.report(diagnostic);
        }
        given.mistakes.is_empty().then_some(given.arguments)
    }

    /// Reports a name where nothing has names.
    pub(crate) fn misplaced_name(&mut self, argument: &GenericArgument) {
        if let GenericArgument::Named(name, _) = argument {
            let message = format!("there is no generic parameter `{}` here", name.name);
            let help = "the generic arguments of trees, type aliases and kernels have names";
            self.report(Diagnostic::new(Code::UnknownName, name.span, message).help(help));
        }
    }
}

fn describe(mistake: Misgiven<'_>, used: GenericUse<'_>) -> Option<Diagnostic> {
    match mistake {
        Misgiven::Unknown(argument) => {
            let (name, argument, span) = (used.name, &argument.name, argument.span);
            let message = format!("`{name}` has no generic parameter `{argument}`");
            let names = used.parameters.iter().map(|one| one.name.name.as_str());
            let help = match nearest(argument, names) {
                Some(similar) => format!("there is one with a similar name: `{similar}`"),
                None if used.parameters.is_empty() => "it has none at all".to_owned(),
                None => format!("it has {}", listed(used.parameters)),
            };
            Some(Diagnostic::new(Code::UnknownName, span, message).help(help))
        }
        Misgiven::Twice(argument) => {
            let (name, span) = (used.name, argument.span);
            let message = format!("`{}` of `{name}` is given twice", argument.name);
            Some(Diagnostic::new(Code::Duplicate, span, message))
        }
        Misgiven::Unnamed(span) => {
            let message = "a generic argument without a name behind one that has a name";
            let help = "put it first, or give it a name too: `{ NAME = value }`";
            Some(Diagnostic::new(Code::Syntax, span, message).help(help))
        }
        Misgiven::Surplus => None,
    }
}

/// Another number of arguments than there are parameters.
fn wrong_count(used: GenericUse<'_>) -> Diagnostic {
    let all = used.parameters.len();
    let optional = used.parameters.iter().filter(|one| one.default.is_some());
    let takes = match all - optional.count() {
        required if required == all => count(all, "generic argument"),
        required => format!("{required} to {}", count(all, "generic argument")),
    };
    let found = used.arguments.len();
    let message = format!("`{}` takes {takes}, found {found}", used.name);
    Diagnostic::new(used.code, used.span, message)
}

fn too_few(used: GenericUse<'_>, missing: &[&Generic]) -> Diagnostic {
    if !has_names(used.arguments) {
        return wrong_count(used);
    }
    let message = format!(
        "`{}` also needs {}",
        used.name,
        listed(missing.iter().copied())
    );
    Diagnostic::new(used.code, used.span, message)
}

fn has_names(arguments: &[GenericArgument]) -> bool {
    let mut arguments = arguments.iter();
    arguments.any(|argument| matches!(argument, GenericArgument::Named(..)))
}

/// "`A`, `B` and `C`".
fn listed<'a>(parameters: impl IntoIterator<Item = &'a Generic>) -> String {
    let names = parameters
        .into_iter()
        .map(|one| format!("`{}`", one.name.name));
    let names: Vec<_> = names.collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}
