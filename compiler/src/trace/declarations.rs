//! Trees and type aliases on their own, so that their mistakes are found without a use.

use super::{frame::Frame, tracer::Tracer, types::GenericValue};
use crate::ast::{Generic, ModuleId, Type};

impl Tracer<'_> {
    /// Resolves the types that the trees and aliases of the module are made of. What depends on their generic
    /// parameters is left to their uses.
    pub(crate) fn declared_types(&mut self) {
        let ast = self.ast;
        for alias in ast
            .aliases
            .iter()
            .filter(|one| one.module == ModuleId::ROOT)
        {
            self.declared_type(&alias.generics, &alias.ty);
        }
        for tree in ast.trees.iter().filter(|one| one.module == ModuleId::ROOT) {
            for field in &tree.fields {
                self.declared_type(&tree.generics, &field.ty);
            }
        }
    }

    fn declared_type(&mut self, generics: &[Generic], ty: &Type) {
        let mut frame = Frame::outermost(ModuleId::ROOT);
        for generic in generics {
            frame
                .generics
                .bind(&generic.name.name, GenericValue::Poison);
        }
        self.in_frame(frame, |tracer| tracer.resolve(ty));
    }
}
