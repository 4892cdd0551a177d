use super::context::{Parser, visibility};
use super::expr::error;
use crate::ast::{Block, Const, Expr, ExprKind, Pattern, PatternKind, Statement};
use syn::{Item, Stmt};

impl Parser<'_> {
    pub(super) fn block(&mut self, source: &syn::Block) -> Block {
        let mut statements = Vec::with_capacity(source.stmts.len());
        let mut value = None;
        let mut rest = source.stmts.iter().peekable();
        while let Some(statement) = rest.next() {
            let is_last = rest.peek().is_none();
            match statement {
                Stmt::Local(local) => statements.push(self.local(local)),
                Stmt::Item(item) => statements.extend(self.inner_item(item)),
                // A semicolon alone.
                Stmt::Expr(syn::Expr::Verbatim(tokens), Some(_)) if tokens.is_empty() => {}
                Stmt::Expr(expr, None) if is_last => value = Some(Box::new(self.expr(expr))),
                Stmt::Expr(expr, _) => statements.push(Statement::Expr(self.expr(expr))),
                Stmt::Macro(call) => {
                    self.inert_attributes(&call.attrs, &[]);
                    let expr = self.macro_call(&call.mac);
                    if is_last && call.semi_token.is_none() {
                        value = Some(Box::new(expr));
                    } else {
                        statements.push(Statement::Expr(expr));
                    }
                }
            }
        }
        let delimiter = source.brace_token.span;
        let span = self.span(delimiter.open(), delimiter.close());
        Block {
            statements,
            value,
            span,
        }
    }

    fn local(&mut self, source: &syn::Local) -> Statement {
        self.inert_attributes(&source.attrs, &[]);
        let (pattern, ty) = self.typed_pattern(&source.pat);
        let value = source.init.as_ref().map(|init| self.initial(init));
        let span = self.span(source.let_token.span, source.semi_token.span);
        Statement::Let {
            pattern,
            ty,
            value,
            span,
        }
    }

    fn initial(&mut self, source: &syn::LocalInit) -> Expr {
        let value = self.expr(&source.expr);
        let Some((token, _)) = &source.diverge else {
            return value;
        };
        let span = self.at(token.span);
        self.unsupported(span, "`let … else`", "use `let` and an `if`");
        Expr {
            kind: ExprKind::Error,
            span: value.span,
        }
    }

    /// An item inside a function.
    fn inner_item(&mut self, source: &Item) -> Option<Statement> {
        match source {
            Item::Const(item) => {
                self.inert_attributes(&item.attrs, &[]);
                Some(Statement::Const(self.constant(item)))
            }
            Item::Fn(item) => {
                let span = self.whole(&item.sig.ident);
                let help = "move it to the module and mark it `#[kernel]`, or write a closure";
                self.unsupported(span, "a function inside a function", help);
                Some(self.unknown_variable(&item.sig.ident))
            }
            Item::Macro(item) => {
                let span = self.whole(&item.mac.path);
                let help = "move it out of the module";
                self.unsupported(span, "a macro definition", help);
                None
            }
            other => {
                let (span, construct) = self.describe_item(other);
                let help = "move it to the module";
                let construct = format!("{construct} inside a function");
                self.unsupported(span, &construct, help);
                None
            }
        }
    }

    /// What calls of a function mean that was reported.
    fn unknown_variable(&mut self, name: &syn::Ident) -> Statement {
        let name = self.ident(name);
        let span = name.span;
        Statement::Let {
            pattern: Pattern {
                kind: PatternKind::Ident {
                    name,
                    mutable: false,
                },
                span,
            },
            ty: None,
            value: Some(error(span)),
            span,
        }
    }

    pub(super) fn constant(&mut self, source: &syn::ItemConst) -> Const {
        self.no_generics(&source.generics, "a constant");
        Const {
            name: self.ident(&source.ident),
            module: self.module,
            visibility: visibility(&source.vis),
            ty: self.ty(&source.ty),
            value: self.expr(&source.expr),
        }
    }
}
