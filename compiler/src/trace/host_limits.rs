//! What the language can say of a tree, and Rust cannot say of its host form.

use super::tracer::Tracer;
use crate::{
    ast::{Expr, ExprKind, Generic, GenericArgument, ModuleId, Type, TypeKind},
    diagnostic::{Code, Diagnostic},
};

impl Tracer<'_> {
    /// Reports generic arguments of trees, and lengths of arrays, that are computed from a generic
    /// dimension. Those of tensors do not reach the host, which knows the number of axes only.
    pub(crate) fn host_limits(&mut self) {
        let ast = self.ast;
        let trees = ast.trees.iter();
        for tree in trees.filter(|tree| tree.module == ModuleId::ROOT) {
            for field in &tree.fields {
                self.host_type(&field.ty, &tree.generics);
            }
            self.host_defaults(&tree.generics);
        }
    }

    /// Reports defaults that are computed from other parameters, which Rust does not have.
    fn host_defaults(&mut self, generics: &[Generic]) {
        let defaults = generics
            .iter()
            .filter_map(|one| one.default.as_ref()?.as_const());
        for default in defaults.filter(|default| mentions(default, generics)) {
            let message = "a default cannot be computed from another generic parameter";
            let diagnostic = Diagnostic::new(Code::Unsupported, default.span, message);
            self.report(diagnostic.help("leave the default out, or take a parameter as it is"));
        }
    }

    fn host_type(&mut self, ty: &Type, generics: &[Generic]) {
        let mut lengths = Vec::new();
        ty.any(&mut |ty| match &ty.kind {
            TypeKind::Path(path) if path.text() == "Tensor" => Some(false),
            TypeKind::Path(path) => {
                lengths.extend(path.arguments().filter_map(GenericArgument::as_const));
                None
            }
            TypeKind::Array(_, length) => {
                lengths.push(length);
                None
            }
            _ => None,
        });
        for length in lengths {
            self.host_length(length, generics);
        }
    }

    fn host_length(&mut self, length: &Expr, generics: &[Generic]) {
        if matches!(length.kind, ExprKind::Path(_)) || !mentions(length, generics) {
            return;
        }
        let message =
            "a dimension computed from a generic one cannot be an argument of a tree inside a tree";
        let diagnostic = Diagnostic::new(Code::Unsupported, length.span, message);
        self.report(diagnostic.help("give the outer tree a generic parameter for it"));
    }
}

fn mentions(value: &Expr, generics: &[Generic]) -> bool {
    let is_generic = |name: &str| generics.iter().any(|generic| generic.name.name == name);
    value.any(&mut |part| match &part.kind {
        ExprKind::Path(path) => Some(is_generic(&path.text())),
        _ => None,
    })
}
