//! Globals that archives supply: the key of each of their tensors.

use super::{
    tracer::Tracer,
    tree::{Tree, TreeName},
    types::Type,
};
use crate::{
    ast,
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};
use iree_abi::{SuppliedParameter, join_path};
use iree_dsl_ir::{GlobalInit, ParameterName};
use std::{collections::BTreeMap, fmt};

/// The globals that are parameters, by what they are called in archives.
pub(crate) type Parameters = BTreeMap<ParameterName, String>;

/// A key, and where the last part of it is written.
#[derive(Clone)]
struct Key {
    text: String,
    span: SpanId,
}

impl Key {
    /// The key of something inside. A part without a name leaves no trace.
    fn then(&self, part: impl fmt::Display, span: SpanId) -> Self {
        let part = part.to_string();
        let text = match self.text.as_str() {
            "" => part,
            whole => join_path(whole, &part),
        };
        Self { text, span }
    }
}

impl Tracer<'_> {
    /// What the tensors of a global are called in archives; `None` for what was reported.
    pub(crate) fn parameters(
        &mut self,
        global: &ast::Global,
        scope: &str,
        ty: &Type,
    ) -> Vec<Option<GlobalInit>> {
        let nothing = Key {
            text: String::new(),
            span: global.name.span,
        };
        let mut keys = Vec::new();
        let (part, span) = written(&global.name, global.parameter.as_ref());
        self.keys(ty, &nothing.then(part, span), &mut keys);
        let leaves = ty.leaves().into_iter().zip(keys);
        let parameters = leaves.map(|((path, _), key)| {
            let place = join_path(&global.name.name, &path);
            self.parameter(scope, key, place)
        });
        parameters.collect()
    }

    fn parameter(&mut self, scope: &str, key: Key, place: String) -> Option<GlobalInit> {
        if key.text.is_empty() {
            let message = format!("`{place}` has no key in parameter archives");
            let help = "write a key that is not empty: `#[param(\"w\")]`";
            self.report(Diagnostic::new(Code::Attribute, key.span, message).help(help));
            return None;
        }
        let name = ParameterName {
            scope: scope.to_owned(),
            key: key.text,
        };
        if let Some(first) = self.globals.parameters.get(&name) {
            let ParameterName { scope, key: text } = &name;
            let message = format!(
                "`{place}` and `{first}` are both the parameter `{text}` of the scope `{scope}`"
            );
            let help = "rename one of them with `#[param(\"…\")]`, or make it an `alias`";
            self.report(Diagnostic::new(Code::Duplicate, key.span, message).help(help));
            return None;
        }
        self.globals.parameters.insert(name.clone(), place);
        Some(GlobalInit::Parameter(name))
    }

    /// The keys of all leaves in their order.
    fn keys(&self, ty: &Type, key: &Key, keys: &mut Vec<Key>) {
        match ty {
            Tree::Leaf(_) => keys.push(key.clone()),
            Tree::Struct(name, fields) => {
                for (field, ty) in fields {
                    let (part, span) = self.key_part(name, field).unwrap_or((field, key.span));
                    self.keys(ty, &key.then(part, span), keys);
                }
            }
            Tree::Tuple(items) | Tree::Array(items) => {
                for (index, ty) in items.iter().enumerate() {
                    self.keys(ty, &key.then(index, key.span), keys);
                }
            }
        }
    }

    /// What stands for a field in keys.
    fn key_part(&self, tree: &TreeName, field: &str) -> Option<(&str, SpanId)> {
        let tree = self.ast.tree(tree.module, &tree.name)?;
        let mut fields = tree.fields.iter();
        let field = fields.find(|found| found.name.name == field)?;
        Some(written(&field.name, field.parameter.as_ref()))
    }

    /// What archives must have for the program, in the order of the globals.
    pub(crate) fn supplied(&self) -> Vec<SuppliedParameter> {
        let globals = self.ir.globals.iter();
        let supplied = globals.filter_map(|(_, global)| match &global.init {
            GlobalInit::Parameter(name) => Some(SuppliedParameter {
                scope: name.scope.clone(),
                key: name.key.clone(),
                ty: global.ty.clone(),
                mutable: global.mutable,
            }),
            _ => None,
        });
        supplied.collect()
    }
}

/// What stands for a name in keys, and where it is written.
fn written<'a>(name: &'a ast::Ident, renamed: Option<&'a (String, SpanId)>) -> (&'a str, SpanId) {
    match renamed {
        Some((part, span)) => (part, *span),
        None => (&name.name, name.span),
    }
}
