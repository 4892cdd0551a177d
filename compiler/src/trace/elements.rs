//! Which generic parameters stand for element types. Those with bounds do; others may stand for trees, and what
//! they are used for tells.

use crate::ast::{self, GenericArgument, GenericKind, ModuleId, TypeKind};
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
            GenericKind::Dimension => false,
            GenericKind::Type(bounds) if !bounds.is_empty() => true,
            GenericKind::Type(_) => {
                let name = &parameter.name.name;
                types.iter().any(|ty| self.is_element_of(module, name, ty))
            }
        }
    }

    fn is_element_of(&mut self, module: ModuleId, name: &str, ty: &'m ast::Type) -> bool {
        match &ty.kind {
            TypeKind::Path(path) => path
                .last()
                .is_some_and(|segment| self.is_element_in(module, name, segment)),
            TypeKind::Tuple(items) => items
                .iter()
                .any(|item| self.is_element_of(module, name, item)),
            TypeKind::Array(inner, _) | TypeKind::Reference(inner) => {
                self.is_element_of(module, name, inner)
            }
            TypeKind::Infer | TypeKind::Function { .. } | TypeKind::Error => false,
        }
    }

    fn is_element_in(&mut self, module: ModuleId, name: &str, segment: &'m ast::Segment) -> bool {
        let arguments = segment.arguments.iter();
        if matches!(segment.name.name.as_str(), "Tensor" | "Complex") {
            let mut element = arguments.take(1);
            return element.any(|argument| {
                is_named(argument, name) || self.is_element_of_argument(module, name, argument)
            });
        }
        let (parameters, types, inner) = self.declaration(module, &segment.name.name);
        let mut pairs = parameters.iter().zip(arguments);
        pairs.any(|(parameter, argument)| {
            let key = (
                inner,
                segment.name.name.as_str(),
                parameter.name.name.as_str(),
            );
            match is_named(argument, name) {
                true => self.seen.insert(key) && self.is_element(inner, parameter, &types),
                false => self.is_element_of_argument(module, name, argument),
            }
        })
    }

    fn is_element_of_argument(
        &mut self,
        module: ModuleId,
        name: &str,
        argument: &'m GenericArgument,
    ) -> bool {
        match argument {
            GenericArgument::Type(ty) => self.is_element_of(module, name, ty),
            GenericArgument::Const(_) => false,
        }
    }

    /// The parameters of a tree or alias, the types that it is made of, and its module.
    fn declaration(
        &self,
        module: ModuleId,
        name: &str,
    ) -> (&'m [ast::Generic], Vec<&'m ast::Type>, ModuleId) {
        if let Some(alias) = self.program.alias(module, name) {
            return (&alias.generics, vec![&alias.ty], alias.module);
        }
        match self.program.tree(module, name) {
            Some(tree) => {
                let types = tree.fields.iter().map(|field| &field.ty);
                (&tree.generics, types.collect(), tree.module)
            }
            None => (&[], Vec::new(), module),
        }
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
