//! Which generic parameters stand for element types. Those with bounds do; others may stand for trees, and what
//! they are used for tells.

use crate::ast::{self, GenericArgument, GenericKind, Given, ModuleId, TypeKind};
use std::collections::BTreeSet;

/// Looks for a use as an element type, in declarations that may mention each other.
pub(super) struct Elements<'m> {
    program: &'m ast::Program,
    /// The parameters that were looked at, as modules, declarations and their own names.
    seen: BTreeSet<(ModuleId, &'m str, &'m str)>,
}

impl<'m> Elements<'m> {
    /// Whether a type parameter of something in this module, which is made of these types, stands for an element
    /// type.
    pub(super) fn stand_for(
        program: &'m ast::Program,
        module: ModuleId,
        parameter: &ast::Generic,
        types: &[&'m ast::Type],
    ) -> bool {
        let mut elements = Self {
            program,
            seen: BTreeSet::new(),
        };
        elements.is_element(module, parameter, types)
    }

    fn is_element(
        &mut self,
        module: ModuleId,
        parameter: &ast::Generic,
        types: &[&'m ast::Type],
    ) -> bool {
        match &parameter.kind {
            GenericKind::Dimension | GenericKind::Dimensions => false,
            GenericKind::Type(bounds) if !bounds.is_empty() => true,
            GenericKind::Type(_) => {
                let name = &parameter.name.name;
                let mut found = |ty: &'m ast::Type| self.is_element_in(module, name, ty);
                types.iter().any(|ty| ty.any(&mut found))
            }
        }
    }

    /// Whether a type uses a name in place of an element type; `None` if what is inside may.
    fn is_element_in(&mut self, module: ModuleId, name: &str, ty: &'m ast::Type) -> Option<bool> {
        let TypeKind::Path(path) = &ty.kind else {
            return None;
        };
        let segment = path.last()?;
        let declared = segment.name.name.as_str();
        if matches!(declared, "Tensor" | "Complex") {
            let element = segment.arguments.first();
            let is_element = element.is_some_and(|element| is_named(element, name));
            return is_element.then_some(true);
        }
        let declaration = self.program.declaration(module, declared)?;
        let ((module, declared), types) = (declaration.place(), declaration.types());
        let given = Given::new(declaration.generics(), &segment.arguments);
        let mut pairs = given.pairs(declaration.generics());
        let found = pairs.any(|(parameter, argument)| {
            let key = (module, declared, parameter.name.name.as_str());
            argument.is_some_and(|argument| is_named(argument, name))
                && self.seen.insert(key)
                && self.is_element(module, parameter, &types)
        });
        found.then_some(true)
    }
}

fn is_named(argument: &GenericArgument, name: &str) -> bool {
    match argument {
        GenericArgument::Type(ast::Type {
            kind: TypeKind::Path(path),
            ..
        }) => path.as_ident().is_some_and(|ident| ident.name == name),
        _ => false,
    }
}
