//! What stands between the parentheses of a macro: expressions, slices with a step, and options.

use super::context::Parser;
use crate::ast::{Argument, Expr, ExprKind, NamedArgument};
use crate::diagnostic::{Code, Diagnostic};
use crate::span::SpanId;
use syn::Token;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;

enum Written {
    Positional {
        value: syn::Expr,
        step: Option<syn::Expr>,
    },
    Named {
        name: syn::Ident,
        value: syn::Expr,
    },
}

impl Parse for Written {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let named = input.peek(syn::Ident::peek_any)
            && input.peek2(Token![=])
            && !input.peek2(Token![==])
            && !input.peek2(Token![=>]);
        if named {
            let name = syn::Ident::parse_any(input)?;
            input.parse::<Token![=]>()?;
            let value = input.parse()?;
            return Ok(Self::Named { name, value });
        }
        let value = input.parse()?;
        let step = match input.parse::<Option<Token![;]>>()? {
            Some(_) => Some(input.parse()?),
            None => None,
        };
        Ok(Self::Positional { value, step })
    }
}

impl Parser<'_> {
    pub(super) fn macro_call(&mut self, source: &syn::Macro) -> Expr {
        let name = self.path(&source.path);
        let first = self.first(name.span);
        let span = self.span(first, source.delimiter.span().close());
        let written = source.parse_body_with(Punctuated::<Written, Token![,]>::parse_terminated);
        let written = match written {
            Ok(written) => written,
            Err(error) => {
                self.syntax(&error);
                let kind = ExprKind::Error;
                return Expr { kind, span };
            }
        };
        let mut positional = Vec::new();
        let mut named = Vec::new();
        for argument in &written {
            match argument {
                Written::Positional { value, step } => {
                    let argument = self.positional(value, step.as_ref());
                    self.check_order(&argument, &named);
                    positional.push(argument);
                }
                Written::Named { name, value } => {
                    let argument = NamedArgument {
                        name: self.ident(name),
                        value: self.expr(value),
                    };
                    self.check_repetition(&argument, &named);
                    named.push(argument);
                }
            }
        }
        let kind = ExprKind::Macro {
            name,
            positional,
            named,
        };
        Expr { kind, span }
    }

    fn positional(&mut self, value: &syn::Expr, step: Option<&syn::Expr>) -> Argument {
        Argument {
            value: self.expr(value),
            step: step.map(|step| self.expr(step)),
        }
    }

    fn check_order(&mut self, argument: &Argument, named: &[NamedArgument]) {
        if let Some(before) = named.last() {
            let span: SpanId = argument.value.span;
            let message = format!(
                "an argument without a name stands behind `{}`",
                before.name.name
            );
            let help = "put the arguments without names first";
            self.report(Diagnostic::new(Code::Syntax, span, message).help(help));
        }
    }

    fn check_repetition(&mut self, argument: &NamedArgument, named: &[NamedArgument]) {
        let name = &argument.name.name;
        if named.iter().any(|other| other.name.name == *name) {
            let message = format!("the option `{name}` is given twice");
            self.report(Diagnostic::new(
                Code::Duplicate,
                argument.name.span,
                message,
            ));
        }
    }
}
