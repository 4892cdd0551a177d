//! The module and what each of its items is.

use super::context::{Parser, visibility};
use super::host_function::host_function;
use super::impls::Impls;
use super::mlir::mlir_kernel;
use super::{Host, HostItem, ModuleKind, Parsed};
use crate::ast::{self, Module, Options, TypeAlias};
use crate::diagnostic::{Code, Diagnostic};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Item, ItemStruct, Token};

/// An item that may turn out not to be a module.
enum Annotated {
    Module(Box<syn::ItemMod>),
    /// The word where `mod` should stand.
    Other(TokenStream),
}

impl Parse for Annotated {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let ahead = input.fork();
        ahead.call(Attribute::parse_outer)?;
        ahead.parse::<syn::Visibility>()?;
        ahead.parse::<Option<syn::token::Unsafe>>()?;
        if ahead.peek(Token![mod]) {
            return Ok(Self::Module(Box::new(input.parse()?)));
        }
        let word = ahead.parse::<Option<proc_macro2::TokenTree>>()?;
        input.parse::<TokenStream>()?;
        Ok(Self::Other(word.into_token_stream()))
    }
}

/// The items of a module, sorted.
#[derive(Default)]
struct Items<'s> {
    structs: Vec<&'s ItemStruct>,
    impls: Vec<&'s syn::ItemImpl>,
    functions: Vec<&'s syn::ItemFn>,
    consts: Vec<&'s syn::ItemConst>,
    aliases: Vec<&'s syn::ItemType>,
    uses: Vec<&'s syn::ItemUse>,
    others: Vec<&'s Item>,
}

impl<'s> Items<'s> {
    fn sort(items: &'s [Item]) -> Self {
        let mut sorted = Self::default();
        for item in items {
            match item {
                Item::Struct(item) => sorted.structs.push(item),
                Item::Impl(item) => sorted.impls.push(item),
                Item::Fn(item) => sorted.functions.push(item),
                Item::Const(item) => sorted.consts.push(item),
                Item::Type(item) => sorted.aliases.push(item),
                Item::Use(item) => sorted.uses.push(item),
                other => sorted.others.push(other),
            }
        }
        sorted
    }
}

impl Parser<'_> {
    pub(super) fn module(&mut self, options: Options, item: TokenStream) -> Option<Parsed> {
        match syn::parse2(item) {
            Ok(Annotated::Module(module)) => self.module_with_body(options, &module),
            Ok(Annotated::Other(word)) => {
                let span = self.whole(&word);
                let (attribute, noun) = (self.kind.attribute(), self.kind.noun());
                let message = format!("`#[{attribute}]` belongs on a module, not on `{word}`");
                let help = format!("write `#[{attribute}] mod name {{ … }}` around the {noun}");
                self.report(Diagnostic::new(Code::Structure, span, message).help(help));
                None
            }
            Err(error) => {
                self.syntax(&error);
                None
            }
        }
    }

    fn module_with_body(&mut self, options: Options, source: &syn::ItemMod) -> Option<Parsed> {
        if let Some(token) = &source.unsafety {
            let span = self.at(token.span);
            self.unsupported(span, "`unsafe`", "leave out `unsafe`");
        }
        let name = self.ident(&source.ident);
        let Some((_, items)) = &source.content else {
            let (attribute, noun) = (self.kind.attribute(), self.kind.noun());
            let message = format!("the {noun} `{}` has no body", name.name);
            let help =
                format!("write the module in braces: `#[{attribute}]` cannot read other files");
            self.report(Diagnostic::new(Code::Structure, name.span, message).help(help));
            return None;
        };
        let (_, attributes) = self.host_attributes(&source.attrs, &[]);
        let mut parsed = Parsed {
            module: empty_module(name, options),
            host: Host {
                attributes,
                visibility: source.vis.to_token_stream(),
                name: source.ident.clone(),
                uses: Vec::new(),
                modules: Vec::new(),
                imports: Vec::new(),
                program: None,
                trees: Vec::new(),
                procedures: Vec::new(),
                items: Vec::new(),
            },
        };
        let items = Items::sort(items);
        self.plain_items(&items, &mut parsed);
        self.program_and_trees(&items, &mut parsed);
        Some(parsed)
    }

    fn plain_items(&mut self, items: &Items<'_>, parsed: &mut Parsed) {
        for item in &items.others {
            if let Some(function) = host_function(item) {
                parsed.module.kernels.push(self.host_function(&function));
            } else if let Some(kernel) = mlir_kernel(item) {
                parsed.module.kernels.extend(self.mlir_kernel(&kernel));
            } else {
                self.foreign_item(item);
            }
        }
        for item in &items.uses {
            self.import(item, parsed);
        }
        for item in &items.consts {
            let host = self.host_item(&item.attrs, &item.vis, &item.ident, None);
            parsed.host.items.extend(host);
            parsed.module.consts.push(self.constant(item));
        }
        for item in &items.aliases {
            let generics = Some(&item.generics);
            let host = self.host_item(&item.attrs, &item.vis, &item.ident, generics);
            parsed.host.items.extend(host);
            parsed.module.aliases.push(self.alias(item));
        }
        for item in &items.functions {
            parsed.module.kernels.push(self.kernel(item));
        }
    }

    fn program_and_trees(&mut self, items: &Items<'_>, parsed: &mut Parsed) {
        let impls = match self.kind {
            ModuleKind::Program => Impls::find(self, &items.structs, &items.impls),
            ModuleKind::Kernels => {
                self.no_impls(&items.impls);
                Impls::default()
            }
        };
        for item in &items.structs {
            let is_program = impls
                .program
                .is_some_and(|program| std::ptr::eq(program, *item));
            if is_program {
                let (program, host) = self.program(item);
                parsed.module.program = Some(program);
                parsed.host.program = Some(host);
            } else {
                let (tree, host) = self.tree(item);
                parsed.module.trees.push(tree);
                parsed.host.trees.push(host);
            }
        }
        for item in &impls.of_program {
            self.procedures(item, parsed);
        }
    }

    /// What the host keeps of a constant or type alias, if it is not private.
    fn host_item(
        &mut self,
        attributes: &[Attribute],
        visibility: &syn::Visibility,
        name: &syn::Ident,
        generics: Option<&syn::Generics>,
    ) -> Option<HostItem> {
        let kept = attributes.iter().filter(|one| is_documentation(one));
        self.inert_attributes(attributes, &[]);
        let public = !matches!(visibility, syn::Visibility::Inherited);
        public.then(|| HostItem {
            attributes: kept.map(ToTokens::to_token_stream).collect(),
            visibility: visibility.to_token_stream(),
            name: name.clone(),
            generics: generics.cloned().unwrap_or_default(),
        })
    }

    fn alias(&mut self, source: &syn::ItemType) -> TypeAlias {
        TypeAlias {
            name: self.ident(&source.ident),
            module: self.module,
            visibility: visibility(&source.vis),
            generics: self.generics(&source.generics, false),
            ty: self.ty(&source.ty),
        }
    }
}

fn is_documentation(attribute: &Attribute) -> bool {
    attribute.path().is_ident("doc") || attribute.path().is_ident("deprecated")
}

fn empty_module(name: ast::Ident, options: Options) -> Module {
    Module {
        name,
        options,
        program: None,
        trees: Vec::new(),
        consts: Vec::new(),
        aliases: Vec::new(),
        kernels: Vec::new(),
        procedures: Vec::new(),
        imports: Vec::new(),
    }
}
