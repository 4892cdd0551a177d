//! All stages, one after the other: what the attribute macros call.
//!
//! Mistakes of the user are reported by the first two stages, all of a program at once. Only a program
//! without mistakes is compiled; what fails then is a mistake of ours or a limit of IREE, and is
//! reported like the user's own, with what to do about it.

mod backend;
mod key;
mod names;
#[cfg(all(test, feature = "compile"))]
mod tests;
mod unit;

use crate::{
    ast::ModuleId,
    diagnostic::{Code, Diagnostic, Report},
    expand::{self, Context, compile_errors, expand, stand_in},
    link::{Unlinked, link},
    parse::{ModuleKind, Parsed, parse},
    span::{SpanId, SpanTable},
    trace::trace,
};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use std::{
    any::Any,
    env,
    panic::{AssertUnwindSafe, catch_unwind},
};
use unit::{Delivery, Unit};

/// Prints expansions: of all modules for `1`, else of the module that it names.
const EXPAND_VARIABLE: &str = "IREE_DSL_EXPAND";

/// What stands in the place of `#[program(attribute)] item`.
///
/// `root` is the path of the crate `iree-dsl` in the user's crate.
pub fn program(attribute: TokenStream, item: TokenStream, root: &TokenStream) -> TokenStream {
    guarded(&item, || {
        // Nothing imports from a program, so that any name will do that is no carrier's.
        let key = format_ident!("program");
        begin(Unit::new(
            format_ident!("program"),
            key,
            attribute,
            item.clone(),
            root.clone(),
        ))
    })
}

/// What stands in the place of `#[kernel(attribute)] item`, for a module; of anything else, that it
/// belongs inside one.
pub fn kernel(attribute: TokenStream, item: TokenStream, root: &TokenStream) -> TokenStream {
    let Some(name) = module_name(&item) else {
        return misplaced("kernel", &item);
    };
    let key = key::of(&name, &item);
    let carrier = expand::carrier(&name, &key, &item);
    let module = guarded(&item, || {
        begin(Unit::new(
            format_ident!("kernel"),
            key,
            attribute,
            item.clone(),
            root.clone(),
        ))
    });
    quote!(#module #carrier)
}

/// Goes on with a module, now that a kernel module is at hand that it imports from.
pub fn go_on(delivery: TokenStream) -> TokenStream {
    guarded(&TokenStream::new(), || match syn::parse2(delivery) {
        Ok(delivery) => receive(delivery),
        Err(error) => {
            let mistake = internal(format_args!("what a kernel module handed on: {error}"));
            compile_errors(&report_of(mistake), &SpanTable::new())
        }
    })
}

/// Runs the stages; if one of them stops, which is a mistake of ours, says so.
fn guarded(item: &TokenStream, stages: impl FnOnce() -> TokenStream) -> TokenStream {
    catch_unwind(AssertUnwindSafe(stages)).unwrap_or_else(|panic| {
        let errors = compile_errors(&report_of(internal(reason(&*panic))), &SpanTable::new());
        let module = stand_in(item);
        quote!(#module #errors)
    })
}

/// What stands in the place of an item with an attribute that belongs inside a module.
pub fn misplaced(attribute: &str, item: &TokenStream) -> TokenStream {
    let message = format!("`#[{attribute}]` belongs inside a `#[program]` module");
    let help = match attribute {
        "kernel" => "move it into the program's module, or into a `#[kernel]` module to share it",
        _ => "write it on a field of the program's struct",
    };
    let mistake = Diagnostic::new(Code::Structure, SpanId::CALL_SITE, message).help(help);
    let errors = compile_errors(&report_of(mistake), &SpanTable::new());
    let module = stand_in(item);
    quote!(#module #errors)
}

/// Expands a module that imports from no other; else what is around that, and a call that gets the other.
fn begin(mut unit: Unit) -> TokenStream {
    let (mut spans, mut report) = (SpanTable::new(), Report::default());
    let Some(Parsed { host, .. }) = parse(&unit.source(), &mut spans, &mut report) else {
        let module = stand_in(&unit.item());
        let errors = compile_errors(&report, &spans);
        return quote!(#module #errors);
    };
    unit.expect(ModuleId::ROOT, &host.modules);
    if let Some(call) = call(&unit) {
        let links = (unit.kind() == ModuleKind::Kernels).then(|| expand::links(&host));
        let visible = expand::visible_modules(&host);
        return expand::module(&host, &quote!(#links #visible #call));
    }
    let (content, errors) = finish(&unit);
    let module = expand::module(&host, &content);
    let expansion = quote!(#module #errors);
    print(&unit.item(), &expansion);
    expansion
}

/// Adds a kernel module to what is known, and gets the next one, if one is missing.
fn receive(delivery: Delivery) -> TokenStream {
    let unit = delivery.accept(|source| {
        let parsed = parse(source, &mut SpanTable::new(), &mut Report::default());
        parsed.map_or_else(Vec::new, |parsed| parsed.host.modules)
    });
    call(&unit).unwrap_or_else(|| {
        let (content, errors) = finish(&unit);
        let expansion = quote!(#content #errors);
        print(&unit.item(), &expansion);
        expansion
    })
}

/// A call that gets a kernel module that is missing, if one is.
fn call(unit: &Unit) -> Option<TokenStream> {
    let (path, root) = (unit.missing()?, &unit.root);
    let next = quote!(#root::__private::go_on);
    Some(expand::call(path, &next, &unit.to_token_stream()))
}

/// Runs the stages on a module for which everything is at hand: what is in it on the host side, and what
/// was wrong.
fn finish(unit: &Unit) -> (TokenStream, TokenStream) {
    let (mut spans, mut report) = (unit.spans(), Report::default());
    let mut modules = unit.sources().map(|(source, uses)| {
        let Parsed { module, host } = parse(&source, &mut spans, &mut report)?;
        Some((host, Unlinked { module, uses }))
    });
    let Some(Some((host, root))) = modules.next() else {
        return (TokenStream::new(), compile_errors(&report, &spans));
    };
    let others = modules.map(|module| module.map(|(_, module)| module));
    let others: Vec<_> = others.collect();
    let program = link(root, others, &mut report);
    names::check(&program, &mut report);
    let traced = trace(&program, &spans, &mut report);
    let environment = backend::environment();
    let mut built = backend::Built::default();
    if report.is_empty() && unit.kind() == ModuleKind::Program {
        match backend::artifacts(
            traced.module,
            &traced.interface.signature,
            &program,
            &spans,
            &environment,
        ) {
            Ok(made) => built = made,
            Err(failure) => failure.into_iter().for_each(|mistake| report.push(mistake)),
        }
    }
    let content = expand(&Context {
        host: &host,
        interface: &traced.interface,
        artifacts: &built.artifacts,
        text: built.text.as_deref(),
        description: built.description.as_deref(),
        paths: &unit.paths(),
        manifest: environment.manifest.as_deref(),
        root: &unit.root,
    });
    let mut remarks = traced.remarks;
    remarks.append(&mut built.remarks);
    let warnings = expand::warnings(&remarks, &spans);
    let unused = report.is_empty().then(|| {
        let functions = program.kernels.iter().chain(&program.procedures);
        let own = functions.filter(|function| function.module == ModuleId::ROOT);
        own.map(|function| expand::unused(function, &spans, &unit.root))
            .collect::<TokenStream>()
    });
    (
        quote!(#content #warnings #unused),
        compile_errors(&report, &spans),
    )
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

/// The name behind the word `mod`.
fn module_name(item: &TokenStream) -> Option<Ident> {
    let mut tokens = item.clone().into_iter();
    tokens.find(|token| token.to_string() == "mod")?;
    match tokens.next()? {
        TokenTree::Ident(name) => Some(name),
        _ => None,
    }
}

fn pretty(expansion: &TokenStream) -> String {
    match syn::parse2(expansion.clone()) {
        Ok(file) => prettyplease::unparse(&file),
        Err(_) => expansion.to_string(),
    }
}
