//! The host's view of a program, read off its declarations. It is there even if the program is wrong, so
//! that one mistake does not make the program's whole API disappear.

use super::{elements::Elements, endless};
use crate::{
    ast::{self, Declaration, GenericArgument, GenericKind, Given, ModuleId, TypeKind, Visibility},
    interface::{
        HostAlias, HostArgument, HostElement, HostLength, HostType, Interface, ProcedureInterface,
        TreeInterface,
    },
};
use iree_abi::{DType, Signature};
use std::collections::{BTreeMap, BTreeSet};

/// Aliases may mention others; this deep is a cycle.
const DEPTH_LIMIT: usize = 64;

/// The host side of a program, without its signature.
pub(super) fn interface(program: &ast::Program) -> Interface {
    let trees = program.trees.iter();
    let trees = trees.filter(|tree| tree.module == ModuleId::ROOT);
    let trees = trees.map(|tree| {
        let types: Vec<_> = tree.fields.iter().map(|field| &field.ty).collect();
        let scope = Scope::of(program, &tree.generics, &types);
        let fields = tree.fields.iter();
        let fields = fields.map(|field| {
            let ty = match endless::contains(program, &field.ty, tree) {
                true => HostType::Unknown,
                false => scope.ty(&field.ty),
            };
            (field.name.name.clone(), ty)
        });
        TreeInterface {
            name: tree.name.name.clone(),
            fields: fields.collect(),
            defaults: scope.defaults(&tree.generics),
        }
    });
    let exported = program.procedures.iter();
    let exported = exported.filter(|procedure| procedure.visibility == Visibility::Exported);
    Interface {
        trees: trees.collect(),
        imported_trees: imported_trees(program),
        procedures: exported
            .map(|procedure| procedure_interface(program, procedure))
            .collect(),
        consts: Vec::new(),
        aliases: aliases(program),
        signature: Signature::default(),
        files: Vec::new(),
    }
}

/// The imports of the module that are trees, by the names that they have there.
fn imported_trees(program: &ast::Program) -> Vec<String> {
    let imports = program.imports.first().into_iter().flat_map(BTreeMap::keys);
    let trees = imports.filter(|name| program.tree(ModuleId::ROOT, name).is_some());
    trees.cloned().collect()
}

/// What the aliases stand for, as far as the host has a word for it.
fn aliases(program: &ast::Program) -> Vec<(String, HostAlias)> {
    let own = program
        .aliases
        .iter()
        .filter(|alias| alias.module == ModuleId::ROOT);
    let aliases = own.filter_map(|alias| {
        let scope = Scope::of(program, &alias.generics, &[&alias.ty]);
        let argument = GenericArgument::Type(alias.ty.clone());
        let meaning = match (scope.element(&argument), scope.ty(&alias.ty)) {
            (Some(HostElement::Known(dtype)), _) => HostAlias::Element(dtype),
            (_, HostType::Unknown) => return None,
            (_, ty) => HostAlias::Type(ty),
        };
        Some((alias.name.name.clone(), meaning))
    });
    aliases.collect()
}

/// The program's name in IREE: as given, or the struct's in snake case without `Program`.
pub(super) fn program_name(program: &ast::Program) -> String {
    if let Some((name, _)) = &program.options.name {
        return name.clone();
    }
    let name = match &program.program {
        Some(program) => program.name.name.as_str(),
        None => program.name.name.as_str(),
    };
    let short = name.strip_suffix("Program").unwrap_or(name);
    snake_case(if short.is_empty() { name } else { short })
}

/// `FFTKernel` becomes `fft_kernel`.
fn snake_case(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut snake = String::new();
    for (index, letter) in letters.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| letters.get(before));
        let after = letters.get(index + 1);
        let after_small = before.is_some_and(|c| c.is_lowercase() || c.is_ascii_digit());
        let ends_capitals =
            before.is_some_and(|c| c.is_uppercase()) && after.is_some_and(|c| c.is_lowercase());
        if letter.is_uppercase() && (after_small || ends_capitals) {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

fn procedure_interface(program: &ast::Program, procedure: &ast::Function) -> ProcedureInterface {
    let mut scope = Scope::of(program, &procedure.generics, &[]);
    for meaning in scope.names.values_mut() {
        *meaning = match meaning {
            Meaning::Argument(HostArgument::Length(_)) => {
                Meaning::Argument(HostArgument::Length(HostLength::RunTime))
            }
            _ => Meaning::Unknown,
        };
    }
    let parameters = procedure.parameters.iter().map(|parameter| {
        let name = parameter.name().unwrap_or_default();
        (name.to_owned(), scope.ty(&parameter.ty))
    });
    ProcedureInterface {
        name: procedure.name.name.clone(),
        parameters: parameters.collect(),
        result: match &procedure.result {
            Some(ty) => scope.ty(ty),
            None => HostType::Tuple(Vec::new()),
        },
    }
}

/// What names stand for in a declaration.
#[derive(Clone)]
struct Scope<'m> {
    program: &'m ast::Program,
    /// The module that the declaration is in.
    module: ModuleId,
    names: BTreeMap<&'m str, Meaning>,
    depth: usize,
}

#[derive(Clone)]
enum Meaning {
    Argument(HostArgument),
    Unknown,
}

impl<'m> Scope<'m> {
    /// A declaration of the module with generic parameters, which stay as they are, that is made of these types.
    fn of(
        program: &'m ast::Program,
        generics: &'m [ast::Generic],
        types: &[&'m ast::Type],
    ) -> Self {
        let names = generics.iter().map(|generic| {
            let name = generic.name.name.clone();
            let argument = match &generic.kind {
                GenericKind::Dimensions => HostArgument::Type(HostType::Unknown),
                GenericKind::Dimension => HostArgument::Length(HostLength::Parameter(name)),
                GenericKind::Type(_)
                    if Elements::stand_for(program, ModuleId::ROOT, generic, types) =>
                {
                    HostArgument::Element(HostElement::Parameter(name))
                }
                GenericKind::Type(_) => HostArgument::Type(HostType::Parameter(name)),
            };
            (generic.name.name.as_str(), Meaning::Argument(argument))
        });
        Self {
            program,
            module: ModuleId::ROOT,
            names: names.collect(),
            depth: 0,
        }
    }

    /// The defaults of generic parameters that the host can have.
    fn defaults(&self, generics: &[ast::Generic]) -> Vec<(String, HostArgument)> {
        // Rust has them at the end only, which was reported if it is not so.
        let last = generics.iter().rev();
        let defaults = last.map_while(|generic| {
            let default = self.argument(generic, generic.default.as_ref()?);
            let is_known = default != HostArgument::Type(HostType::Unknown);
            is_known.then(|| (generic.name.name.clone(), default))
        });
        defaults.collect()
    }

    fn ty(&self, ty: &ast::Type) -> HostType {
        match &ty.kind {
            TypeKind::Path(path) => self.path(path),
            TypeKind::Tuple(items) => {
                HostType::Tuple(items.iter().map(|item| self.ty(item)).collect())
            }
            TypeKind::Array(item, length) => match self.length(length) {
                None | Some(HostLength::RunTime) => HostType::Unknown,
                Some(length) => HostType::List(Box::new(self.ty(item)), length),
            },
            TypeKind::Reference(inner) => self.ty(inner),
            TypeKind::Infer | TypeKind::Function { .. } | TypeKind::Error => HostType::Unknown,
        }
    }

    fn path(&self, path: &ast::Path) -> HostType {
        let Some(segment) = path.last() else {
            return HostType::Unknown;
        };
        let name = segment.name.name.as_str();
        if let Some(meaning) = self.names.get(name) {
            return match meaning {
                Meaning::Argument(HostArgument::Type(ty)) => ty.clone(),
                _ => HostType::Unknown,
            };
        }
        if name == "Tensor" {
            return self.tensor(&segment.arguments);
        }
        match self.program.declaration(self.module, name) {
            Some(Declaration::Alias(alias)) => self.alias(alias, &segment.arguments),
            Some(Declaration::Tree(tree)) => self.tree(tree, &segment.arguments),
            None => HostType::Unknown,
        }
    }

    fn tree(&self, tree: &'m ast::TreeStruct, arguments: &[GenericArgument]) -> HostType {
        let given = Given::new(&tree.generics, arguments);
        let is_right = given.mistakes.is_empty();
        let mut pairs = given.pairs(&tree.generics);
        let is_whole = pairs.all(|(one, argument)| argument.is_some() || one.default.is_some());
        // Wrong arguments, and parameters of one name, were reported and are no types of Rust.
        if !is_right || !is_whole || !are_apart(&tree.generics) {
            return HostType::Unknown;
        }
        let arguments = self.arguments((tree.module, &tree.generics), arguments);
        HostType::Tree {
            module: tree.module,
            name: tree.name.name.clone(),
            arguments: arguments
                .into_iter()
                .map(|(_, argument)| argument)
                .collect(),
        }
    }

    fn tensor(&self, arguments: &[GenericArgument]) -> HostType {
        let Some((element, dims)) = arguments.split_first() else {
            return HostType::Unknown;
        };
        match self.element(element) {
            Some(element) => HostType::Array {
                element,
                rank: dims.len(),
            },
            None => HostType::Unknown,
        }
    }

    fn alias(&self, alias: &'m ast::TypeAlias, arguments: &[GenericArgument]) -> HostType {
        if self.depth > DEPTH_LIMIT {
            return HostType::Unknown;
        }
        let arguments = self.arguments((alias.module, &alias.generics), arguments);
        let names = arguments.into_iter();
        let inner = Scope {
            program: self.program,
            module: alias.module,
            names: names
                .map(|(name, argument)| (name, Meaning::Argument(argument)))
                .collect(),
            depth: self.depth + 1,
        };
        inner.ty(&alias.ty)
    }

    /// What the generic parameters of something in that module stand for, by their names.
    fn arguments(
        &self,
        (module, parameters): (ModuleId, &'m [ast::Generic]),
        arguments: &[GenericArgument],
    ) -> Vec<(&'m str, HostArgument)> {
        let mut inner = Scope {
            program: self.program,
            module,
            names: BTreeMap::new(),
            depth: self.depth + 1,
        };
        let mut found = Vec::new();
        let given = Given::new(parameters, arguments);
        for (parameter, argument) in parameters.iter().zip(given.arguments) {
            let argument = match (argument, &parameter.default) {
                (Some(argument), _) => self.argument(parameter, argument),
                (None, Some(default)) => inner.argument(parameter, default),
                (None, None) => continue,
            };
            let name = parameter.name.name.as_str();
            let meaning = Meaning::Argument(argument.clone());
            inner.names.insert(name, meaning);
            found.push((name, argument));
        }
        found
    }

    fn argument(&self, parameter: &ast::Generic, argument: &GenericArgument) -> HostArgument {
        if self.depth > DEPTH_LIMIT {
            return HostArgument::Type(HostType::Unknown);
        }
        match (&parameter.kind, argument.as_type()) {
            (GenericKind::Dimension, _) => {
                let length = self.argument_length(argument);
                HostArgument::Length(length.unwrap_or(HostLength::RunTime))
            }
            (GenericKind::Dimensions, _) => HostArgument::Type(HostType::Unknown),
            (GenericKind::Type(_), ty) => match (self.element(argument), ty) {
                (Some(element), _) => HostArgument::Element(element),
                (None, Some(ty)) => HostArgument::Type(self.ty(ty)),
                (None, None) => HostArgument::Type(HostType::Unknown),
            },
        }
    }

    fn element(&self, argument: &GenericArgument) -> Option<HostElement> {
        let GenericArgument::Type(ast::Type {
            kind: TypeKind::Path(path),
            ..
        }) = argument
        else {
            return None;
        };
        let segment = path.last()?;
        let name = segment.name.name.as_str();
        match self.names.get(name) {
            Some(Meaning::Argument(HostArgument::Element(element))) => {
                return Some(element.clone());
            }
            Some(_) => return None,
            None => {}
        }
        if name == "Complex" {
            let part = self.element(segment.arguments.first()?)?;
            return match part {
                HostElement::Known(DType::F32) => Some(HostElement::Known(DType::C64)),
                HostElement::Known(DType::F64) => Some(HostElement::Known(DType::C128)),
                _ => None,
            };
        }
        if let Ok(dtype) = name.parse() {
            return Some(HostElement::Known(dtype));
        }
        let alias = self.program.alias(self.module, name)?;
        if !alias.generics.is_empty() || self.depth > DEPTH_LIMIT {
            return None;
        }
        let inner = Scope {
            program: self.program,
            module: alias.module,
            names: BTreeMap::new(),
            depth: self.depth + 1,
        };
        inner.element(&GenericArgument::Type(alias.ty.clone()))
    }

    fn argument_length(&self, argument: &GenericArgument) -> Option<HostLength> {
        match argument {
            GenericArgument::Named(..) => None,
            GenericArgument::Const(value) => self.length(value),
            GenericArgument::Type(ty) => match &ty.kind {
                TypeKind::Path(path) => self.length(&ast::Expr {
                    kind: ast::ExprKind::Path(path.clone()),
                    span: ty.span,
                }),
                _ => None,
            },
        }
    }

    /// A length, if it needs no more than literals, constants and arithmetic.
    fn length(&self, value: &ast::Expr) -> Option<HostLength> {
        if let ast::ExprKind::Path(path) = &value.kind
            && let Some(Meaning::Argument(HostArgument::Length(length))) =
                self.names.get(path.text().as_str())
        {
            return Some(length.clone());
        }
        let size = self.size(value, 0)?;
        Some(HostLength::Known(usize::try_from(size).ok()?))
    }

    fn size(&self, value: &ast::Expr, depth: usize) -> Option<i128> {
        use ast::{BinaryOperator as B, ExprKind as E};
        if depth > DEPTH_LIMIT {
            return None;
        }
        match &value.kind {
            E::Literal(ast::Literal {
                kind: ast::LiteralKind::Integer(Some(value)),
                ..
            }) => i128::try_from(*value).ok(),
            E::Block(block) if block.statements.is_empty() => {
                self.size(block.value.as_deref()?, depth + 1)
            }
            E::Path(path) => {
                let name = path.text();
                if let Some(Meaning::Argument(HostArgument::Length(HostLength::Known(size)))) =
                    self.names.get(name.as_str())
                {
                    return i128::try_from(*size).ok();
                }
                let item = self.program.constant(self.module, &name)?;
                let inner = Scope {
                    program: self.program,
                    module: item.module,
                    names: BTreeMap::new(),
                    depth: self.depth,
                };
                inner.size(&item.value, depth + 1)
            }
            E::Binary {
                operator, lhs, rhs, ..
            } => {
                let (lhs, rhs) = (self.size(lhs, depth + 1)?, self.size(rhs, depth + 1)?);
                match operator {
                    B::Add => lhs.checked_add(rhs),
                    B::Subtract => lhs.checked_sub(rhs),
                    B::Multiply => lhs.checked_mul(rhs),
                    B::Divide => lhs.checked_div(rhs),
                    B::Remainder => lhs.checked_rem(rhs),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// Whether generic parameters have names of their own.
fn are_apart(generics: &[ast::Generic]) -> bool {
    let mut names = BTreeSet::new();
    let mut generics = generics.iter();
    generics.all(|generic| names.insert(&generic.name.name))
}

#[cfg(test)]
mod tests {
    use super::snake_case;

    #[test]
    fn names_become_snake_case() {
        assert_eq!(snake_case("TrivialKernel"), "trivial_kernel");
        assert_eq!(snake_case("FFT"), "fft");
        assert_eq!(snake_case("FFTKernel"), "fft_kernel");
        assert_eq!(snake_case("Conv2d"), "conv2d");
        assert_eq!(snake_case("Layer2Norm"), "layer2_norm");
    }
}
