//! What is compiled as one: a module, and the kernel modules that it imports from.
//!
//! A macro sees its own tokens only, and cannot ask for others. It can leave a call of a macro that has
//! them, the carrier of a kernel module, which calls back with them. So what is known so far travels as
//! tokens from carrier to carrier, until nothing is missing.

use crate::{
    ast::ModuleId,
    expand::link_name,
    parse::{ModuleKind, Source},
    span::SpanTable,
};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote};
use std::collections::VecDeque;
use syn::{
    LitInt, braced,
    parse::{Parse, ParseStream},
};

/// A module that is being compiled, with the kernel modules that are at hand.
pub(super) struct Unit {
    /// The attribute's name. It stands where the attribute does.
    pub(super) name: Ident,
    /// The options of the attribute.
    attribute: TokenStream,
    /// The path of the crate `iree-dsl` in the user's crate.
    pub(super) root: TokenStream,
    /// The module itself, and then the others.
    modules: Vec<Member>,
    /// What is missing.
    pending: VecDeque<Pending>,
}

/// A module of a [`Unit`].
struct Member {
    /// The name of its carrier, which no other module has.
    key: Ident,
    /// How the module that is being compiled reaches it; nothing for that one.
    path: TokenStream,
    item: TokenStream,
    /// The modules behind the paths that it imports from, in their order, as far as they are at hand.
    uses: Vec<ModuleId>,
}

/// A kernel module that is imported from.
struct Pending {
    path: TokenStream,
    importer: ModuleId,
}

/// What a carrier brings: its key, its module, and the unit that asked for it.
pub(super) struct Delivery {
    key: Ident,
    item: TokenStream,
    unit: Unit,
}

impl Unit {
    /// A module on its own, below the attribute of that name.
    pub(super) fn new(
        name: Ident,
        key: Ident,
        attribute: TokenStream,
        item: TokenStream,
        root: TokenStream,
    ) -> Self {
        let module = Member {
            key,
            path: TokenStream::new(),
            item,
            uses: Vec::new(),
        };
        Self {
            name,
            attribute,
            root,
            modules: vec![module],
            pending: VecDeque::new(),
        }
    }

    /// What the module is for.
    pub(super) fn kind(&self) -> ModuleKind {
        if self.name == "program" {
            ModuleKind::Program
        } else {
            ModuleKind::Kernels
        }
    }

    /// The module that is being compiled.
    pub(super) fn item(&self) -> TokenStream {
        let root = self.modules.first();
        root.map_or_else(TokenStream::new, |root| root.item.clone())
    }

    /// A table of spans that knows where the attribute stands.
    pub(super) fn spans(&self) -> SpanTable {
        SpanTable::called_at(self.name.span())
    }

    /// The module that is being compiled, as it is written.
    pub(super) fn source(&self) -> Source {
        Source::attributed(self.kind(), self.attribute.clone(), self.item())
    }

    /// Every module as it is written, by its id, with the modules that it imports from.
    pub(super) fn sources(&self) -> impl Iterator<Item = (Source, Vec<ModuleId>)> {
        let modules = self.modules.iter().enumerate();
        modules.map(|(index, member)| {
            let source = match index {
                0 => self.source(),
                _ => self.carried(ModuleId::new(index), &member.item),
            };
            (source, member.uses.clone())
        })
    }

    fn carried(&self, id: ModuleId, item: &TokenStream) -> Source {
        Source::carried(id, item.clone(), &self.item())
    }

    /// How the module that is being compiled reaches each module.
    pub(super) fn paths(&self) -> Vec<TokenStream> {
        let paths = self.modules.iter().map(|member| member.path.clone());
        paths.collect()
    }

    /// The path to the carrier of a module that is missing.
    pub(super) fn missing(&self) -> Option<&TokenStream> {
        self.pending.front().map(|pending| &pending.path)
    }

    /// Notes the paths of the modules that a module imports from.
    pub(super) fn expect(&mut self, importer: ModuleId, paths: &[TokenStream]) {
        let Some(member) = self.modules.get(importer.index()) else {
            return;
        };
        for (index, path) in paths.iter().enumerate() {
            let path = if importer == ModuleId::ROOT {
                path.clone()
            } else {
                let (outer, link) = (&member.path, link_name(index));
                quote!(#outer::#link)
            };
            self.pending.push_back(Pending { path, importer });
        }
    }
}

impl Delivery {
    /// Adds what was missing. `imports` gives the paths of the modules that a module imports from.
    pub(super) fn accept(self, imports: impl FnOnce(&Source) -> Vec<TokenStream>) -> Unit {
        let Self {
            key,
            item,
            mut unit,
        } = self;
        let Some(Pending { path, importer }) = unit.pending.pop_front() else {
            return unit;
        };
        let known = unit.modules.iter().position(|member| member.key == key);
        let id = ModuleId::new(known.unwrap_or(unit.modules.len()));
        if let Some(importer) = unit.modules.get_mut(importer.index()) {
            importer.uses.push(id);
        }
        if known.is_none() {
            let paths = imports(&unit.carried(id, &item));
            unit.modules.push(Member {
                key,
                path,
                item,
                uses: Vec::new(),
            });
            unit.expect(id, &paths);
        }
        unit
    }
}

impl ToTokens for Unit {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self {
            name,
            attribute,
            root,
            modules,
            pending,
        } = self;
        let pending = pending.iter();
        tokens.extend(quote! {
            #name { #attribute } { #root } { #(#modules)* } { #(#pending)* }
        });
    }
}

impl ToTokens for Member {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self {
            key,
            path,
            item,
            uses,
        } = self;
        let uses = uses.iter().map(|id| id_token(*id));
        tokens.extend(quote!(#key { #path } { #item } { #(#uses)* }));
    }
}

impl ToTokens for Pending {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let (path, importer) = (&self.path, id_token(self.importer));
        tokens.extend(quote!({ #path } #importer));
    }
}

fn id_token(id: ModuleId) -> Literal {
    Literal::usize_unsuffixed(id.index())
}

impl Parse for Delivery {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let carried;
        braced!(carried in input);
        Ok(Self {
            key: carried.parse()?,
            item: tokens(&carried)?,
            unit: input.parse()?,
        })
    }
}

impl Parse for Unit {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        Ok(Self {
            name: input.parse()?,
            attribute: tokens(input)?,
            root: tokens(input)?,
            modules: list(input)?,
            pending: list(input)?.into(),
        })
    }
}

impl Parse for Member {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let (key, path, item) = (input.parse()?, tokens(input)?, tokens(input)?);
        let uses;
        braced!(uses in input);
        let mut ids = Vec::new();
        while !uses.is_empty() {
            ids.push(id(&uses)?);
        }
        Ok(Self {
            key,
            path,
            item,
            uses: ids,
        })
    }
}

impl Parse for Pending {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        Ok(Self {
            path: tokens(input)?,
            importer: id(input)?,
        })
    }
}

/// What is in braces, as it is.
fn tokens(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let content;
    braced!(content in input);
    content.parse()
}

fn list<T: Parse>(input: ParseStream<'_>) -> syn::Result<Vec<T>> {
    let content;
    braced!(content in input);
    let mut items = Vec::new();
    while !content.is_empty() {
        items.push(content.parse()?);
    }
    Ok(items)
}

fn id(input: ParseStream<'_>) -> syn::Result<ModuleId> {
    let number: LitInt = input.parse()?;
    Ok(ModuleId::new(number.base10_parse()?))
}
