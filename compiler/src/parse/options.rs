//! Options of attributes: `name`, `name = value`, separated by commas.

use super::{ModuleKind, context::Parser};
use crate::ast::{Emit, Ident, Options, Preset};
use crate::diagnostic::{Code, Diagnostic, nearest};
use crate::span::SpanId;
use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Lit, LitStr, Meta, Token};

/// An option of an attribute.
pub(super) struct AttributeOption {
    pub(super) name: Ident,
    /// What stands behind `=`.
    pub(super) value: Option<syn::Expr>,
}

struct Written {
    name: syn::Ident,
    value: Option<syn::Expr>,
}

impl Parse for Written {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = syn::Ident::parse_any(input)?;
        let value = match input.parse::<Option<Token![=]>>()? {
            Some(_) => Some(input.parse()?),
            None => None,
        };
        Ok(Self { name, value })
    }
}

type Separated = Punctuated<Written, Token![,]>;

impl Parser<'_> {
    /// The options of the module's attribute.
    pub(super) fn options(&mut self, attribute: TokenStream) -> Options {
        match self.kind {
            ModuleKind::Program => self.program_options(attribute),
            ModuleKind::Kernels => {
                if !attribute.is_empty() {
                    let span = self.whole(&attribute);
                    let message = "`#[kernel]` on a module has no options";
                    self.report(Diagnostic::new(Code::Attribute, span, message));
                }
                Options::default()
            }
        }
    }

    /// The options of `#[program(…)]`.
    fn program_options(&mut self, attribute: TokenStream) -> Options {
        let written = syn::parse::Parser::parse2(Separated::parse_terminated, attribute);
        let mut options = Options::default();
        let known = ["name", "targets", "opt", "emit", "flags"];
        for option in self.known_options("program", written, &known) {
            match option.name.name.as_str() {
                "name" => options.name = self.program_name(&option),
                "targets" => options.targets = self.strings(&option, "[\"cpu\"]"),
                "opt" => options.opt = self.preset(&option),
                "emit" => {
                    let names = self.strings(&option, "[\"vm-c\"]");
                    options.emit = self.outputs(names);
                }
                _ => {
                    let flags = self.strings(&option, "[\"--iree-opt-level=O3\"]");
                    options.flags = self.flags(flags);
                }
            }
        }
        options
    }

    /// The options of an attribute inside the module; `None` where they cannot be read.
    pub(super) fn attribute_options(
        &mut self,
        attribute: &Attribute,
        attribute_name: &str,
        known: &[&str],
    ) -> Option<Vec<AttributeOption>> {
        let written = match &attribute.meta {
            Meta::Path(_) => return Some(Vec::new()),
            Meta::List(list) => list.parse_args_with(Separated::parse_terminated),
            Meta::NameValue(pair) => {
                let span = self.at(pair.eq_token.spans[0]);
                let message = format!("`#[{attribute_name}]` takes its options in parentheses");
                self.report(Diagnostic::new(Code::Attribute, span, message));
                return None;
            }
        };
        let complete = written.is_ok();
        let options = self.known_options(attribute_name, written, known);
        complete.then_some(options)
    }

    /// Reports options that do not exist or stand twice, and leaves them out.
    fn known_options(
        &mut self,
        attribute_name: &str,
        written: syn::Result<Separated>,
        known: &[&str],
    ) -> Vec<AttributeOption> {
        let written = written.unwrap_or_else(|error| {
            self.syntax(&error);
            Separated::new()
        });
        let mut options: Vec<AttributeOption> = Vec::new();
        for Written { name, value } in written {
            let name = self.ident(&name);
            if !known.contains(&name.name.as_str()) {
                self.unknown_option(attribute_name, &name, known);
            } else if options.iter().any(|other| other.name.name == name.name) {
                let message = format!("the option `{}` is given twice", name.name);
                self.report(Diagnostic::new(Code::Attribute, name.span, message));
            } else {
                options.push(AttributeOption { name, value });
            }
        }
        options
    }

    fn unknown_option(&mut self, attribute_name: &str, name: &Ident, known: &[&str]) {
        let message = format!("`#[{attribute_name}]` has no option `{}`", name.name);
        let mistake = Diagnostic::new(Code::Attribute, name.span, message);
        self.report(match nearest(&name.name, known.iter().copied()) {
            Some(similar) => mistake.help(format!(
                "there is an option with a similar name: `{similar}`"
            )),
            None if known.is_empty() => mistake.help("it has no options here"),
            None => mistake.help(format!("the options are `{}`", known.join("`, `"))),
        });
    }

    /// The string that an option has.
    pub(super) fn string(
        &mut self,
        option: &AttributeOption,
        example: &str,
    ) -> Option<(String, SpanId)> {
        let text = self.string_value(option, example)?;
        Some((text.value(), self.at(text.span())))
    }

    /// The literal of a string that an option has.
    pub(super) fn string_value<'o>(
        &mut self,
        option: &'o AttributeOption,
        example: &str,
    ) -> Option<&'o LitStr> {
        let text = option.value.as_ref().and_then(string_literal);
        if text.is_none() {
            self.wrong_value(option, "a string", example);
        }
        text
    }

    fn strings(&mut self, option: &AttributeOption, example: &str) -> Vec<(String, SpanId)> {
        let elements = match &option.value {
            Some(syn::Expr::Array(array)) if !array.elems.is_empty() => &array.elems,
            _ => {
                self.wrong_value(option, "a list of strings", example);
                return Vec::new();
            }
        };
        let mut strings = Vec::with_capacity(elements.len());
        for element in elements {
            match string_literal(element) {
                Some(text) => strings.push((text.value(), self.at(text.span()))),
                None => {
                    let span = self.whole(element);
                    let message = format!("`{}` lists strings", option.name.name);
                    let help = format!("write `{} = {example}`", option.name.name);
                    self.report(Diagnostic::new(Code::Attribute, span, message).help(help));
                }
            }
        }
        strings
    }

    /// Reports an option whose value is not what it takes.
    pub(super) fn wrong_value(&mut self, option: &AttributeOption, expected: &str, example: &str) {
        let name = &option.name.name;
        let span = match &option.value {
            Some(value) => self.whole(value),
            None => option.name.span,
        };
        let message = format!("the option `{name}` takes {expected}");
        let help = format!("write `{name} = {example}`");
        self.report(Diagnostic::new(Code::Attribute, span, message).help(help));
    }

    /// The module's name in IREE, which becomes part of every symbol.
    fn program_name(&mut self, option: &AttributeOption) -> Option<(String, SpanId)> {
        let (name, span) = self.string(option, "\"my_program\"")?;
        let mut characters = name.chars();
        let starts = characters
            .next()
            .is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
        if starts && characters.all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Some((name, span));
        }
        let message = format!("`{name}` cannot name a module");
        let help = "use ASCII letters, digits and `_`, starting with a letter";
        self.report(Diagnostic::new(Code::Attribute, span, message).help(help));
        None
    }

    fn preset(&mut self, option: &AttributeOption) -> Option<Preset> {
        let (name, span) = self.string(option, "\"size\"")?;
        match Preset::named(&name) {
            Ok(preset) => Some(preset),
            Err(reason) => {
                self.report(Diagnostic::new(Code::Attribute, span, reason));
                None
            }
        }
    }

    fn outputs(&mut self, names: Vec<(String, SpanId)>) -> Vec<Emit> {
        let mut outputs = Vec::new();
        for (name, span) in names {
            match Emit::named(&name) {
                Ok(output) => outputs.push(output),
                Err(reason) => self.report(Diagnostic::new(Code::Attribute, span, reason)),
            }
        }
        outputs
    }

    fn flags(&mut self, flags: Vec<(String, SpanId)>) -> Vec<(String, SpanId)> {
        for (flag, span) in &flags {
            let of_target = flag.split_once(": ").map(|(_, flag)| flag.trim());
            if !flag.starts_with("--") && !of_target.is_some_and(|flag| flag.starts_with("--")) {
                let message = format!("`{flag}` is not a flag of the IREE compiler");
                let help = "flags start with `--`, and each is a string of its own";
                self.report(Diagnostic::new(Code::Attribute, *span, message).help(help));
            }
        }
        flags
    }
}

fn string_literal(value: &syn::Expr) -> Option<&LitStr> {
    match value {
        syn::Expr::Lit(syn::ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(text),
        syn::Expr::Group(group) => string_literal(&group.expr),
        _ => None,
    }
}
