//! Trees that contain themselves. Tracing reports them; the host must not declare them.

use crate::ast::{self, Declaration, ModuleId, TypeKind};
use std::collections::BTreeSet;

/// Whether something of this type, as written in the module, has a part of the tree's type.
pub(super) fn contains(program: &ast::Program, ty: &ast::Type, tree: &ast::TreeStruct) -> bool {
    let mut search = Search {
        program,
        tree,
        seen: BTreeSet::new(),
    };
    search.is_in(tree.module, ty)
}

struct Search<'m> {
    program: &'m ast::Program,
    tree: &'m ast::TreeStruct,
    /// The declarations that were looked at.
    seen: BTreeSet<(ModuleId, &'m str)>,
}

impl<'m> Search<'m> {
    fn is_in(&mut self, module: ModuleId, ty: &'m ast::Type) -> bool {
        ty.any(&mut |ty| match &ty.kind {
            TypeKind::Path(path) => {
                let name = path.last()?.name.name.as_str();
                let declaration = self.program.declaration(module, name)?;
                self.is_in_declaration(&declaration).then_some(true)
            }
            _ => None,
        })
    }

    fn is_in_declaration(&mut self, declaration: &Declaration<'m>) -> bool {
        let (module, name) = declaration.place();
        if let Declaration::Tree(_) = declaration
            && (module, name) == (self.tree.module, &self.tree.name.name)
        {
            return true;
        }
        let mut types = declaration.types().into_iter();
        self.seen.insert((module, name)) && types.any(|ty| self.is_in(module, ty))
    }
}
