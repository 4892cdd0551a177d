//! Structs of tensors.

use super::context::{Parser, visibility};
use super::{HostField, HostStruct};
use crate::ast::{TreeField, TreeStruct};
use crate::diagnostic::{Code, Diagnostic};
use crate::span::SpanId;
use quote::ToTokens;
use syn::{Fields, ItemStruct, Meta};

impl Parser<'_> {
    pub(super) fn tree(&mut self, source: &ItemStruct) -> (TreeStruct, HostStruct) {
        let (_, attributes) = self.host_attributes(&source.attrs, &[]);
        let name = self.ident(&source.ident);
        let generics = self.generics_of_tree(&source.generics);
        let mut fields = Vec::new();
        let mut host_fields = Vec::new();
        for field in self.named_fields(source) {
            let Some(field_name) = &field.ident else {
                continue;
            };
            let (own, attributes) = self.host_attributes(&field.attrs, &["param"]);
            let parameter = self.only(&own);
            let parameter = parameter.and_then(|one| self.archive_key(one));
            fields.push(TreeField {
                name: self.ident(field_name),
                ty: self.ty(&field.ty),
                parameter,
            });
            host_fields.push(HostField {
                attributes,
                visibility: field.vis.to_token_stream(),
                name: field_name.clone(),
            });
        }
        let span = self.struct_span(source);
        let host = host_struct(source, attributes, host_fields);
        let tree = TreeStruct {
            name,
            module: self.module,
            visibility: visibility(&source.vis),
            generics,
            fields,
            span,
        };
        (tree, host)
    }

    /// The fields of a struct; those without names are a mistake.
    pub(super) fn named_fields<'s>(
        &mut self,
        source: &'s ItemStruct,
    ) -> impl Iterator<Item = &'s syn::Field> + use<'s> {
        if let Fields::Unnamed(fields) = &source.fields {
            let delimiter = fields.paren_token.span;
            let span = self.span(delimiter.open(), delimiter.close());
            let help = "give the fields names: `{ a: …, b: … }`";
            self.unsupported(span, "a tuple struct", help);
        }
        let named = match &source.fields {
            Fields::Named(fields) => Some(&fields.named),
            _ => None,
        };
        let fields = named.into_iter().flatten();
        for field in fields.clone() {
            if let Some((token, _)) = &field.default {
                let span = self.at(token.spans[0]);
                let help = "give the value where the struct is made";
                self.unsupported(span, "a default of a field", help);
            }
        }
        fields
    }

    fn struct_span(&mut self, source: &ItemStruct) -> SpanId {
        let last = match &source.fields {
            Fields::Named(fields) => fields.brace_token.span.close(),
            Fields::Unnamed(fields) => fields.paren_token.span.close(),
            Fields::Unit => source.ident.span(),
        };
        self.span(source.struct_token.span, last)
    }

    /// The key in `#[param("key")]`.
    pub(super) fn archive_key(&mut self, source: &syn::Attribute) -> Option<(String, SpanId)> {
        let key = match &source.meta {
            Meta::List(list) => list.parse_args::<syn::LitStr>().ok(),
            _ => None,
        };
        if let Some(key) = key {
            return Some((key.value(), self.at(key.span())));
        }
        let span = self.whole(source);
        let message = "`#[param]` takes the key of the field in parameter archives";
        let help = "write `#[param(\"key\")]`";
        self.report(Diagnostic::new(Code::Attribute, span, message).help(help));
        None
    }
}

/// What the host side keeps of a struct.
pub(super) fn host_struct(
    source: &ItemStruct,
    attributes: proc_macro2::TokenStream,
    fields: Vec<HostField>,
) -> HostStruct {
    HostStruct {
        attributes,
        visibility: source.vis.to_token_stream(),
        name: source.ident.clone(),
        generics: source.generics.clone(),
        fields,
    }
}
