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
            self.declared_defaults(&tree.generics);
        }
    }

    fn declared_type(&mut self, generics: &[Generic], ty: &Type) {
        self.among(generics, |tracer| tracer.resolve(ty));
    }

    fn declared_defaults(&mut self, generics: &[Generic]) {
        self.among(generics, |tracer| {
            for generic in generics {
                if let Some(default) = &generic.default {
                    tracer.generic_argument(generic, default);
                }
            }
        });
    }

    /// Runs where these generic parameters stand for nothing in particular.
    fn among<R>(&mut self, generics: &[Generic], run: impl FnOnce(&mut Self) -> R) -> R {
        let mut frame = Frame::outermost(ModuleId::ROOT);
        for generic in generics {
            frame
                .generics
                .bind(&generic.name.name, GenericValue::Poison);
        }
        self.in_frame(frame, run)
    }
}
