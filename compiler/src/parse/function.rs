//! Kernels and procedures.

use super::context::{Parser, visibility};
use super::{HostProcedure, ModuleKind, Parsed};
use crate::ast::{Body, Function, FunctionKind, Parameter, PatternKind, Receiver, Visibility};
use crate::diagnostic::{Code, Diagnostic};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote_spanned};
use syn::{FnArg, ForeignItemFn, ImplItem, ReceiverKind, Signature};

impl Parser<'_> {
    /// A function of the module.
    pub(super) fn kernel(&mut self, source: &syn::ItemFn) -> Function {
        let own = self.inert_attributes(&source.attrs, &["kernel"]);
        let name = self.ident(&source.sig.ident);
        let rule = match self.only(&own) {
            Some(attribute) => self.rule(attribute),
            None if self.kind == ModuleKind::Kernels => None,
            None => {
                let message = format!("the function `{}` is not a kernel", name.name);
                let help = "add `#[kernel]`";
                self.report(Diagnostic::new(Code::Structure, name.span, message).help(help));
                None
            }
        };
        self.no_receiver(&source.sig);
        let visibility = visibility(&source.vis);
        let kernel = self.function(&source.sig, visibility, FunctionKind::Kernel, |parser| {
            Body::Block(parser.block(&source.block))
        });
        Function { rule, ..kernel }
    }

    pub(super) fn no_receiver(&mut self, signature: &Signature) {
        if let Some(FnArg::Receiver(receiver)) = signature.inputs.first() {
            let span = self.at(receiver.self_token.span);
            let message = format!("the kernel `{}` cannot take `self`", signature.ident);
            let help = "take the values it needs as parameters, or move it into the `impl`";
            self.report(Diagnostic::new(Code::Structure, span, message).help(help));
        }
    }

    /// The functions of the program's `impl`.
    pub(super) fn procedures(&mut self, source: &syn::ItemImpl, parsed: &mut Parsed) {
        self.inert_attributes(&source.attrs, &[]);
        self.no_generics(&source.generics, "an `impl`");
        self.no_marker(source.unsafety.map(|token| token.span), "`unsafe`");
        for item in &source.items {
            match item {
                ImplItem::Fn(item) => self.procedure(item, parsed),
                other => self.foreign_impl_item(other),
            }
        }
    }

    fn foreign_impl_item(&mut self, source: &ImplItem) {
        let help = "move it out of the `impl`";
        let (span, construct) = match source {
            ImplItem::Const(item) => (self.at(item.const_token.span), "an associated constant"),
            ImplItem::Type(item) => (self.at(item.type_token.span), "an associated type"),
            ImplItem::Macro(item) => (self.whole(&item.mac.path), "a macro in place of an item"),
            ImplItem::Verbatim(tokens) => match syn::parse2::<ForeignItemFn>(tokens.clone()) {
                Ok(function) => return self.function_without_body(&function),
                Err(_) => (self.whole(tokens), "this item"),
            },
            other => (self.whole(other), "this item"),
        };
        self.unsupported(span, construct, help);
    }

    fn procedure(&mut self, source: &syn::ImplItemFn, parsed: &mut Parsed) {
        let visibility = visibility(&source.vis);
        let exported = visibility == Visibility::Exported;
        let attributes = if exported {
            self.host_attributes(&source.attrs, &[]).1
        } else {
            self.inert_attributes(&source.attrs, &[]);
            TokenStream::new()
        };
        let receiver = self.receiver(&source.sig);
        let kind = FunctionKind::Procedure(receiver);
        let function = self.function(&source.sig, visibility, kind, |parser| {
            Body::Block(parser.block(&source.block))
        });
        if exported {
            parsed.host.procedures.push(HostProcedure {
                attributes,
                visibility: source.vis.to_token_stream(),
                name: source.sig.ident.clone(),
                receiver: receiver_tokens(receiver, source.sig.ident.span()),
                parameters: self.host_parameters(&source.sig, &function),
            });
        }
        parsed.module.procedures.push(function);
    }

    /// How a procedure takes `self`; `&self` after a mistake.
    fn receiver(&mut self, signature: &Signature) -> Receiver {
        let Some(FnArg::Receiver(receiver)) = signature.inputs.first() else {
            let name = self.ident(&signature.ident);
            let message = format!("the procedure `{}` does not take `self`", name.name);
            let help = "take `&self`, or move it out of the `impl` and add `#[kernel]`";
            self.report(Diagnostic::new(Code::Structure, name.span, message).help(help));
            return Receiver::Shared;
        };
        self.inert_attributes(&receiver.attrs, &[]);
        match &receiver.kind {
            ReceiverKind::Reference(_, lifetime, mutability) => {
                if let Some(lifetime) = lifetime {
                    let span = self.span(lifetime.apostrophe, lifetime.ident.span());
                    self.unsupported(span, "a lifetime", "leave it out");
                }
                match mutability {
                    Some(_) => Receiver::Exclusive,
                    None => Receiver::Shared,
                }
            }
            ReceiverKind::Value => {
                let span = self.at(receiver.self_token.span);
                let help = "take `&self`, or `&mut self` to store globals";
                self.unsupported(span, "`self` by value", help);
                Receiver::Exclusive
            }
            _ => {
                let span = self.whole(receiver);
                let help = "take `&self`, or `&mut self` to store globals";
                self.unsupported(span, "a type for `self`", help);
                Receiver::Exclusive
            }
        }
    }

    pub(super) fn function(
        &mut self,
        signature: &Signature,
        visibility: Visibility,
        kind: FunctionKind,
        body: impl FnOnce(&mut Self) -> Body,
    ) -> Function {
        self.modifiers(signature);
        let name = self.ident(&signature.ident);
        let generics = self.generics(&signature.generics, kind == FunctionKind::Kernel);
        let inputs = signature.inputs.iter();
        let parameters = inputs.filter_map(|input| self.parameter(input)).collect();
        let result = self.result_type(&signature.output);
        let body = body(self);
        let last = signature.paren_token.span.close();
        let span = self.span(signature.ident.span(), last);
        Function {
            name,
            module: self.module,
            visibility,
            kind,
            generics,
            parameters,
            result,
            body,
            rule: None,
            span,
        }
    }

    fn parameter(&mut self, source: &FnArg) -> Option<Parameter> {
        let FnArg::Typed(source) = source else {
            return None;
        };
        self.inert_attributes(&source.attrs, &[]);
        let pattern = self.pattern(&source.pat);
        let ty = self.ty(&source.ty);
        Some(Parameter { pattern, ty })
    }

    /// Reports what may stand before `fn` in Rust.
    fn modifiers(&mut self, signature: &Signature) {
        self.no_marker(signature.constness.map(|token| token.span), "`const fn`");
        self.no_marker(signature.asyncness.map(|token| token.span), "`async fn`");
        let safety = match &signature.safety {
            syn::Safety::Unsafe(token) => Some(token.span),
            syn::Safety::Safe(token) => Some(token.span),
            syn::Safety::Default => None,
        };
        self.no_marker(safety, "`unsafe fn`");
        let abi = signature.abi.as_ref();
        self.no_marker(abi.map(|abi| abi.extern_token.span), "`extern fn`");
        if let Some(variadic) = &signature.variadic {
            let span = self.whole(variadic);
            self.unsupported(span, "a variable number of parameters", "take an array");
        }
    }

    fn no_marker(&mut self, token: Option<Span>, construct: &str) {
        if let Some(token) = token {
            let span = self.at(token);
            self.unsupported(span, construct, "leave it out");
        }
    }

    /// The names of an exported procedure's parameters; a pattern has none, which is a mistake.
    fn host_parameters(&mut self, signature: &Signature, function: &Function) -> Vec<syn::Ident> {
        let inputs = signature.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(input) => Some(&*input.pat),
            FnArg::Receiver(_) => None,
        });
        let mut names = Vec::with_capacity(function.parameters.len());
        for (position, (input, parameter)) in inputs.zip(&function.parameters).enumerate() {
            if let syn::Pat::Ident(name) = input {
                names.push(name.ident.clone());
                continue;
            }
            if !matches!(parameter.pattern.kind, PatternKind::Error) {
                let message = "a parameter of an exported procedure needs a name";
                let help = "give it a name and destructure it with `let` in the body";
                let span = parameter.pattern.span;
                self.report(Diagnostic::new(Code::Unsupported, span, message).help(help));
            }
            let at = self.first(parameter.pattern.span);
            names.push(format_ident!("argument_{position}", span = at));
        }
        names
    }
}

fn receiver_tokens(receiver: Receiver, at: Span) -> TokenStream {
    match receiver {
        Receiver::Shared => quote_spanned!(at=> &self),
        Receiver::Exclusive => quote_spanned!(at=> &mut self),
    }
}
