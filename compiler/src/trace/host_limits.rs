//! What the language can say of a tree, and Rust cannot say of its host form.

use super::{array_lengths::given_for_lengths, tracer::Tracer};
use crate::{
    ast::{Expr, ExprKind, Generic, ModuleId, Type, TypeKind},
    diagnostic::{Code, Diagnostic},
};

impl Tracer<'_> {
    /// Reports lengths of arrays that are computed from a generic dimension. Those of tensors do not reach the
    /// host, which knows the number of axes only.
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
        let mut computed = Vec::new();
        let is_computed =
            |length: &Expr| !matches!(length.kind, ExprKind::Path(_)) && mentions(length, generics);
        ty.any(&mut |ty| {
            if let TypeKind::Array(_, length) = &ty.kind {
                computed.extend(is_computed(length).then_some(length.span));
            }
            for argument in given_for_lengths(self.ast, ModuleId::ROOT, ty) {
                let length = argument.as_const().filter(|length| is_computed(length));
                computed.extend(length.map(|length| length.span));
            }
            None
        });
        for span in computed {
            let message =
                "the length of an array in a tree cannot be computed from a generic dimension";
            let diagnostic = Diagnostic::new(Code::Unsupported, span, message);
            self.report(diagnostic.help("give the tree a generic parameter for it"));
        }
    }
}
fn mentions(value: &Expr, generics: &[Generic]) -> bool {
    let is_generic = |name: &str| generics.iter().any(|generic| generic.name.name == name);
    value.any(&mut |part| match &part.kind {
        ExprKind::Path(path) => Some(is_generic(&path.text())),
        _ => None,
    })
}
