//! Generic arguments that are lengths of arrays inside a tree. The host must know them, while it knows of tensors
//! the number of axes only.

use crate::ast::{
    Declaration, Expr, ExprKind, Generic, GenericArgument, GenericKind, Given, ModuleId, Program,
    Type, TypeKind,
};
use std::collections::BTreeSet;

/// Those between the angle brackets of a type that is written in the module; not of types inside of it.
pub(super) fn given_for_lengths<'m>(
    program: &'m Program,
    module: ModuleId,
    ty: &'m Type,
) -> Vec<&'m GenericArgument> {
    let lengths = sizes(program, module, ty).into_iter();
    let lengths = lengths.filter(|(_, declaration, parameter)| {
        let mut search = Search {
            program,
            seen: BTreeSet::new(),
        };
        search.is_length(declaration, parameter)
    });
    lengths.map(|(argument, ..)| argument).collect()
}

/// The sizes between the angle brackets of a type, with the parameters that they are for.
fn sizes<'m>(
    program: &'m Program,
    module: ModuleId,
    ty: &'m Type,
) -> Vec<(&'m GenericArgument, Declaration<'m>, &'m Generic)> {
    let TypeKind::Path(path) = &ty.kind else {
        return Vec::new();
    };
    let found = path.last().and_then(|segment| {
        let declaration = program.declaration(module, &segment.name.name)?;
        Some((declaration, &segment.arguments))
    });
    let Some((declaration, arguments)) = found else {
        return Vec::new();
    };
    let generics = declaration.generics();
    let pairs = Given::new(generics, arguments).pairs(generics);
    let sizes = pairs.filter(|(parameter, _)| matches!(parameter.kind, GenericKind::Dimension));
    let sizes = sizes.filter_map(|(parameter, argument)| Some((argument?, declaration, parameter)));
    sizes.collect()
}

struct Search<'m> {
    program: &'m Program,
    /// The parameters that were looked at, with their declarations.
    seen: BTreeSet<(ModuleId, &'m str, &'m str)>,
}

impl<'m> Search<'m> {
    /// Whether a parameter of a tree or alias is the length of an array in it.
    fn is_length(&mut self, declaration: &Declaration<'m>, parameter: &'m Generic) -> bool {
        let ((module, declared), name) = (declaration.place(), parameter.name.name.as_str());
        if !self.seen.insert((module, declared, name)) {
            return false;
        }
        let mut found = |ty: &'m Type| match &ty.kind {
            TypeKind::Array(_, length) if mentions(length, name) => Some(true),
            _ => {
                let sizes = sizes(self.program, module, ty).into_iter();
                let mut sizes = sizes.filter(|(argument, ..)| is_made_of(argument, name));
                sizes
                    .any(|(_, inner, parameter)| self.is_length(&inner, parameter))
                    .then_some(true)
            }
        };
        declaration.types().into_iter().any(|ty| ty.any(&mut found))
    }
}

/// Whether a generic argument is a parameter, or computed from it.
fn is_made_of(argument: &GenericArgument, name: &str) -> bool {
    let path = argument.as_type().and_then(Type::as_ident);
    path.is_some_and(|ident| ident.name == name)
        || argument
            .as_const()
            .is_some_and(|value| mentions(value, name))
}

fn mentions(value: &Expr, name: &str) -> bool {
    value.any(&mut |part| match &part.kind {
        ExprKind::Path(path) => Some(path.text() == name),
        _ => None,
    })
}
