//! Trees that contain themselves. Tracing reports them; the host must not declare them.

use crate::ast::{self, GenericArgument, ModuleId, TypeKind};
use std::collections::BTreeSet;

/// Whether something of this type, as written in the module, has a part of the tree's type.
pub(super) fn contains(program: &ast::Program, ty: &ast::Type, tree: &ast::TreeStruct) -> bool {
    let mut search = Search {
        program,
        tree,
        seen: BTreeSet::new(),
    };
    search.ty(tree.module, ty)
}

struct Search<'m> {
    program: &'m ast::Program,
    tree: &'m ast::TreeStruct,
    /// The declarations that were looked at.
    seen: BTreeSet<(ModuleId, &'m str)>,
}

impl<'m> Search<'m> {
    fn ty(&mut self, module: ModuleId, ty: &'m ast::Type) -> bool {
        match &ty.kind {
            TypeKind::Path(path) => path
                .last()
                .is_some_and(|segment| self.segment(module, segment)),
            TypeKind::Tuple(items) => items.iter().any(|item| self.ty(module, item)),
            TypeKind::Array(inner, _) | TypeKind::Reference(inner) => self.ty(module, inner),
            TypeKind::Infer | TypeKind::Function { .. } | TypeKind::Error => false,
        }
    }

    fn segment(&mut self, module: ModuleId, segment: &'m ast::Segment) -> bool {
        let name = segment.name.name.as_str();
        let in_arguments = segment.arguments.iter().any(|argument| match argument {
            GenericArgument::Type(ty) => self.ty(module, ty),
            GenericArgument::Const(_) => false,
        });
        if in_arguments {
            return true;
        }
        if let Some(alias) = self.program.alias(module, name) {
            let is_new = self.seen.insert((alias.module, &alias.name.name));
            return is_new && self.ty(alias.module, &alias.ty);
        }
        let Some(found) = self.program.tree(module, name) else {
            return false;
        };
        if found.module == self.tree.module && found.name.name == self.tree.name.name {
            return true;
        }
        self.seen.insert((found.module, &found.name.name))
            && found
                .fields
                .iter()
                .any(|field| self.ty(found.module, &field.ty))
    }
}
