//! What types, dimensions and generic arguments as written stand for.

use super::{
    frame::Frame,
    given::GenericUse,
    operation::type_elsewhere,
    statics::StaticType,
    tracer::Tracer,
    tree::{Tree, TreeName},
    types::{CallableType, GenericValue, Type, TypeLeaf},
    value::{Value, ValueLeaf},
};
use crate::{
    ast::{self, Declaration, GenericArgument, GenericKind, ModuleId, TypeKind},
    diagnostic::{Code, Diagnostic, nearest},
    span::SpanId,
};
use iree_abi::{DType, Dim, Shape, TensorType};
use std::rc::Rc;

/// A type alias or tree may mention others; this deep is a cycle.
const DEPTH_LIMIT: usize = 64;

/// Each element of an array has its own values, and a type for each.
const ARRAY_LIMIT: usize = 65_536;

const ELEMENT_FIRST: &str =
    "the element type comes first, then the size of each axis: `Tensor<f32, 3, 4>`";

impl Tracer<'_> {
    /// The type that is written.
    pub(crate) fn resolve(&mut self, ty: &ast::Type) -> Type {
        match &ty.kind {
            TypeKind::Path(path) => self.resolve_path(path),
            TypeKind::Tuple(items) => {
                Tree::Tuple(items.iter().map(|item| self.resolve(item)).collect())
            }
            TypeKind::Array(item, length) => {
                let item = self.resolve(item);
                match self.array_length(length) {
                    Some(length) => Tree::Array(vec![item; length]),
                    None => Type::POISON,
                }
            }
            TypeKind::Reference(inner) => self.resolve(inner),
            TypeKind::Infer => {
                self.error(
                    Code::CannotInfer,
                    ty.span,
                    "the type must be written out here",
                );
                Type::POISON
            }
            TypeKind::Function { parameters, result } => {
                let parameters = parameters.iter().map(|ty| self.resolve(ty));
                let ty = CallableType {
                    parameters: parameters.collect(),
                    result: result
                        .as_ref()
                        .map_or_else(Type::unit, |ty| self.resolve(ty)),
                };
                Type::Leaf(TypeLeaf::Callable(Some(Rc::new(ty))))
            }
            TypeKind::Error => Type::POISON,
        }
    }

    fn resolve_path(&mut self, path: &ast::Path) -> Type {
        let Some(segment) = path.last() else {
            return Type::POISON;
        };
        let name = segment.name.name.as_str();
        if name == "Tensor" {
            return self.resolve_tensor(&segment.arguments, path.span);
        }
        if let Some(value) = self.frame.generics.get(name) {
            return match value.clone() {
                GenericValue::Type(ty) => ty,
                GenericValue::Element(dtype) => {
                    Type::Leaf(TypeLeaf::Static(StaticType::Element(dtype)))
                }
                GenericValue::Poison => Type::POISON,
                GenericValue::Dimension(_) | GenericValue::Dimensions(_) => {
                    self.not_a_type(name, path.span)
                }
            };
        }
        if name == "str" {
            return Type::Leaf(TypeLeaf::Text);
        }
        if let Some(ty) = self.scalar_type(segment) {
            return Type::Leaf(TypeLeaf::Static(ty));
        }
        let ast = self.ast;
        let module = self.frame.module;
        let Some(declaration) = ast.declaration(module, name) else {
            return self.unknown_type(name, path.span);
        };
        let parameters = (declaration.place().0, declaration.generics());
        self.resolve_generic(
            parameters,
            segment,
            path.span,
            |tracer, arguments| match declaration {
                Declaration::Alias(alias) => tracer.resolve(&alias.ty),
                Declaration::Tree(tree) => tracer.resolve_tree(tree, arguments),
            },
        )
    }

    /// Whether a name in a pattern or literal may mean the struct that a tree is. Aliases are not followed.
    pub(crate) fn may_name(&self, name: &str, found: &TreeName) -> bool {
        let module = self.frame.module;
        let named = self.ast.tree(module, name);
        let same = |tree: &ast::TreeStruct| found.is(tree);
        named.is_some_and(same) || self.ast.alias(module, name).is_some()
    }

    /// A tree in a frame where its generic parameters are bound.
    pub(crate) fn resolve_tree(&mut self, tree: &ast::TreeStruct, arguments: String) -> Type {
        let name = TreeName {
            name: tree.name.name.clone(),
            module: tree.module,
            arguments,
            generics: self.frame.generics.clone(),
        };
        let fields = tree.fields.iter().map(|field| {
            let ty = self.resolve(&field.ty);
            (Rc::from(field.name.name.as_str()), ty)
        });
        Tree::Struct(Rc::new(name), fields.collect())
    }

    /// Resolves something in a frame of its module where its generic parameters are bound.
    fn resolve_generic(
        &mut self,
        (module, parameters): (ModuleId, &[ast::Generic]),
        segment: &ast::Segment,
        span: SpanId,
        resolve: impl FnOnce(&mut Self, String) -> Type,
    ) -> Type {
        let name = &segment.name.name;
        let Some(given) = self.given_to_type(GenericUse {
            name,
            code: Code::UnknownType,
            parameters,
            arguments: &segment.arguments,
            span,
        }) else {
            return Type::POISON;
        };
        if self.callers.len() > DEPTH_LIMIT {
            // Each type of a cycle finds it.
            if std::mem::replace(&mut self.type_cycle, true) {
                return Type::POISON;
            }
            let message = format!("the type `{name}` contains itself");
            self.error(Code::UnknownType, span, message);
            return Type::POISON;
        }
        let mut frame = Frame::outermost(module);
        let mut names = Vec::new();
        for (parameter, argument) in parameters.iter().zip(given) {
            let value = match argument {
                Some(argument) => self.generic_argument(parameter, argument),
                None => self.generic_default(parameter, &frame),
            };
            names.push(value.to_string());
            frame.generics.bind(&parameter.name.name, value);
        }
        let arguments = match names.is_empty() {
            true => String::new(),
            false => format!("<{}>", names.join(", ")),
        };
        self.in_frame(frame, |tracer| resolve(tracer, arguments))
    }

    /// What a generic parameter stands for where nothing is given for it, in a frame where those before it are
    /// bound.
    fn generic_default(&mut self, parameter: &ast::Generic, frame: &Frame) -> GenericValue {
        let Some(default) = &parameter.default else {
            return GenericValue::Poison;
        };
        let mut inner = Frame::outermost(frame.module);
        inner.generics = frame.generics.clone();
        self.in_frame(inner, |tracer| tracer.generic_argument(parameter, default))
    }

    /// What a generic argument stands for.
    pub(crate) fn generic_argument(
        &mut self,
        parameter: &ast::Generic,
        argument: &GenericArgument,
    ) -> GenericValue {
        match (&parameter.kind, argument) {
            (GenericKind::Dimension, argument) => match self.dimension(argument) {
                Some(dim) => match dim.extent() {
                    Some(extent) => GenericValue::Dimension(extent),
                    None => self.open_dimension(argument),
                },
                None => GenericValue::Poison,
            },
            (GenericKind::Type(_), GenericArgument::Type(ty)) => match self.resolve(ty) {
                Type::Leaf(TypeLeaf::Static(StaticType::Element(dtype))) => {
                    GenericValue::Element(dtype)
                }
                Type::Leaf(TypeLeaf::Poison) => GenericValue::Poison,
                ty => GenericValue::Type(ty),
            },
            (GenericKind::Type(_), GenericArgument::Const(value)) => {
                let message = format!(
                    "expected a type for `{}`, found a number",
                    parameter.name.name
                );
                self.error(Code::UnknownType, value.span, message);
                GenericValue::Poison
            }
            (GenericKind::Dimensions, argument) => self.dimensions_argument(parameter, argument),
            (GenericKind::Type(_), GenericArgument::Named(..)) => {
                self.misplaced_name(argument);
                GenericValue::Poison
            }
        }
    }

    /// Dimensions that are handed on: those of a parameter of the kernel that is traced.
    fn dimensions_argument(
        &mut self,
        parameter: &ast::Generic,
        argument: &GenericArgument,
    ) -> GenericValue {
        let named = argument.as_type().and_then(ast::Type::as_ident);
        let handed_on = named.and_then(|name| self.frame.generics.get(&name.name));
        if let Some(dimensions @ GenericValue::Dimensions(_)) = handed_on {
            return dimensions.clone();
        }
        let name = &parameter.name.name;
        let message =
            format!("the dimensions `{name}` follow from the arguments or the type of the result");
        let diagnostic = Diagnostic::new(Code::UnknownType, argument.span(), message);
        let help = "write `_`, and declare the result: `let y: Tensor<f32, 3, 4> = f::<_>();`";
        self.report(diagnostic.help(help));
        GenericValue::Poison
    }

    fn resolve_tensor(&mut self, arguments: &[GenericArgument], span: SpanId) -> Type {
        match self.tensor_type(arguments, span) {
            Some(ty) => ty.into(),
            None => Type::POISON,
        }
    }

    /// The type `Tensor<T, D0, D1, …>` from what stands between the angle brackets.
    pub(crate) fn tensor_type(
        &mut self,
        arguments: &[GenericArgument],
        span: SpanId,
    ) -> Option<TensorType> {
        let Some((element, dims)) = arguments.split_first() else {
            let message = "a tensor needs an element type: `Tensor<f32, 3, 4>`";
            self.error(Code::UnknownType, span, message);
            return None;
        };
        let dtype = self.element_type(element);
        let dims: Vec<_> = dims.iter().flat_map(|dim| self.dimensions(dim)).collect();
        let dims: Option<Vec<_>> = dims.into_iter().collect();
        let ty = TensorType::new(dtype?, Shape::new(dims?));
        if !iree_dsl_ir::op::is_addressable(&ty) {
            let message = format!("`{ty}` is too large to address");
            self.error(Code::UnknownType, span, message);
            return None;
        }
        Some(ty)
    }

    /// The element type that is written.
    pub(crate) fn element_type(&mut self, argument: &GenericArgument) -> Option<DType> {
        let ty = match argument {
            GenericArgument::Type(ty) => ty,
            GenericArgument::Const(value) => {
                let message = "expected an element type such as `f32`, found a number";
                let diagnostic = Diagnostic::new(Code::UnknownType, value.span, message);
                self.report(diagnostic.help(ELEMENT_FIRST));
                return None;
            }
            GenericArgument::Named(..) => {
                self.misplaced_name(argument);
                return None;
            }
        };
        match self.resolve(ty) {
            Type::Leaf(TypeLeaf::Static(StaticType::Element(dtype))) => Some(dtype),
            Type::Leaf(TypeLeaf::Poison) => None,
            other => {
                let message = format!("expected an element type such as `f32`, found `{other}`");
                let diagnostic = Diagnostic::new(Code::UnknownType, ty.span, message);
                self.report(diagnostic.help(ELEMENT_FIRST));
                None
            }
        }
    }

    /// The dimensions that are written: several, where a generic parameter stands for them.
    fn dimensions(&mut self, argument: &GenericArgument) -> Vec<Option<Dim>> {
        let name = argument.as_type().and_then(ast::Type::as_ident);
        let value = name.and_then(|name| self.frame.generics.get(&name.name));
        match value {
            Some(GenericValue::Dimensions(sizes)) => {
                let sizes = sizes.iter().cloned();
                sizes.map(Dim::from_extent).collect()
            }
            _ => vec![self.dimension(argument)],
        }
    }

    /// The dimension that is written; `None` if it was reported.
    pub(crate) fn dimension(&mut self, argument: &GenericArgument) -> Option<Dim> {
        match argument {
            GenericArgument::Const(value) => self.static_dim(value),
            GenericArgument::Named(..) => {
                self.misplaced_name(argument);
                None
            }
            GenericArgument::Type(ty) => match &ty.kind {
                TypeKind::Path(path) => {
                    let value = ast::Expr {
                        kind: ast::ExprKind::Path(path.clone()),
                        span: ty.span,
                    };
                    self.static_dim(&value)
                }
                TypeKind::Infer => Some(Dim::Any),
                TypeKind::Error => None,
                _ => {
                    self.error(
                        Code::NotStatic,
                        ty.span,
                        "expected a dimension, found a type",
                    );
                    None
                }
            },
        }
    }

    fn static_dim(&mut self, expr: &ast::Expr) -> Option<Dim> {
        let value = self.expr(expr, None).unwrap_or(Value::POISON);
        if let Some(Some(..0)) = value.as_extent().map(|extent| extent.known()) {
            let message = "a dimension cannot be negative";
            let diagnostic = Diagnostic::new(Code::NotStatic, expr.span, message);
            self.report(diagnostic.help("what is known at the call only is `_`, or `N` of a generic parameter `const N: usize`"));
            return None;
        }
        self.value_as_dim(&value, expr.span, "a dimension")
    }

    /// Reports `_` where a dimension must have a value.
    fn open_dimension(&mut self, argument: &GenericArgument) -> GenericValue {
        let span = argument.span();
        let message = "`_` is the dimension of an argument; here it has no value";
        let diagnostic = Diagnostic::new(Code::CannotInfer, span, message);
        self.report(diagnostic.help("write a number, a constant or a const generic"));
        GenericValue::Poison
    }

    /// The value of an expression that must be a number that is known and not negative.
    pub(crate) fn static_size(&mut self, expr: &ast::Expr, what: &str) -> Option<usize> {
        let value = self.expr(expr, None).unwrap_or(Value::POISON);
        self.value_as_size(&value, expr.span, what)
    }

    /// The length of an array, each of whose elements is traced on its own.
    pub(crate) fn array_length(&mut self, expr: &ast::Expr) -> Option<usize> {
        let length = self.static_size(expr, "the length of an array")?;
        if length <= ARRAY_LIMIT {
            return Some(length);
        }
        let message = format!("an array has at most {ARRAY_LIMIT} elements, found {length}");
        let diagnostic = Diagnostic::new(Code::UnknownType, expr.span, message);
        self.report(diagnostic.help("use a tensor with another axis"));
        None
    }

    /// A number that is known and not negative.
    pub(crate) fn value_as_size(
        &mut self,
        value: &Value,
        span: SpanId,
        what: &str,
    ) -> Option<usize> {
        let number = match value {
            Value::Leaf(ValueLeaf::Static(number)) => number.as_integer(),
            Value::Leaf(ValueLeaf::Poison) => return None,
            _ => None,
        };
        match number.map(usize::try_from) {
            Some(Ok(size)) => Some(size),
            Some(Err(_)) => {
                let message = format!("{what} cannot be negative");
                self.error(Code::NotStatic, span, message);
                None
            }
            None => {
                let message = format!(
                    "{what} must be an integer known while building, found `{}`",
                    value.ty()
                );
                self.error(Code::NotStatic, span, message);
                None
            }
        }
    }

    /// The element type or `usize` that a path names.
    fn scalar_type(&self, segment: &ast::Segment) -> Option<StaticType> {
        let name = segment.name.name.as_str();
        if name != "Complex" {
            return match segment.arguments.is_empty() {
                true => StaticType::from_name(name),
                false => None,
            };
        }
        let [GenericArgument::Type(part)] = segment.arguments.as_slice() else {
            return None;
        };
        let TypeKind::Path(part) = &part.kind else {
            return None;
        };
        match part.as_ident()?.name.as_str() {
            "f32" => Some(StaticType::Element(DType::C64)),
            "f64" => Some(StaticType::Element(DType::C128)),
            _ => None,
        }
    }

    fn not_a_type(&mut self, name: &str, span: SpanId) -> Type {
        let message = format!("`{name}` is a dimension, not a type");
        self.error(Code::UnknownType, span, message);
        Type::POISON
    }

    fn unknown_type(&mut self, name: &str, span: SpanId) -> Type {
        let ast = self.ast;
        if ast.is_missing(self.frame.module, name) {
            return Type::POISON;
        }
        let mut known = ast.types(self.frame.module);
        known.extend(["Tensor", "usize"]);
        for dtype in DType::ALL {
            known.push(dtype.name());
        }
        let mut diagnostic = Diagnostic::new(
            Code::UnknownType,
            span,
            format!("there is no type `{name}`"),
        );
        let similar = || {
            let similar = nearest(name, known)?;
            Some(format!("there is a type with a similar name: `{similar}`"))
        };
        if let Some(help) = type_elsewhere(name).or_else(similar) {
            diagnostic = diagnostic.help(help);
        }
        self.report(diagnostic);
        Type::POISON
    }
}

/// `1 axis`, `2 axes`.
pub(crate) fn axes(number: usize) -> String {
    match number {
        1 => "1 axis".to_owned(),
        _ => format!("{number} axes"),
    }
}

/// `1 argument`, `2 arguments`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}
