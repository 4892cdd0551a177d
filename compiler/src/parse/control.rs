//! Blocks, branches, loops and closures, and what the language has instead of the rest of Rust.

use super::context::Parser;
use super::expr::error;
use crate::ast::{Closure, Expr, ExprKind, Ident};
use crate::diagnostic::{Code, Diagnostic};
use proc_macro2::Span;
use quote::ToTokens;
use syn::ReturnType;

impl Parser<'_> {
    pub(super) fn control(&mut self, source: &syn::Expr) -> Expr {
        match source {
            syn::Expr::Block(source) => {
                let block = self.block(&source.block);
                let block = Expr {
                    span: block.span,
                    kind: ExprKind::Block(block),
                };
                self.labelled(source.label.as_ref(), block)
            }
            syn::Expr::If(branch) => self.branch(branch),
            syn::Expr::ForLoop(source) => {
                let pattern = self.pattern(&source.pat);
                let iterator = Box::new(self.expr(&source.expr));
                let body = self.block(&source.body);
                let kind = ExprKind::For {
                    pattern,
                    iterator,
                    body,
                };
                self.looping(source.label.as_ref(), source.for_token.span, kind)
            }
            syn::Expr::While(source) => {
                let condition = Box::new(self.expr(&source.cond));
                let kind = ExprKind::While(condition, self.block(&source.body));
                self.looping(source.label.as_ref(), source.while_token.span, kind)
            }
            syn::Expr::Loop(source) => {
                let kind = ExprKind::Loop(self.block(&source.body));
                self.looping(source.label.as_ref(), source.loop_token.span, kind)
            }
            syn::Expr::Break(source) => {
                let label = source.label.as_ref().map(|label| self.label(label));
                let first = source.break_token.span;
                let last = source
                    .label
                    .as_ref()
                    .map_or(first, |label| label.ident.span());
                let value = source.expr.as_deref();
                self.ending_in_value([first, last], value, |value| ExprKind::Break {
                    label,
                    value,
                })
            }
            syn::Expr::Continue(source) => {
                let label = source.label.as_ref().map(|label| self.label(label));
                let first = source.continue_token.span;
                let last = source
                    .label
                    .as_ref()
                    .map_or(first, |label| label.ident.span());
                self.ending_in_value([first, last], None, |_| ExprKind::Continue(label))
            }
            syn::Expr::Return(source) => {
                let value = source.expr.as_deref();
                let word = source.return_token.span;
                self.ending_in_value([word, word], value, ExprKind::Return)
            }
            syn::Expr::Closure(closure) => self.closure(closure),
            other => self.foreign(other),
        }
    }

    fn ending_in_value(
        &mut self,
        [first, last]: [Span; 2],
        value: Option<&syn::Expr>,
        kind: impl FnOnce(Option<Box<Expr>>) -> ExprKind,
    ) -> Expr {
        let value = value.map(|value| Box::new(self.expr(value)));
        let last = value.as_ref().map_or(last, |value| self.last(value.span));
        let span = self.span(first, last);
        let kind = kind(value);
        Expr { kind, span }
    }

    /// A loop. It stands where its keyword does, since its body may be long.
    fn looping(&mut self, label: Option<&syn::Label>, keyword: Span, kind: ExprKind) -> Expr {
        let span = self.at(keyword);
        self.labelled(label, Expr { kind, span })
    }

    /// A loop or block with the label before it.
    fn labelled(&mut self, label: Option<&syn::Label>, inner: Expr) -> Expr {
        let Some(label) = label else {
            return inner;
        };
        let label = self.label(&label.name);
        Expr {
            span: inner.span,
            kind: ExprKind::Labelled(label, Box::new(inner)),
        }
    }

    fn label(&mut self, source: &syn::Lifetime) -> Ident {
        Ident {
            name: source.ident.to_string(),
            span: self.span(source.apostrophe, source.ident.span()),
        }
    }

    fn branch(&mut self, source: &syn::ExprIf) -> Expr {
        let condition = Box::new(self.expr(&source.cond));
        let then = self.block(&source.then_branch);
        let otherwise = source.else_branch.as_ref();
        let otherwise = otherwise.map(|(_, otherwise)| Box::new(self.expr(otherwise)));
        let end = otherwise.as_ref().map_or(then.span, |expr| expr.span);
        let last = self.last(end);
        let span = self.span(source.if_token.span, last);
        let kind = ExprKind::If {
            condition,
            then,
            otherwise,
        };
        Expr { kind, span }
    }

    fn closure(&mut self, source: &syn::ExprClosure) -> Expr {
        if let Some(token) = &source.asyncness {
            let span = self.at(token.span);
            self.unsupported(span, "an `async` closure", "leave out `async`");
        }
        if let Some(token) = &source.constness {
            let span = self.at(token.span);
            self.unsupported(span, "a `const` closure", "leave out `const`");
        }
        if let Some(lifetimes) = &source.lifetimes {
            let span = self.whole(lifetimes);
            self.unsupported(span, "`for<…>` at a closure", "leave it out");
        }
        if let ReturnType::Type(_, ty) = &source.output {
            let span = self.whole(ty);
            let help = "leave it out: the result's type is known from the body";
            self.unsupported(span, "a closure's result type", help);
        }
        let inputs = source.inputs.iter();
        let parameters = inputs.map(|input| self.typed_pattern(input)).collect();
        let body = Box::new(self.expr(&source.body));
        let first = source.capture.as_ref().map(|token| token.span);
        let first = first.unwrap_or(source.inputs_begin.spans[0]);
        let last = self.last(body.span);
        let span = self.span(first, last);
        let kind = ExprKind::Closure(Closure { parameters, body });
        Expr { kind, span }
    }

    /// Reports what Rust has and the language has not.
    fn foreign(&mut self, source: &syn::Expr) -> Expr {
        match source {
            syn::Expr::Match(source) => {
                let help = "use `if` and `else`; `select(mask, a, b)` chooses between tensors";
                self.without(&source.match_token, "`match`", help)
            }
            syn::Expr::Let(source) => {
                let help = "use a `let` statement and a plain condition";
                self.without(&source.let_token, "`let` in a condition", help)
            }
            syn::Expr::Async(source) => {
                self.without(&source.async_token, "`async`", "leave out `async`")
            }
            syn::Expr::Unsafe(source) => {
                self.without(&source.unsafe_token, "`unsafe`", "leave out `unsafe`")
            }
            syn::Expr::Const(source) => {
                let help = "leave out `const`: what can be known while building is";
                self.without(&source.const_token, "a `const` block", help)
            }
            syn::Expr::TryBlock(source) => {
                self.without(&source.try_token, "`try`", "leave out `try`")
            }
            syn::Expr::Yield(source) => {
                let help = "return the values as a tuple or an array";
                self.without(&source.yield_token, "`yield`", help)
            }
            syn::Expr::RawAddr(source) => {
                self.without(&source.raw, "a raw pointer", "use the value itself")
            }
            syn::Expr::Infer(source) => {
                let help = "write `let _ = …` where a value is not needed";
                self.without(&source.underscore_token, "`_` as a value", help)
            }
            other => self.unreadable(other),
        }
    }

    fn without(&mut self, token: &impl ToTokens, construct: &str, help: &str) -> Expr {
        let span = self.whole(token);
        self.unsupported(span, construct, help);
        error(span)
    }

    fn unreadable(&mut self, source: &syn::Expr) -> Expr {
        let span = self.whole(source);
        let message = "this expression is not part of the language";
        self.report(Diagnostic::new(Code::Unsupported, span, message));
        error(span)
    }
}
