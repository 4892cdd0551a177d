//! What the generic parameters of a call or of a literal stand for.

use super::{
    frame::{Flow, Frame},
    function::Written,
    generics::Generics,
    given::GenericUse,
    tracer::Tracer,
    tree::{Tree, TreeName},
    types::{GenericValue, Type, TypeLeaf},
    unify::Unify,
    value::{Value, ValueLeaf},
};
use crate::{
    ast::{self, GenericArgument, GenericKind, Given},
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};
use iree_abi::DType;
use std::rc::Rc;

impl Tracer<'_> {
    /// The values of the arguments of a kernel or procedure as written. What builds tensors takes its type from the
    /// parameter, as far as generic arguments and earlier arguments tell what that is.
    pub(crate) fn call_arguments(
        &mut self,
        function: &ast::Function,
        generics: &[GenericArgument],
        arguments: &[ast::Expr],
    ) -> Flow<Vec<(Value, SpanId)>> {
        let (module, parameters) = (function.module, &function.generics);
        let unify = Unify::new(self.ast, module, parameters);
        let mut known = Generics::default();
        let given = Given::new(parameters, generics).pairs(parameters);
        self.bind_given(given, &mut known);
        let mut values = Vec::new();
        for (position, argument) in arguments.iter().enumerate() {
            let parameter = function.parameters.get(position);
            let expected =
                parameter.and_then(|parameter| self.bound_type(&unify, &parameter.ty, &known));
            let value = self.expr(argument, expected.as_ref())?;
            if let Some(parameter) = parameter {
                unify.ty(&parameter.ty, &value.ty(), &mut known);
            }
            values.push((value, argument.span));
        }
        Ok(values)
    }

    /// The type of a parameter, as far as the arguments tell it.
    pub(crate) fn told_parameter(
        &mut self,
        function: &ast::Function,
        position: usize,
        arguments: &[(Value, SpanId)],
    ) -> Option<Type> {
        let unify = Unify::new(self.ast, function.module, &function.generics);
        let mut known = Generics::default();
        let given = function.parameters.iter().zip(arguments);
        for (parameter, (value, _)) in given.filter(|(_, (value, _))| !value.is_weak()) {
            unify.ty(&parameter.ty, &value.ty(), &mut known);
        }
        self.bound_type(&unify, &function.parameters.get(position)?.ty, &known)
    }

    /// A type as written, if every generic parameter in it is known.
    fn bound_type(&mut self, unify: &Unify<'_>, ty: &ast::Type, known: &Generics) -> Option<Type> {
        if !unify.is_bound(ty, known) {
            return None;
        }
        let mut frame = Frame::outermost(unify.module());
        frame.generics = known.clone();
        Some(self.in_frame(frame, |tracer| tracer.resolve(ty)))
    }

    /// Binds what the parameters of functions that are handed over tell, which take values of their own types.
    fn bind_by_functions(
        &mut self,
        unify: &Unify<'_>,
        function: &ast::Function,
        arguments: &[(Value, SpanId)],
        generics: &mut Generics,
    ) {
        for (parameter, (value, _)) in function.parameters.iter().zip(arguments) {
            let (
                ast::TypeKind::Function { parameters, .. },
                Value::Leaf(ValueLeaf::Callable(callable)),
            ) = (&parameter.ty.kind, value)
            else {
                continue;
            };
            for (position, pattern) in parameters.iter().enumerate() {
                if let Some(ty) = self.parameter_type(callable, position, &[]) {
                    unify.ty(pattern, &ty, generics);
                }
            }
        }
    }

    /// What the generic parameters stand for; `None` if it was reported that one cannot be known.
    pub(crate) fn infer_generics(
        &mut self,
        kernel: &ast::Function,
        call: &Written<'_>,
    ) -> Option<Generics> {
        let mut generics = Generics::default();
        let name = &kernel.name.name;
        let given = self.given_to_call(GenericUse {
            name,
            code: Code::ArgumentCount,
            parameters: &kernel.generics,
            arguments: call.generics,
            span: call.span,
        })?;
        self.bind_given(kernel.generics.iter().zip(given), &mut generics);
        let unify = Unify::new(self.ast, kernel.module, &kernel.generics);
        let given = kernel.parameters.iter().zip(call.arguments);
        // What began as a literal comes last.
        let (free, certain): (Vec<_>, Vec<_>) = given.partition(|(_, (value, _))| value.is_weak());
        for (parameter, (value, _)) in certain {
            unify.ty(&parameter.ty, &value.ty(), &mut generics);
        }
        if let (Some(result), Some(expected)) = (&kernel.result, call.expected)
            && expected.is_known()
        {
            unify.ty(result, expected, &mut generics);
        }
        self.bind_by_functions(&unify, kernel, call.arguments, &mut generics);
        for (parameter, (value, _)) in free {
            unify.ty(&parameter.ty, &value.ty(), &mut generics);
        }
        for (parameter, (value, _)) in kernel.parameters.iter().zip(call.arguments) {
            unify.literal(&parameter.ty, value, &mut generics);
        }
        self.check_generics(kernel, &generics, call)
            .then_some(generics)
    }

    /// Binds the generic parameters that are given.
    fn bind_given<'g>(
        &mut self,
        given: impl Iterator<Item = (&'g ast::Generic, Option<&'g GenericArgument>)>,
        generics: &mut Generics,
    ) {
        for (parameter, argument) in given {
            let argument = argument.filter(|argument| !is_inferred(argument));
            if let Some(argument) = argument {
                let value = self.generic_argument(parameter, argument);
                generics.bind(&parameter.name.name, value);
            }
        }
    }

    /// The type of a literal of a generic tree, from the types of its fields.
    pub(crate) fn infer_tree_type(
        &mut self,
        tree: &ast::TreeStruct,
        fields: &[(Rc<str>, Value)],
        span: SpanId,
    ) -> Option<Type> {
        let unify = Unify::new(self.ast, tree.module, &tree.generics);
        let mut generics = Generics::default();
        for (field, (_, value)) in tree.fields.iter().zip(fields) {
            unify.ty(&field.ty, &value.ty(), &mut generics);
        }
        for (field, (_, value)) in tree.fields.iter().zip(fields) {
            unify.literal(&field.ty, value, &mut generics);
        }
        match self.instantiate_tree(tree, generics) {
            Ok(ty) => Some(ty),
            Err(parameter) => {
                let name = &tree.name.name;
                let message = format!("cannot infer `{parameter}` of `{name}` from its fields");
                let help = format!("name it: `{name}::<…> {{ … }}`");
                self.report(Diagnostic::new(Code::CannotInfer, span, message).help(help));
                None
            }
        }
    }

    /// A generic tree with arguments, or the first parameter that has none.
    fn instantiate_tree<'t>(
        &mut self,
        tree: &'t ast::TreeStruct,
        generics: Generics,
    ) -> Result<Type, &'t str> {
        let argument = |parameter: &'t ast::Generic| {
            let name = &*parameter.name.name;
            generics.get(name).map(ToString::to_string).ok_or(name)
        };
        let arguments = tree.generics.iter().map(argument);
        let arguments = arguments.collect::<Result<Vec<_>, _>>()?.join(", ");
        let mut frame = Frame::outermost(tree.module);
        frame.generics = generics;
        Ok(self.in_frame(frame, |tracer| {
            tracer.resolve_tree(tree, format!("<{arguments}>"))
        }))
    }

    /// A tree whose leaves are others than its type says, as the type of the same struct that has such leaves; as it is if
    /// there is none.
    pub(crate) fn renamed(&mut self, value: Value) -> Value {
        match value {
            Tree::Struct(name, fields) => {
                let fields = fields.into_iter();
                let fields = fields.map(|(field, value)| (field, self.renamed(value)));
                let fields: Vec<_> = fields.collect();
                let name = self.name_with(&name, &fields).unwrap_or(name);
                Tree::Struct(name, fields)
            }
            Tree::Tuple(items) => Tree::Tuple(self.all_renamed(items)),
            Tree::Array(items) => Tree::Array(self.all_renamed(items)),
            leaf @ Tree::Leaf(_) => leaf,
        }
    }

    fn all_renamed(&mut self, items: Vec<Value>) -> Vec<Value> {
        let items = items.into_iter();
        items.map(|item| self.renamed(item)).collect()
    }

    /// The name of the struct with these fields, by generic arguments that they tell.
    fn name_with(&mut self, name: &TreeName, fields: &[(Rc<str>, Value)]) -> Option<Rc<TreeName>> {
        let tree = self.ast.tree(name.module, &name.name)?;
        if tree.generics.is_empty() {
            return None;
        }
        let unify = Unify::new(self.ast, tree.module, &tree.generics);
        let mut generics = Generics::default();
        for (field, (_, value)) in tree.fields.iter().zip(fields) {
            unify.ty(&field.ty, &value.ty(), &mut generics);
        }
        generics.bind_all(&name.generics);
        match self.instantiate_tree(tree, generics).ok()? {
            Tree::Struct(name, types) => {
                let mut pairs = types.iter().zip(fields);
                let fits = pairs.all(|((_, ty), (_, value))| *ty == value.ty());
                fits.then_some(name)
            }
            _ => None,
        }
    }

    fn check_generics(
        &mut self,
        kernel: &ast::Function,
        generics: &Generics,
        call: &Written<'_>,
    ) -> bool {
        let (name, span) = (&kernel.name.name, call.span);
        for parameter in &kernel.generics {
            let generic = &parameter.name.name;
            match (generics.get(generic), &parameter.kind) {
                (None, _) => {
                    if let Some(misfit) = misfit(kernel, call) {
                        self.report(misfit);
                        return false;
                    }
                    let message =
                        format!("cannot infer `{generic}` of `{name}` from its arguments");
                    let help = match stands_in_function(kernel, generic) {
                        true => {
                            "write the types of the closure's parameters: `|x: Tensor<f32, 3>| ..`"
                                .to_owned()
                        }
                        false => format!("name it: `{name}::<…>(…)`"),
                    };
                    self.report(Diagnostic::new(Code::CannotInfer, span, message).help(help));
                    return false;
                }
                (Some(GenericValue::Poison), _) => return false,
                (Some(GenericValue::Element(dtype)), GenericKind::Type(bounds)) => {
                    let unmet = bounds
                        .iter()
                        .find(|bound| !satisfies(*dtype, &bound.text()));
                    if let Some(bound) = unmet {
                        let message = format!(
                            "`{name}` needs `{generic}: {}`, found `{dtype}`",
                            bound.text()
                        );
                        self.error(Code::DTypeMismatch, span, message);
                        return false;
                    }
                }
                _ => {}
            }
        }
        true
    }
}

/// What is said of the first argument that has another number of axes than its parameter, and so tells nothing
/// of the generic parameters.
fn misfit(kernel: &ast::Function, call: &Written<'_>) -> Option<Diagnostic> {
    let pairs = kernel.parameters.iter().zip(call.arguments);
    pairs.into_iter().find_map(|(parameter, (value, span))| {
        let Type::Leaf(TypeLeaf::Tensor(found)) = value.ty() else {
            return None;
        };
        let dimensions = kernel.generics.iter();
        let dimensions = dimensions.filter(|one| matches!(one.kind, GenericKind::Dimensions));
        let names: Vec<_> = dimensions.map(|one| one.name.name.as_str()).collect();
        let (least, exact) = parameter.ty.tensor_rank(&names)?;
        let rank = found.shape.rank();
        if least == rank || (!exact && least < rank) {
            return None;
        }
        let axes = match (super::resolve::axes(least), exact) {
            (axes, true) => axes,
            (axes, false) => format!("at least {axes}"),
        };
        let parameter = match parameter.name() {
            Some(name) => format!("`{name}` of `{}`", kernel.name.name),
            None => format!("a parameter of `{}`", kernel.name.name),
        };
        let message = format!("{parameter} is a tensor with {axes}, found `{found}`");
        Some(Diagnostic::new(Code::ShapeMismatch, *span, message))
    })
}

/// Whether a function that is handed over takes something of a generic parameter.
fn stands_in_function(kernel: &ast::Function, generic: &str) -> bool {
    kernel
        .parameters
        .iter()
        .any(|parameter| match &parameter.ty.kind {
            ast::TypeKind::Function { parameters, .. } => {
                let mut named = |ty: &ast::Type| {
                    let found = ty.as_ident().is_some_and(|ident| ident.name == generic);
                    found.then_some(true)
                };
                parameters.iter().any(|ty| ty.any(&mut named))
            }
            _ => false,
        })
}

/// Whether `_` stands for a generic argument.
fn is_inferred(argument: &GenericArgument) -> bool {
    matches!(argument, GenericArgument::Type(ty) if matches!(ty.kind, ast::TypeKind::Infer))
}

/// Whether an element type is in the family that a bound names.
fn satisfies(dtype: DType, bound: &str) -> bool {
    match bound.rsplit("::").next().unwrap_or(bound) {
        "Float" => dtype.is_float(),
        "Int" => dtype.is_integer(),
        "Num" => dtype != DType::Bool,
        _ => true,
    }
}
