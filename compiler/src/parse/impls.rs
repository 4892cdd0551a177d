//! Which struct is the program: the one that has the `impl`.

use super::context::Parser;
use crate::diagnostic::{Code, Diagnostic, nearest};
use syn::{ItemImpl, ItemStruct};

/// The program's struct and its `impl`s.
#[derive(Default)]
pub(super) struct Impls<'s> {
    pub(super) program: Option<&'s ItemStruct>,
    pub(super) of_program: Vec<&'s ItemImpl>,
}

impl<'s> Impls<'s> {
    /// Finds the program; reports a missing one, a second one, and `impl`s of anything else.
    pub(super) fn find(
        parser: &mut Parser<'_>,
        structs: &[&'s ItemStruct],
        impls: &[&'s ItemImpl],
    ) -> Self {
        let mut found = Self::default();
        let mut foreign = false;
        for &item in impls {
            match parser.implemented(item, structs) {
                None => foreign = true,
                Some(owner) => found.add(parser, owner, item),
            }
        }
        if found.program.is_none() {
            // What has globals is meant to be the program.
            found.program = structs.iter().copied().find(|item| has_globals(item));
            if !foreign {
                parser.missing_program(structs, found.program);
            }
        }
        found
    }

    fn add(&mut self, parser: &mut Parser<'_>, owner: &'s ItemStruct, item: &'s ItemImpl) {
        let program = *self.program.get_or_insert(owner);
        if std::ptr::eq(program, owner) {
            self.of_program.push(item);
        } else {
            parser.second_program(program, item);
        }
    }
}

impl Parser<'_> {
    /// Reports `impl`s in a kernel module, which has no program.
    pub(super) fn no_impls(&mut self, impls: &[&ItemImpl]) {
        for item in impls {
            let span = self.at(item.impl_token.span);
            let message = "a kernel module has no program, and so no `impl`";
            let help = "write the functions as kernels, without `self`";
            self.report(Diagnostic::new(Code::Structure, span, message).help(help));
        }
    }

    /// The struct that an inherent `impl` belongs to.
    fn implemented<'s>(
        &mut self,
        source: &ItemImpl,
        structs: &[&'s ItemStruct],
    ) -> Option<&'s ItemStruct> {
        if let Some((_, token)) = &source.trait_ {
            let span = self.span(source.impl_token.span, token.span);
            let help = "write the functions into the program's own `impl`, or as kernels";
            self.unsupported(span, "an `impl` of a trait", help);
            return None;
        }
        let Some(name) = type_name(&source.self_ty) else {
            let span = self.whole(&source.self_ty);
            self.unsupported(span, "an `impl` of this type", "name the program's struct");
            return None;
        };
        let found = structs.iter().find(|item| item.ident == *name);
        if found.is_none() {
            self.impl_of_nothing(name, structs);
        }
        found.copied()
    }

    fn impl_of_nothing(&mut self, name: &syn::Ident, structs: &[&ItemStruct]) {
        let name = self.ident(name);
        let message = format!("there is no struct `{}` in this module", name.name);
        let names = names(structs);
        let help = match nearest(&name.name, names.iter().map(String::as_str)) {
            Some(similar) => format!("there is a struct with a similar name: `{similar}`"),
            None => format!("add `pub struct {};`", name.name),
        };
        self.report(Diagnostic::new(Code::Structure, name.span, message).help(help));
    }

    fn missing_program(&mut self, structs: &[&ItemStruct], likely: Option<&ItemStruct>) {
        let names = names(structs);
        let Some(likely) = likely.or(structs.last().copied()) else {
            let span = crate::span::SpanId::CALL_SITE;
            let message = "the module has no program";
            let help = "add `pub struct Name;` and `impl Name { … }` with its procedures";
            self.report(Diagnostic::new(Code::Structure, span, message).help(help));
            return;
        };
        let likely = self.ident(&likely.ident);
        let message = match names.len() {
            1 => format!(
                "the module has no program: the struct `{}` has no `impl`",
                likely.name
            ),
            _ => format!(
                "the module has no program: none of the structs `{}` has an `impl`",
                names.join("`, `")
            ),
        };
        let help = format!(
            "add `impl {} {{ … }}` with the program's procedures",
            likely.name
        );
        self.report(Diagnostic::new(Code::Structure, likely.span, message).help(help));
    }

    fn second_program(&mut self, program: &ItemStruct, source: &ItemImpl) {
        let Some(name) = type_name(&source.self_ty) else {
            return;
        };
        let name = self.ident(name);
        let first = self.ident(&program.ident);
        let message = format!(
            "a module has one program, and both `{}` and `{}` have an `impl`",
            first.name, name.name
        );
        let help = format!(
            "write the functions of `{}` as kernels, or give it a module of its own",
            name.name
        );
        self.report(Diagnostic::new(Code::Structure, name.span, message).help(help));
    }
}

fn has_globals(item: &ItemStruct) -> bool {
    let mut attributes = item.fields.iter().flat_map(|field| &field.attrs);
    attributes.any(|attribute| attribute.path().is_ident("global"))
}

fn names(structs: &[&ItemStruct]) -> Vec<String> {
    use syn::ext::IdentExt;
    let names = structs.iter();
    names.map(|item| item.ident.unraw().to_string()).collect()
}

/// The name, if the type is one.
fn type_name(ty: &syn::Type) -> Option<&syn::Ident> {
    match ty {
        syn::Type::Path(path) if path.qself.is_none() && path.path.leading_colon.is_none() => {
            let mut segments = path.path.segments.iter();
            match (segments.next(), segments.next()) {
                (Some(only), None) => Some(&only.ident),
                _ => None,
            }
        }
        syn::Type::Group(group) => type_name(&group.elem),
        syn::Type::Paren(paren) => type_name(&paren.elem),
        _ => None,
    }
}
