//! What generic parameters stand for, as far as it follows from types that are known.

use super::{
    generics::Generics,
    solve::{Scope, solve},
    tree::Tree,
    types::{GenericValue, Type, TypeLeaf},
    value::{Value, ValueLeaf},
};
use crate::ast::{self, GenericArgument, GenericKind, Given, ModuleId};
use iree_abi::{Dim, Extent, TensorType};

/// Finds generic parameters by laying a type as written over a type that is known.
pub(crate) struct Unify<'k> {
    ast: &'k ast::Program,
    /// The module in which the types are written.
    module: ModuleId,
    /// The parameters to find.
    parameters: &'k [ast::Generic],
    /// How many aliases the types are behind.
    depth: usize,
}

/// Aliases may mention others; this deep is a cycle.
const DEPTH_LIMIT: usize = 64;

impl<'k> Unify<'k> {
    /// Finds these parameters in types that are written in the module.
    pub(crate) const fn new(
        ast: &'k ast::Program,
        module: ModuleId,
        parameters: &'k [ast::Generic],
    ) -> Self {
        Self {
            ast,
            module,
            parameters,
            depth: 0,
        }
    }

    /// The module in which the types are written.
    pub(crate) const fn module(&self) -> ModuleId {
        self.module
    }

    /// Lays a type as written over a type, and binds what it finds.
    pub(crate) fn ty(&self, pattern: &ast::Type, actual: &Type, generics: &mut Generics) {
        match (&pattern.kind, actual) {
            (ast::TypeKind::Reference(inner), _) => self.ty(inner, actual, generics),
            (ast::TypeKind::Tuple(patterns), Tree::Tuple(items)) => {
                for (pattern, item) in patterns.iter().zip(items) {
                    self.ty(pattern, item, generics);
                }
            }
            (ast::TypeKind::Array(pattern, length), Tree::Array(items)) => {
                if let ast::ExprKind::Path(path) = &length.kind {
                    self.dimension_path(path, &Extent::from(items.len()), generics);
                }
                if let Some(item) = items.first() {
                    self.ty(pattern, item, generics);
                }
            }
            (ast::TypeKind::Path(path), _) => self.path(path, actual, generics),
            _ => {}
        }
    }

    /// Whether every generic parameter that a type mentions is known.
    pub(crate) fn is_bound(&self, ty: &ast::Type, generics: &Generics) -> bool {
        match &ty.kind {
            ast::TypeKind::Reference(inner) => self.is_bound(inner, generics),
            ast::TypeKind::Tuple(items) => items.iter().all(|item| self.is_bound(item, generics)),
            ast::TypeKind::Array(item, length) => {
                self.is_bound(item, generics) && self.is_size_bound(length, generics)
            }
            ast::TypeKind::Path(path) => path.segments.iter().all(|segment| {
                let name = &segment.name.name;
                self.is_name_bound(name, generics)
                    && segment.arguments.iter().all(|argument| {
                        let ty = argument.as_type();
                        let value = argument.as_const();
                        ty.is_none_or(|ty| self.is_bound(ty, generics))
                            && value.is_none_or(|value| self.is_size_bound(value, generics))
                    })
            }),
            ast::TypeKind::Function { parameters, result } => {
                let mut types = parameters.iter().chain(result.as_deref());
                types.all(|ty| self.is_bound(ty, generics))
            }
            _ => true,
        }
    }

    fn is_size_bound(&self, value: &ast::Expr, generics: &Generics) -> bool {
        match &value.kind {
            ast::ExprKind::Path(path) => self.is_name_bound(&path.text(), generics),
            ast::ExprKind::Literal(_) => true,
            // Arithmetic: known only if everything is.
            _ => self
                .parameters
                .iter()
                .all(|own| generics.get(&own.name.name).is_some()),
        }
    }

    fn is_name_bound(&self, name: &str, generics: &Generics) -> bool {
        let generic = self.parameters.iter().any(|own| own.name.name == name);
        !generic || generics.get(name).is_some()
    }

    fn path(&self, path: &ast::Path, actual: &Type, generics: &mut Generics) {
        let Some(segment) = path.last() else { return };
        let name = segment.name.name.as_str();
        match actual {
            Tree::Leaf(TypeLeaf::Tensor(ty)) if name == "Tensor" => {
                self.tensor(&segment.arguments, ty, generics);
            }
            Tree::Struct(struct_name, fields) => {
                if self.is_type_parameter(name) {
                    generics.bind(name, GenericValue::Type(actual.clone()));
                } else if let Some(tree) = self.tree(name) {
                    let mut found = self.fields(tree, fields);
                    if struct_name.is(tree) {
                        found.bind_all(&struct_name.generics);
                    }
                    self.carry_over(&tree.generics, segment, &found, generics);
                } else {
                    self.alias(segment, actual, generics);
                }
            }
            Tree::Leaf(TypeLeaf::Poison | TypeLeaf::Unknown) => {}
            _ if self.is_type_parameter(name) => {
                generics.bind(name, GenericValue::Type(actual.clone()));
            }
            _ => self.alias(segment, actual, generics),
        }
    }

    fn tensor(&self, arguments: &[GenericArgument], ty: &TensorType, generics: &mut Generics) {
        let Some((element, dims)) = arguments.split_first() else {
            return;
        };
        if let Some(name) = self.type_parameter(element) {
            generics.bind(name, GenericValue::Element(ty.dtype));
        }
        let several = dims.iter().position(|dim| self.several(dim).is_some());
        let mut sizes = ty.shape.dims().to_vec();
        if let Some(at) = several {
            let Some(count) = (sizes.len() + 1).checked_sub(dims.len()) else {
                return;
            };
            let taken = sizes.splice(at..at + count, [Dim::Any]);
            let taken: Option<Vec<_>> = taken.map(|size| size.extent()).collect();
            let name = dims.get(at).and_then(|dim| self.several(dim));
            if let (Some(name), Some(taken)) = (name, taken) {
                generics.bind(name, GenericValue::Dimensions(taken));
            }
        }
        if dims.len() != sizes.len() {
            return;
        }
        for (dim, size) in dims.iter().zip(sizes) {
            if let Some(extent) = size.extent() {
                self.dimension_argument(dim, &extent, generics);
            }
        }
    }

    /// The generic parameter for any number of dimensions that this is, if it is one.
    fn several<'n>(&self, argument: &'n GenericArgument) -> Option<&'n str> {
        let name = argument.as_type()?.as_ident()?.name.as_str();
        let mut parameters = self.parameters.iter();
        let is_one = parameters.any(|parameter| {
            parameter.name.name == name && matches!(parameter.kind, GenericKind::Dimensions)
        });
        is_one.then_some(name)
    }

    /// What types that are known tell of the generic parameters of a tree whose fields have them.
    fn fields(&self, tree: &ast::TreeStruct, fields: &[(std::rc::Rc<str>, Type)]) -> Generics {
        let inner = Unify::new(self.ast, tree.module, &tree.generics);
        let mut found = Generics::default();
        for (field, (_, ty)) in tree.fields.iter().zip(fields) {
            inner.ty(&field.ty, ty, &mut found);
        }
        found
    }

    fn alias(&self, segment: &ast::Segment, actual: &Type, generics: &mut Generics) {
        if self.depth > DEPTH_LIMIT {
            return;
        }
        let Some(alias) = self.ast.alias(self.module, &segment.name.name) else {
            return;
        };
        let inner = Unify {
            depth: self.depth + 1,
            ..Unify::new(self.ast, alias.module, &alias.generics)
        };
        let mut found = Generics::default();
        inner.ty(&alias.ty, actual, &mut found);
        self.carry_over(&alias.generics, segment, &found, generics);
    }

    /// Lays what stands between the angle brackets over what the parameters of a tree or alias were found to be.
    fn carry_over(
        &self,
        parameters: &[ast::Generic],
        segment: &ast::Segment,
        found: &Generics,
        generics: &mut Generics,
    ) {
        let given = Given::new(parameters, &segment.arguments);
        for (parameter, argument) in given.pairs(parameters) {
            let (Some(value), Some(argument)) = (found.get(&parameter.name.name), argument) else {
                continue;
            };
            match (value, argument) {
                (GenericValue::Dimension(size), argument) => {
                    self.dimension_argument(argument, size, generics);
                }
                (GenericValue::Type(actual), GenericArgument::Type(pattern)) => {
                    self.ty(pattern, actual, generics);
                }
                (value, argument) => {
                    if let Some(name) = self.type_parameter(argument) {
                        generics.bind(name, value.clone());
                    }
                }
            }
        }
    }

    /// A literal given for `Tensor<T>` decides `T` if nothing else does.
    pub(crate) fn literal(&self, pattern: &ast::Type, value: &Value, generics: &mut Generics) {
        let Tree::Leaf(ValueLeaf::Static(number)) = value else {
            return;
        };
        let ast::TypeKind::Path(path) = &pattern.kind else {
            return;
        };
        let Some(segment) = path.last() else { return };
        if segment.name.name != "Tensor" {
            return;
        }
        let element = segment.arguments.first();
        let name = element.and_then(|element| self.type_parameter(element));
        if let (Some(name), Some(dtype)) = (name, number.ty.default_dtype()) {
            generics.bind(name, GenericValue::Element(dtype));
        }
    }

    fn dimension_argument(
        &self,
        argument: &GenericArgument,
        size: &Extent,
        generics: &mut Generics,
    ) {
        if let Some(ty) = argument.as_type()
            && let ast::TypeKind::Path(path) = &ty.kind
        {
            self.dimension_path(path, size, generics);
        }
        let dimensions = self.parameters.iter().filter(|own| is_dimension(own));
        let dimensions: Vec<_> = dimensions.map(|own| own.name.name.as_str()).collect();
        if let Some(value) = argument.as_const()
            && let Some((name, size)) = solve(value, size, &dimensions, self.scope(generics))
        {
            generics.bind(&name, GenericValue::Dimension(size));
        }
    }

    fn scope<'s>(&'s self, generics: &'s Generics) -> Scope<'s> {
        Scope {
            ast: self.ast,
            module: self.module,
            generics,
        }
    }

    fn dimension_path(&self, path: &ast::Path, size: &Extent, generics: &mut Generics) {
        let Some(name) = path.as_ident() else { return };
        let mut parameters = self.parameters.iter();
        if parameters.any(|own| own.name.name == name.name && is_dimension(own)) {
            generics.bind(&name.name, GenericValue::Dimension(size.clone()));
        }
    }

    fn type_parameter<'n>(&self, argument: &'n GenericArgument) -> Option<&'n str> {
        let GenericArgument::Type(ty) = argument else {
            return None;
        };
        let ast::TypeKind::Path(path) = &ty.kind else {
            return None;
        };
        let name = path.as_ident()?.name.as_str();
        self.is_type_parameter(name).then_some(name)
    }

    fn is_type_parameter(&self, name: &str) -> bool {
        self.parameters.iter().any(|parameter| {
            parameter.name.name == name && matches!(parameter.kind, GenericKind::Type(_))
        })
    }

    fn tree(&self, name: &str) -> Option<&ast::TreeStruct> {
        self.ast.tree(self.module, name)
    }
}

const fn is_dimension(parameter: &ast::Generic) -> bool {
    matches!(parameter.kind, GenericKind::Dimension)
}
