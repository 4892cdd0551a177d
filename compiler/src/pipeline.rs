//! All stages, one after the other: what the attribute macros call.
//!
//! Mistakes of the user are reported by the first two stages, all of a program at once. Only a program
//! without mistakes is compiled; what fails then is a mistake of ours or a limit of IREE, and is
//! reported like the user's own, with what to do about it.

mod backend;
mod names;
#[cfg(test)]
mod tests;

use crate::{
    artifact::Environment,
    diagnostic::{Code, Diagnostic, Report},
    expand::{compile_errors, expand, stand_in},
    parse::{Parsed, parse},
    span::{SpanId, SpanTable},
    trace::trace,
};
use proc_macro2::TokenStream;
use quote::quote;
use std::{
    any::Any,
    env,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Prints expansions: of all programs for `1`, else of the module that it names.
const EXPAND_VARIABLE: &str = "IREE_DSL_EXPAND";

/// What stands in the place of `#[program(attribute)] item`.
///
/// `root` is the path of the crate `iree-dsl` in the user's crate.
pub fn program(attribute: TokenStream, item: TokenStream, root: &TokenStream) -> TokenStream {
    let stages = || run(attribute, item.clone(), root);
    let expansion = catch_unwind(AssertUnwindSafe(stages)).unwrap_or_else(|panic| {
        let errors = compile_errors(&report_of(internal(reason(&*panic))), &SpanTable::new());
        let module = stand_in(&item);
        quote!(#module #errors)
    });
    print(&item, &expansion);
    expansion
}

/// What stands in the place of an item with an attribute that belongs inside a program.
pub fn misplaced(attribute: &str, item: &TokenStream) -> TokenStream {
    let message = format!("`#[{attribute}]` belongs inside a `#[program]` module");
    let help = match attribute {
        "kernel" => "move the function into the program's module",
        _ => "write it on a field of the program's struct",
    };
    let mistake = Diagnostic::new(Code::Structure, SpanId::CALL_SITE, message).help(help);
    let errors = compile_errors(&report_of(mistake), &SpanTable::new());
    let module = stand_in(item);
    quote!(#module #errors)
}

fn run(attribute: TokenStream, item: TokenStream, root: &TokenStream) -> TokenStream {
    let mut spans = SpanTable::new();
    let mut report = Report::default();
    let Some(Parsed { module, host }) = parse(attribute, item.clone(), &mut spans, &mut report)
    else {
        let module = stand_in(&item);
        let errors = compile_errors(&report, &spans);
        return quote!(#module #errors);
    };
    names::check(&module, &mut report);
    let traced = trace(&module, &spans, &mut report);
    let mut artifacts = Vec::new();
    if report.is_empty() {
        let environment = Environment::detect();
        match backend::compile(traced.module, &module.options, &spans, &environment) {
            Ok(compiled) => artifacts = compiled,
            Err(failure) => failure.into_iter().for_each(|mistake| report.push(mistake)),
        }
    }
    let module = expand(&host, &traced.interface, &artifacts, root);
    let errors = compile_errors(&report, &spans);
    quote!(#module #errors)
}

/// A mistake of ours.
fn internal(message: impl std::fmt::Display) -> Diagnostic {
    let message = format!("iree-dsl made a mistake: {message}");
    Diagnostic::new(Code::Internal, SpanId::CALL_SITE, message)
        .help("please report it, with this program; rewriting the expression may avoid it")
}

fn report_of(mistake: Diagnostic) -> Report {
    let mut report = Report::default();
    report.push(mistake);
    report
}

fn reason(panic: &dyn Any) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("it stopped without a reason")
}

fn print(item: &TokenStream, expansion: &TokenStream) {
    let Ok(wanted) = env::var(EXPAND_VARIABLE) else {
        return;
    };
    if wanted == "1" || module_name(item).is_some_and(|name| name == wanted) {
        eprintln!("{}", pretty(expansion));
    }
}

fn module_name(item: &TokenStream) -> Option<String> {
    let mut tokens = item.clone().into_iter();
    tokens.find(|token| token.to_string() == "mod")?;
    tokens.next().map(|name| name.to_string())
}

fn pretty(expansion: &TokenStream) -> String {
    match syn::parse2(expansion.clone()) {
        Ok(file) => prettyplease::unparse(&file),
        Err(_) => expansion.to_string(),
    }
}
