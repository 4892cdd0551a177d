use super::ModuleKind;
use crate::ast::{self, ModuleId, Visibility};
use crate::diagnostic::{Code, Diagnostic, Report};
use crate::span::{SpanId, SpanTable};
use proc_macro2::{Span, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;

/// What every part of the stage reads, and what it writes to.
pub(super) struct Parser<'a> {
    pub(super) kind: ModuleKind,
    pub(super) module: ModuleId,
    /// Where the tokens are used, if they came through the carrier of a kernel module: mistakes are then
    /// shown in the module's own source, and not as those of a macro.
    pub(super) home: Option<Span>,
    pub(super) spans: &'a mut SpanTable,
    pub(super) report: &'a mut Report,
}

impl Parser<'_> {
    /// The range from the first to the last token.
    pub(super) fn span(&mut self, first: Span, last: Span) -> SpanId {
        match self.home {
            Some(home) => {
                let (first, last) = (first.resolved_at(home), last.resolved_at(home));
                self.spans.insert(first, last)
            }
            None => self.spans.insert(first, last),
        }
    }

    /// The range of one token.
    pub(super) fn at(&mut self, token: Span) -> SpanId {
        self.span(token, token)
    }

    /// The range of several tokens. This writes the tokens out, so it is for mistakes and for what is
    /// short; everything else is put together from the ranges of its parts.
    pub(super) fn whole(&mut self, source: &impl ToTokens) -> SpanId {
        let mut tokens = source.to_token_stream().into_iter();
        let Some(first) = tokens.next() else {
            return SpanId::CALL_SITE;
        };
        let (start, end) = token_ends(&first);
        let end = tokens.last().map_or(end, |last| token_ends(&last).1);
        self.span(start, end)
    }

    /// The first token of a range.
    pub(super) fn first(&self, id: SpanId) -> Span {
        self.spans.ends(id).0
    }

    /// The last token of a range.
    pub(super) fn last(&self, id: SpanId) -> Span {
        self.spans.ends(id).1
    }

    pub(super) fn ident(&mut self, source: &syn::Ident) -> ast::Ident {
        ast::Ident {
            name: source.unraw().to_string(),
            span: self.at(source.span()),
        }
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.report.push(diagnostic);
    }

    /// Reports a construct that the language does not have, and what to write instead.
    pub(super) fn unsupported(&mut self, span: SpanId, construct: &str, help: &str) {
        let message = format!("{construct} is not part of the language");
        self.report(Diagnostic::new(Code::Unsupported, span, message).help(help));
    }

    /// Reports what the parser of Rust found.
    pub(super) fn syntax(&mut self, error: &syn::Error) {
        for single in error {
            let span = self.at(single.span());
            let diagnostic = Diagnostic::new(Code::Syntax, span, single.to_string());
            let token = single.span().source_text();
            let meant = token.and_then(|token| meant_by(&token, &diagnostic.message));
            self.report(diagnostic.help_if(meant.map(str::to_owned)));
        }
    }
}

/// What to write where the parser of Rust stops at a token of Python.
fn meant_by(token: &str, message: &str) -> Option<&'static str> {
    let in_brackets = message.ends_with("`]`");
    Some(match token {
        "@" => "matrices are multiplied with `a.matmul(b)`",
        ":" if message == "expected an expression" => "parts are written `x[s![.., 1..3]]`",
        "," if in_brackets => {
            "several indices are a tuple, `x[(i, j)]`, and parts `x[s![.., 1..3]]`"
        }
        step if message == "expected identifier" && step.parse::<u64>().is_ok() => {
            "a step stands behind a semicolon: `x[s![..;2, 0]]`"
        }
        "and" => "masks are combined with `&`",
        "or" => "masks are combined with `|`",
        "if" => "a choice by a mask is `select(mask, a, b)`",
        _ => return None,
    })
}

/// Whether an item is `pub`, to whatever extent: how far that reaches is for `rustc` to check, where the
/// item is on the host.
pub(super) fn visibility(source: &syn::Visibility) -> Visibility {
    match source {
        syn::Visibility::Inherited => Visibility::Private,
        _ => Visibility::Exported,
    }
}

fn token_ends(token: &TokenTree) -> (Span, Span) {
    match token {
        TokenTree::Group(group) => (group.span_open(), group.span_close()),
        other => (other.span(), other.span()),
    }
}
