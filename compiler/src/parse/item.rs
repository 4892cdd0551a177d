//! Items that a program cannot have.

use super::context::Parser;
use crate::diagnostic::{Code, Diagnostic};
use crate::span::SpanId;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{ForeignItemFn, Item};

impl Parser<'_> {
    /// Reports an item that a program cannot have.
    pub(super) fn foreign_item(&mut self, source: &Item) {
        if let Item::Verbatim(tokens) = source
            && let Ok(function) = syn::parse2::<ForeignItemFn>(tokens.clone())
        {
            self.function_without_body(&function);
            return;
        }
        let (span, construct) = self.describe_item(source);
        let help = match source {
            Item::Enum(_) => "use a struct, or an integer tensor that tells the cases apart",
            Item::Trait(_) | Item::TraitAlias(_) => "write kernels, generic over `T: Float`",
            Item::Static(_) => "use a `const`, or a field of the program for what changes",
            Item::Union(_) => "use a struct",
            Item::Mod(_) => "write its items into the program's module",
            Item::Macro(_) => "define and call it outside the program",
            _ => "move it out of the program's module",
        };
        self.unsupported(span, construct, help);
    }

    /// The word that an item starts with, and what to call the item.
    pub(super) fn describe_item(&mut self, source: &Item) -> (SpanId, &'static str) {
        let (token, construct): (&dyn Token, _) = match source {
            Item::Const(item) => (&item.const_token, "a constant"),
            Item::Enum(item) => (&item.enum_token, "an `enum`"),
            Item::ExternCrate(item) => (&item.extern_token, "`extern crate`"),
            Item::Fn(item) => (&item.sig.fn_token, "a function"),
            Item::ForeignMod(item) => (&item.abi.extern_token, "an `extern` block"),
            Item::Impl(item) => (&item.impl_token, "an `impl`"),
            Item::Macro(item) => (&item.mac.bang_token, "a macro in place of an item"),
            Item::Mod(item) => (&item.mod_token, "a module inside a program"),
            Item::Static(item) => (&item.static_token, "a `static`"),
            Item::Struct(item) => (&item.struct_token, "a struct"),
            Item::Trait(item) => (&item.trait_token, "a `trait`"),
            Item::TraitAlias(item) => (&item.trait_token, "a `trait` alias"),
            Item::Type(item) => (&item.type_token, "a type alias"),
            Item::Union(item) => (&item.union_token, "a `union`"),
            Item::Use(item) => (&item.use_token, "a `use`"),
            other => return (self.whole(other), "this item"),
        };
        (self.whole(&token.tokens()), construct)
    }

    /// Reports a function that ends in a semicolon.
    pub(super) fn function_without_body(&mut self, source: &ForeignItemFn) {
        let span = self.at(source.sig.ident.span());
        let message = format!("the function `{}` has no body", source.sig.ident);
        let help = "write `{ … }` instead of the semicolon";
        self.report(Diagnostic::new(Code::Syntax, span, message).help(help));
    }
}

/// A keyword.
trait Token {
    fn tokens(&self) -> TokenStream;
}

impl<T: ToTokens> Token for T {
    fn tokens(&self) -> TokenStream {
        self.to_token_stream()
    }
}
