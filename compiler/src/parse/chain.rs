//! Expressions that start with another one: operators, calls, fields, indices, casts.
//!
//! `a + b + c` and `a.b().c()` lean to the left as deeply as they are long, so this goes along them in
//! a loop.

use super::attributes_of::attributes_of;
use super::context::Parser;
use super::expr::error;
use super::operator::{Operator, operator};
use crate::ast::{Expr, ExprKind, Member};
use crate::diagnostic::{Code, Diagnostic};
use proc_macro2::Span;
use quote::ToTokens;

/// How many operators may follow each other on one level. Later stages go along chains by recursion.
const MAX_CHAIN: usize = 1024;

impl Parser<'_> {
    /// Any expression.
    pub(super) fn chain(&mut self, source: &syn::Expr) -> Expr {
        let mut links = Vec::new();
        let mut base = source;
        while let Some(start) = start(base) {
            links.push(base);
            base = start;
        }
        if links.len() > MAX_CHAIN {
            return self.too_long(source);
        }
        self.inert_attributes(attributes_of(base), &[]);
        let mut value = match links.last() {
            Some(syn::Expr::Assign(_)) => self.target(base),
            _ => self.atom(base),
        };
        for link in links.into_iter().rev() {
            self.inert_attributes(attributes_of(link), &[]);
            value = self.link(value, link);
        }
        value
    }

    fn too_long(&mut self, source: &syn::Expr) -> Expr {
        let span = self.whole(source);
        let message = format!("an expression with more than {MAX_CHAIN} operators in a row");
        let help = "name its parts with `let`";
        self.report(Diagnostic::new(Code::Unsupported, span, message).help(help));
        error(span)
    }

    /// What `source` does with the expression that it starts with.
    fn link(&mut self, start: Expr, source: &syn::Expr) -> Expr {
        let first = self.first(start.span);
        let start = Box::new(start);
        let (kind, last) = match source {
            syn::Expr::Binary(binary) => self.binary(start, binary),
            syn::Expr::Assign(assign) => {
                let value = Box::new(self.expr(&assign.right));
                let last = self.last(value.span);
                let kind = ExprKind::Assign {
                    place: start,
                    operator: None,
                    value,
                };
                (kind, last)
            }
            syn::Expr::Call(call) => {
                let kind = ExprKind::Call {
                    callee: start,
                    arguments: self.exprs(&call.args),
                };
                (kind, call.paren_token.span.close())
            }
            syn::Expr::MethodCall(call) => self.method_call(start, call),
            syn::Expr::Field(field) => {
                let (member, last) = self.member(&field.member);
                (ExprKind::Field(start, member), last)
            }
            syn::Expr::Index(index) => {
                let kind = ExprKind::Index(start, Box::new(self.expr(&index.index)));
                (kind, index.bracket_token.span.close())
            }
            syn::Expr::Cast(cast) => {
                let ty = self.ty(&cast.ty);
                let last = self.last(ty.span);
                (ExprKind::Cast(start, ty), last)
            }
            syn::Expr::Try(attempt) => {
                let help = "leave out `?`: no operation fails while a program runs";
                self.suffix(&attempt.question_token, "`?`", help)
            }
            syn::Expr::Await(wait) => {
                let help = "leave out `.await`";
                self.suffix(&wait.await_token, "`.await`", help)
            }
            other => self.suffix(other, "this expression", "leave it out"),
        };
        let span = self.span(first, last);
        Expr { kind, span }
    }

    fn binary(&mut self, lhs: Box<Expr>, source: &syn::ExprBinary) -> (ExprKind, Span) {
        let rhs = Box::new(self.expr(&source.right));
        let last = self.last(rhs.span);
        let Some((which, characters)) = operator(&source.op) else {
            return self.suffix(&source.op, "this operator", "use another one");
        };
        let operator_span = self.token_span(characters);
        let kind = match which {
            Operator::Plain(operator) => ExprKind::Binary {
                operator,
                operator_span,
                lhs,
                rhs,
            },
            Operator::Compound(operator) => ExprKind::Assign {
                place: lhs,
                operator: Some((operator, operator_span)),
                value: rhs,
            },
        };
        (kind, last)
    }

    fn method_call(
        &mut self,
        receiver: Box<Expr>,
        source: &syn::ExprMethodCall,
    ) -> (ExprKind, Span) {
        let generics = source.turbofish.as_ref();
        let kind = ExprKind::MethodCall {
            receiver,
            method: self.ident(&source.method),
            generics: generics.map_or_else(Vec::new, |angles| self.generic_arguments(angles)),
            arguments: self.exprs(&source.args),
        };
        (kind, source.paren_token.span.close())
    }

    fn member(&mut self, source: &syn::Member) -> (Member, Span) {
        match source {
            syn::Member::Named(name) => (Member::Named(self.ident(name)), name.span()),
            syn::Member::Unnamed(index) => {
                let position = usize::try_from(index.index).unwrap_or(usize::MAX);
                let member = Member::Index(position, self.at(index.span));
                (member, index.span)
            }
        }
    }

    /// Something behind an expression that the language does not have.
    fn suffix(&mut self, token: &impl ToTokens, construct: &str, help: &str) -> (ExprKind, Span) {
        let span = self.whole(token);
        self.unsupported(span, construct, help);
        (ExprKind::Error, self.last(span))
    }
}

/// The expression that this one starts with.
fn start(source: &syn::Expr) -> Option<&syn::Expr> {
    match source {
        syn::Expr::Assign(assign) => Some(&assign.left),
        syn::Expr::Await(wait) => Some(&wait.base),
        syn::Expr::Binary(binary) => Some(&binary.left),
        syn::Expr::Call(call) => Some(&call.func),
        syn::Expr::Cast(cast) => Some(&cast.expr),
        syn::Expr::Field(field) => Some(&field.base),
        syn::Expr::Index(index) => Some(&index.expr),
        syn::Expr::MethodCall(call) => Some(&call.receiver),
        syn::Expr::Try(attempt) => Some(&attempt.expr),
        _ => None,
    }
}
