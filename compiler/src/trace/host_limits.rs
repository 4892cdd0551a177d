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
        }
    }

    fn host_type(&mut self, ty: &Type, generics: &[Generic]) {
        match &ty.kind {
            TypeKind::Tuple(items) => items.iter().for_each(|item| self.host_type(item, generics)),
            TypeKind::Array(item, length) => {
                self.host_type(item, generics);
                self.host_length(length, generics);
            }
            TypeKind::Path(path) => {
                for segment in &path.segments {
                    if segment.name.name == "Tensor" {
                        continue;
                    }
                    for argument in &segment.arguments {
                        match argument {
                            GenericArgument::Type(ty) => self.host_type(ty, generics),
                            GenericArgument::Const(value) => self.host_length(value, generics),
                        }
                    }
                }
            }
            _ => {}
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
    match &value.kind {
        ExprKind::Path(path) => generics
            .iter()
            .any(|generic| generic.name.name == path.text()),
        ExprKind::Binary { lhs, rhs, .. } => mentions(lhs, generics) || mentions(rhs, generics),
        ExprKind::Unary(_, operand) | ExprKind::Cast(operand, _) => mentions(operand, generics),
        ExprKind::Block(block) => {
            let value = block.value.as_deref();
            value.is_some_and(|value| mentions(value, generics))
        }
        _ => false,
    }
}
