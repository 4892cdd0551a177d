//! What is written in the language and belongs to it.

use super::{ModuleKind, context::Parser};
use crate::{
    ast::{Closure, ExprKind, ModuleId},
    diagnostic::Report,
    span::{SpanId, SpanTable},
};

/// Reads a closure, all of which stands at one place of the user's source.
///
/// `None` if it is none.
pub fn closure(source: &str, place: SpanId, report: &mut Report) -> Option<Closure> {
    let source: syn::Expr = syn::parse_str(source).ok()?;
    let mut spans = SpanTable::all_at(place);
    let mut parser = Parser {
        kind: ModuleKind::Kernels,
        module: ModuleId::LANGUAGE,
        home: None,
        spans: &mut spans,
        report,
    };
    match parser.expr(&source).kind {
        ExprKind::Closure(closure) => Some(closure),
        _ => None,
    }
}
