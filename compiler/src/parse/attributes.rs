//! Attributes: the language's own, those for the host side, and those that mean nothing here.

use super::context::Parser;
use crate::diagnostic::{Code, Diagnostic, nearest};
use crate::span::SpanId;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{AttrStyle, Attribute};

/// The language's own attributes, and where they belong.
const OWN: &[(&str, &str)] = &[
    ("global", "a field of the program"),
    ("import", "a function of the module that has no body"),
    (
        "kernel",
        "a function of the module that takes no `self`, or a `use`",
    ),
    ("param", "a field of a tree or of the program"),
    ("program", "a module"),
];

/// How a part of a program gets options of its own.
const APART: &str = "options are those of a whole program: what needs others is a program of its own, which shares kernels by \
                     `#[kernel] use` and weights by the same archive";

/// Attributes that change nothing about what a function computes.
const HARMLESS: &[&str] = &[
    "allow",
    "cold",
    "deny",
    "deprecated",
    "doc",
    "expect",
    "forbid",
    "inline",
    "must_use",
    "warn",
];

impl Parser<'_> {
    /// Attributes of something that the host side has too: those in `expected`, and the others as they
    /// are.
    pub(super) fn host_attributes<'s>(
        &mut self,
        attributes: &'s [Attribute],
        expected: &[&str],
    ) -> (Vec<&'s Attribute>, TokenStream) {
        let mut own = Vec::new();
        let mut others = TokenStream::new();
        for attribute in attributes {
            if is_any(attribute, expected) {
                own.push(attribute);
            } else if !self.misplaced(attribute) {
                outer(attribute).to_tokens(&mut others);
            }
        }
        (own, others)
    }

    /// Attributes of something that the host side does not have: those in `expected`. Anything that
    /// would have an effect in Rust is a mistake, since here it has none.
    pub(super) fn inert_attributes<'s>(
        &mut self,
        attributes: &'s [Attribute],
        expected: &[&str],
    ) -> Vec<&'s Attribute> {
        let mut own = Vec::new();
        for attribute in attributes {
            if is_any(attribute, expected) {
                own.push(attribute);
            } else if !is_harmless(attribute) && !self.misplaced(attribute) {
                let meant = self.unknown_attribute(attribute, expected);
                own.extend(meant.then_some(attribute));
            }
        }
        own
    }

    /// Reports an attribute that cannot stand here, wherever that is.
    fn misplaced(&mut self, attribute: &Attribute) -> bool {
        if is_any(attribute, &["cfg", "cfg_attr"]) {
            let span = self.whole(attribute);
            let help = "put it on the whole module, or write a second program";
            self.unsupported(span, "`cfg` inside a program", help);
            return true;
        }
        let place = OWN.iter().find(|(name, _)| is_any(attribute, &[name]));
        let Some((name, place)) = place else {
            return false;
        };
        let span = self.whole(attribute);
        let message = format!("`#[{name}]` belongs on {place}");
        let mut mistake = Diagnostic::new(Code::Attribute, span, message);
        mistake.help = (*name == "program").then(|| APART.to_owned());
        self.report(mistake);
        true
    }

    /// Reports an attribute that the language does not have, and tells whether one of `expected` is
    /// meant.
    fn unknown_attribute(&mut self, attribute: &Attribute, expected: &[&str]) -> bool {
        let name = name(attribute);
        let span = self.attribute_span(attribute);
        let message = format!("the attribute `{name}` has no effect here");
        let mistake = Diagnostic::new(Code::Attribute, span, message);
        let similar = nearest(&name, expected.iter().copied());
        let meant = similar.is_some();
        self.report(match similar {
            Some(similar) => mistake.help(format!(
                "there is an attribute with a similar name: `{similar}`"
            )),
            None => mistake.help("remove it"),
        });
        meant
    }

    /// The attribute's name.
    pub(super) fn attribute_span(&mut self, attribute: &Attribute) -> SpanId {
        self.whole(attribute.path())
    }

    /// Reports a second attribute of a kind that stands once, and gives the first.
    pub(super) fn only<'s>(&mut self, attributes: &[&'s Attribute]) -> Option<&'s Attribute> {
        for repeated in attributes.iter().skip(1) {
            let span = self.whole(*repeated);
            let message = format!("`#[{}]` is given twice", name(repeated));
            let help = "put all options into one attribute";
            self.report(Diagnostic::new(Code::Attribute, span, message).help(help));
        }
        attributes.first().copied()
    }
}

/// The name with its path.
fn name(attribute: &Attribute) -> String {
    let segments = attribute.path().segments.iter();
    let names: Vec<_> = segments.map(|segment| segment.ident.to_string()).collect();
    names.join("::")
}

/// Whether the attribute has one of these names, written alone or behind the crate's.
pub(super) fn is_any(attribute: &Attribute, names: &[&str]) -> bool {
    let mut segments = attribute.path().segments.iter().rev();
    let Some(last) = segments.next() else {
        return false;
    };
    let ours = segments.all(|segment| segment.ident == "iree_dsl");
    ours && names.iter().any(|name| last.ident == name)
}

fn is_harmless(attribute: &Attribute) -> bool {
    let mut segments = attribute.path().segments.iter();
    let tool = |name: &syn::Ident| name == "clippy" || name == "rustfmt" || name == "rustc";
    match (segments.next(), segments.next()) {
        (Some(only), None) => HARMLESS.iter().any(|name| only.ident == name),
        (Some(first), Some(_)) => tool(&first.ident),
        (None, _) => true,
    }
}

/// `#![…]` inside an item is `#[…]` before it.
fn outer(attribute: &Attribute) -> Attribute {
    let mut attribute = attribute.clone();
    attribute.style = AttrStyle::Outer;
    attribute
}
