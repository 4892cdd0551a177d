//! From tokens to the syntax tree.
//!
//! This stage knows the syntax of Rust and nothing of tensors: it decides what each item is, cuts
//! expressions down to what the language has, and says what to write instead of the rest. It goes on
//! after a mistake, so that all mistakes of a program are found in one build.

mod attributes;
mod attributes_of;
mod chain;
mod context;
mod control;
mod expr;
mod function;
mod generics;
mod global;
mod host;
mod host_function;
mod impls;
mod import;
mod item;
mod limits;
mod literal;
mod macros;
mod mlir;
mod module;
mod operator;
mod options;
mod path;
mod pattern;
mod rule;
mod source;
mod statement;
mod target;
mod tree;
mod ty;
mod written;

#[cfg(test)]
mod tests;

pub use host::{Host, HostField, HostImport, HostItem, HostProcedure, HostStruct};
pub use source::{ModuleKind, Source};
pub use written::closure;

use crate::ast::Module;
use crate::diagnostic::{Code, Diagnostic, Report};
use crate::span::SpanTable;
use context::Parser;
use limits::{Excess, MAX_OPERATORS};
use proc_macro2::TokenStream;

/// What the user's module says.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The program, or the kernel module.
    pub module: Module,
    /// What reaches the host side as it is.
    pub host: Host,
}

/// Reads the module below `#[program(…)]` or `#[kernel]`.
///
/// `None` if the item is not a module with a body, or not Rust; that was reported. After any other
/// mistake there is a result, in which what was wrong stands as an error.
pub fn parse(source: &Source, spans: &mut SpanTable, report: &mut Report) -> Option<Parsed> {
    let mut parser = Parser {
        kind: source.kind,
        module: source.module,
        home: source.home,
        spans,
        report,
    };
    parser.within_limits(&source.attribute)?;
    parser.within_limits(&source.item)?;
    let options = parser.options(source.attribute.clone());
    parser.module(options, source.item.clone())
}

impl Parser<'_> {
    /// Reports tokens that are too many for the parser of Rust.
    fn within_limits(&mut self, tokens: &TokenStream) -> Option<()> {
        let Err((at, excess)) = limits::check(tokens) else {
            return Some(());
        };
        let message = match excess {
            Excess::Nesting => "this is nested too deeply".to_owned(),
            Excess::Operators => format!("more than {MAX_OPERATORS} operators in one expression"),
        };
        let span = self.at(at);
        let help = "name the parts with `let`, or compute them in a `#[kernel]`";
        self.report(Diagnostic::new(Code::Unsupported, span, message).help(help));
        None
    }
}
