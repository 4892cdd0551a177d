//! The program's struct and its fields.

use super::HostStruct;
use super::attributes::is_any;
use super::context::Parser;
use super::options::AttributeOption;
use super::tree::host_struct;
use crate::ast::{Expr, ExprKind, Global, GlobalInit, Ident, ProgramStruct};
use crate::diagnostic::{Code, Diagnostic};
use crate::span::SpanId;
use syn::ItemStruct;

const OPTIONS: &[&str] = &["init", "uninit", "parameter", "immutable", "alias"];

impl Parser<'_> {
    pub(super) fn program(&mut self, source: &ItemStruct) -> (ProgramStruct, HostStruct) {
        let (_, attributes) = self.host_attributes(&source.attrs, &[]);
        let name = self.ident(&source.ident);
        self.no_generics(&source.generics, "a program");
        let fields = self.named_fields(source);
        let globals = fields.filter_map(|field| self.global(field)).collect();
        let host = host_struct(source, attributes, Vec::new());
        (ProgramStruct { name, globals }, host)
    }

    fn global(&mut self, source: &syn::Field) -> Option<Global> {
        let name = self.ident(source.ident.as_ref()?);
        let own = self.inert_attributes(&source.attrs, &["global", "param"]);
        let (renamed, own): (Vec<_>, Vec<_>) = own
            .into_iter()
            .partition(|attribute| is_any(attribute, &["param"]));
        let parameter = self.only(&renamed);
        let parameter = parameter.and_then(|one| self.archive_key(one));
        let (init, immutable) = match self.only(&own) {
            Some(attribute) => {
                let options = self.attribute_options(attribute, "global", OPTIONS);
                options.map_or((GlobalInit::Error, false), |options| {
                    self.global_options(&options)
                })
            }
            None => {
                self.plain_field(&name);
                (GlobalInit::Error, false)
            }
        };
        if let (Some((_, span)), false) = (&parameter, is_supplied(&init)) {
            self.not_supplied(&name, *span);
        }
        let ty = self.ty(&source.ty);
        let (first, last) = (self.first(name.span), self.last(ty.span));
        let span = self.span(first, last);
        Some(Global {
            name,
            ty,
            init,
            immutable,
            parameter,
            span,
        })
    }

    fn not_supplied(&mut self, name: &Ident, span: SpanId) {
        let message = format!("the global `{}` is not supplied from an archive", name.name);
        let help = "write `#[global(parameter = \"scope\")]`, or leave out `#[param]`";
        self.report(Diagnostic::new(Code::Attribute, span, message).help(help));
    }

    fn plain_field(&mut self, name: &Ident) {
        let message = format!("the field `{}` of the program needs `#[global]`", name.name);
        let help = "add `#[global]` for zeros, or `#[global(init = …)]` for other values";
        self.report(Diagnostic::new(Code::Attribute, name.span, message).help(help));
    }

    /// Where the value comes from, and whether it is immutable.
    fn global_options(&mut self, options: &[AttributeOption]) -> (GlobalInit, bool) {
        let mut init: Option<(&str, GlobalInit)> = None;
        let mut immutable = None;
        for option in options {
            let name = option.name.name.as_str();
            if name == "immutable" {
                self.no_value(option);
                immutable = Some(option);
            } else if let Some((other, value)) = &mut init {
                let reason = "a global gets its first value from one place";
                self.contradiction(option, other, reason);
                *value = GlobalInit::Error;
            } else {
                init = Some((name, self.global_init(option)));
            }
        }
        if let (Some(option), Some((other, value))) = (immutable, &mut init) {
            let reason = match *other {
                "uninit" => "nothing could ever store its value",
                "alias" => "the global behind it decides",
                _ => "",
            };
            if !reason.is_empty() {
                self.contradiction(option, other, reason);
                *value = GlobalInit::Error;
            }
        }
        let init = init.map_or(GlobalInit::Zero, |(_, init)| init);
        (init, immutable.is_some())
    }

    fn contradiction(&mut self, option: &AttributeOption, other: &str, reason: &str) {
        let message = format!(
            "the options `{other}` and `{}` contradict each other: {reason}",
            option.name.name
        );
        self.report(Diagnostic::new(Code::Attribute, option.name.span, message));
    }

    fn global_init(&mut self, option: &AttributeOption) -> GlobalInit {
        match option.name.name.as_str() {
            "uninit" => {
                self.no_value(option);
                GlobalInit::Uninit
            }
            "parameter" => match self.string(option, "\"scope\"") {
                Some((scope, span)) if scope.is_empty() => {
                    let message = "the scope of a parameter has a name";
                    self.report(Diagnostic::new(Code::Attribute, span, message));
                    GlobalInit::Error
                }
                Some((scope, span)) => GlobalInit::Parameter(scope, span),
                None => GlobalInit::Error,
            },
            "alias" => self.alias_path(option),
            _ => match &option.value {
                Some(value) => GlobalInit::Value(self.expr(value)),
                None => {
                    self.wrong_value(option, "an expression", "zeros()");
                    GlobalInit::Error
                }
            },
        }
    }

    fn alias_path(&mut self, option: &AttributeOption) -> GlobalInit {
        let path = option.value.as_ref().map(|value| self.expr(value));
        match path {
            Some(path) if is_place(&path) => GlobalInit::Alias(path),
            // Reported while it was read.
            Some(path) if matches!(path.kind, ExprKind::Error) => GlobalInit::Error,
            _ => {
                let expected = "the path of an earlier global";
                self.wrong_value(option, expected, "params.x");
                GlobalInit::Error
            }
        }
    }

    fn no_value(&mut self, option: &AttributeOption) {
        if let Some(value) = &option.value {
            let name = &option.name.name;
            let span = self.whole(value);
            let message = format!("the option `{name}` takes no value");
            let help = format!("write `{name}` alone");
            self.report(Diagnostic::new(Code::Attribute, span, message).help(help));
        }
    }
}

/// Whether the value comes from an archive, or from something that was reported.
const fn is_supplied(init: &GlobalInit) -> bool {
    matches!(init, GlobalInit::Parameter(..) | GlobalInit::Error)
}

/// `name`, and fields and elements of it.
fn is_place(expr: &Expr) -> bool {
    let mut expr = expr;
    loop {
        match &expr.kind {
            ExprKind::Field(base, _) | ExprKind::Index(base, _) => expr = base,
            ExprKind::Path(path) => return path.as_ident().is_some(),
            _ => return false,
        }
    }
}
