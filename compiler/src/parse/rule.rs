//! Kernels with derivatives of their own: `#[kernel(jvp = f)]` and `#[kernel(vjp = (keep, back))]`.

use super::{context::Parser, options::AttributeOption};
use crate::{
    ast::{Ident, Rule},
    diagnostic::{Code, Diagnostic},
};
use syn::Attribute;

impl Parser<'_> {
    /// The rule among the options of a kernel that has a body.
    pub(super) fn rule(&mut self, attribute: &Attribute) -> Option<Rule> {
        let options = self.attribute_options(attribute, "kernel", &["mlir", "jvp", "vjp"])?;
        if let Some(option) = options.iter().find(|option| option.name.name == "mlir") {
            let message = "a kernel that is written as MLIR has no other body";
            let help = "write a semicolon instead of `{ … }`";
            let span = option.name.span;
            self.report(Diagnostic::new(Code::Attribute, span, message).help(help));
        }
        self.rule_among(&options)
    }

    /// The rule among options.
    pub(super) fn rule_among(&mut self, options: &[AttributeOption]) -> Option<Rule> {
        let mut rules = options.iter().filter(|option| option.name.name != "mlir");
        let option = rules.next()?;
        if let Some(other) = rules.next() {
            let message = "a kernel has one rule for its derivative, `jvp` or `vjp`";
            self.report(Diagnostic::new(Code::Attribute, other.name.span, message));
            return None;
        }
        let names = option.value.as_ref().map(|value| self.names_of(value));
        match (
            option.name.name.as_str(),
            names.unwrap_or_default().as_slice(),
        ) {
            ("jvp", [Some(rule)]) => Some(Rule::Jvp(rule.clone())),
            ("vjp", [Some(keep), Some(back)]) => Some(Rule::Vjp(keep.clone(), back.clone())),
            (name, _) => {
                let form = match name {
                    "jvp" => "jvp = name",
                    _ => "vjp = (keep, back)",
                };
                let message = format!("`{name}` takes the names of kernels: `{form}`");
                let span = option.name.span;
                self.report(Diagnostic::new(Code::Attribute, span, message));
                None
            }
        }
    }

    /// The name that an expression is, or those in a tuple.
    fn names_of(&mut self, value: &syn::Expr) -> Vec<Option<Ident>> {
        match value {
            syn::Expr::Tuple(tuple) => {
                let items = tuple.elems.iter();
                items.flat_map(|item| self.names_of(item)).collect()
            }
            syn::Expr::Path(path) => {
                let name = path.path.get_ident().map(|name| self.ident(name));
                vec![name]
            }
            _ => vec![None],
        }
    }
}
