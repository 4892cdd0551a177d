//! Procedures: exported ones become functions of the module, all become part of their callers.

use super::{
    builder::FunctionBuilder,
    exit::Exit,
    frame::{Frame, Identity, Interrupt},
    generics::Generics,
    kernel::Written,
    scope::Scopes,
    statics::StaticType,
    tracer::Tracer,
    types::{GenericValue, Type, TypeLeaf},
    value::{Value, ValueLeaf},
};
use crate::{
    ast::{self, FunctionKind, GenericKind, Receiver, Visibility},
    diagnostic::{Code, Diagnostic},
    ir::{GlobalId, Linkage},
    span::SpanId,
};
use iree_abi::{DType, Dim, Extent, FunctionSignature, Leaf, Parameter, Shape, TensorType};
use std::collections::BTreeSet;

impl Tracer<'_> {
    /// Traces every procedure. Those that are not exported are traced on their own too, so that their
    /// mistakes are found without a caller, and are not kept.
    pub(crate) fn procedures(&mut self) -> Vec<FunctionSignature> {
        let ast = self.ast;
        let mut signatures = Vec::new();
        for (index, procedure) in ast.procedures.iter().enumerate() {
            let FunctionKind::Procedure(receiver) = procedure.kind else {
                continue;
            };
            let exported = procedure.visibility == Visibility::Exported;
            let signature = self.procedure(index, procedure, receiver, exported);
            if exported {
                signatures.extend(signature);
            }
        }
        self.check_uninitialized();
        signatures
    }

    fn procedure(
        &mut self,
        index: usize,
        procedure: &ast::Function,
        receiver: Receiver,
        exported: bool,
    ) -> Option<FunctionSignature> {
        if !exported && procedure.generics.iter().any(is_type) {
            // Its element types follow from a call.
            return None;
        }
        let before = self.error_count();
        let generics = self.run_time_generics(procedure);
        let (types, result) = self.boundary_types(procedure, &generics);
        self.check_told(procedure, &types);
        let linkage = match exported {
            true => Linkage::Public,
            false => Linkage::Private,
        };
        let name = procedure.name.name.as_str();
        let builder = FunctionBuilder::new(name, linkage, procedure.span);
        let frame = Frame {
            description: format!("the procedure `{name}`"),
            identity: Identity::Procedure(index),
            module: procedure.module,
            called_at: SpanId::CALL_SITE,
            scopes: Scopes::default(),
            generics,
            result: result.clone(),
            receiver: Some(receiver),
            captured: 0,
            breakables: Vec::new(),
        };
        let kept = self.ir.functions.len();
        let (value, builder) = self.in_function(builder, |tracer| {
            tracer.in_frame(frame, |tracer| {
                for (parameter, ty) in procedure.parameters.iter().zip(&types) {
                    let value = tracer.parameter_value(parameter, ty);
                    tracer.bind(&parameter.pattern, value);
                }
                tracer.body(procedure)
            })
        });
        // What was reported for another procedure, such as a kernel that both call, is not told again.
        if value.is_poisoned() && self.error_count() == 0 {
            let message = format!("internal error: tracing lost the result of `{name}`");
            self.error(Code::Internal, procedure.name.span, message);
        }
        let failed = self.error_count() > before || value.is_poisoned();
        let result = match failed {
            true => result,
            false => value.ty(),
        };
        let requirements = builder.requirements.clone();
        if !failed && exported {
            self.keep(value, builder);
        } else if !exported {
            let stored = builder.stored();
            self.mark_stored(&stored);
            self.forget_functions_from(kept);
        }
        let mut signature = signature(procedure, &types, &result);
        signature.requirements = requirements;
        Some(signature)
    }

    fn keep(&mut self, value: Value, builder: FunctionBuilder) {
        let leaves = value.leaves();
        let results = leaves.into_iter().filter_map(|(_, leaf)| match leaf {
            ValueLeaf::Tensor(tensor) => Some(tensor.clone()),
            _ => None,
        });
        let results: Vec<_> = results.collect();
        if let Ok((function, stored)) = builder.finish(&results) {
            self.mark_stored(&stored);
            self.ir.functions.push(function);
        }
    }

    fn mark_stored(&mut self, globals: &[GlobalId]) {
        for global in globals {
            if let Some(global) = self.ir.globals.get_mut(*global) {
                global.mutable = true;
            }
        }
    }

    /// The dimensions of a procedure that is called from the host: each is a size with its name.
    fn run_time_generics(&mut self, procedure: &ast::Function) -> Generics {
        let mut generics = Generics::default();
        for generic in &procedure.generics {
            let name = &generic.name.name;
            let value = match generic.kind {
                GenericKind::Dimension => GenericValue::Dimension(Extent::named(name)),
                GenericKind::Type(_) => {
                    let message = "an exported procedure has certain element types and trees";
                    let diagnostic = Diagnostic::new(Code::Unsupported, generic.name.span, message);
                    self.report(diagnostic.help(
                        "only dimensions can be generic here: `const N: usize`; kernels can be generic over types",
                    ));
                    GenericValue::Poison
                }
            };
            generics.bind(name, value);
        }
        generics
    }

    /// The types of the parameters, where each `_` is a size of its own, and of the result.
    fn boundary_types(
        &mut self,
        procedure: &ast::Function,
        generics: &Generics,
    ) -> (Vec<Type>, Type) {
        let mut frame = Frame::outermost(procedure.module);
        frame.generics = generics.clone();
        self.in_frame(frame, |tracer| {
            let parameters = procedure.parameters.iter().enumerate();
            let parameters = parameters.map(|(index, parameter)| {
                let ty = tracer.resolve(&parameter.ty);
                let ty = tracer.check_boundary(ty, parameter.ty.span);
                with_own_sizes(&ty, parameter, index)
            });
            let parameters = parameters.collect();
            let result = match &procedure.result {
                Some(ty) => {
                    let resolved = tracer.resolve(ty);
                    tracer.check_boundary(resolved, ty.span)
                }
                None => Type::unit(),
            };
            (parameters, result)
        })
    }

    /// Reports dimensions that no argument tells.
    fn check_told(&mut self, procedure: &ast::Function, types: &[Type]) {
        let mut told = BTreeSet::new();
        for (_, leaf) in types.iter().flat_map(Type::leaves) {
            match leaf {
                TypeLeaf::Tensor(ty) => {
                    let extents = ty.shape.extents().unwrap_or_default();
                    let names = extents.iter().filter_map(Extent::as_name);
                    told.extend(names.map(str::to_owned));
                }
                TypeLeaf::Poison => return,
                _ => {}
            }
        }
        for generic in procedure
            .generics
            .iter()
            .filter(|generic| !is_type(generic))
        {
            let name = &generic.name.name;
            if !told.contains(name) {
                let message = format!("no argument tells what `{name}` is");
                let diagnostic = Diagnostic::new(Code::CannotInfer, generic.name.span, message);
                let help = format!("use it for a dimension of a parameter: `Tensor<f32, {name}>`");
                self.report(diagnostic.help(help));
            }
        }
    }

    /// Refuses what cannot cross the boundary of the program.
    fn check_boundary(&mut self, ty: Type, span: SpanId) -> Type {
        if ty.is_run_time() {
            return ty;
        }
        let message =
            format!("a procedure takes and returns tensors and trees of tensors, found `{ty}`");
        let diagnostic = Diagnostic::new(Code::UnknownType, span, message);
        let leaves = ty.leaves();
        let number = leaves.into_iter().find_map(|(_, leaf)| match leaf {
            TypeLeaf::Static(element) => Some(*element),
            _ => None,
        });
        self.report(match number {
            Some(number) => diagnostic.help(scalar_help(number)),
            None => diagnostic,
        });
        Type::POISON
    }

    fn parameter_value(&mut self, parameter: &ast::Parameter, ty: &Type) -> Value {
        let name = match &parameter.pattern.kind {
            ast::PatternKind::Ident { name, .. } => name.name.clone(),
            _ => String::new(),
        };
        let mut paths = ty.leaves().into_iter();
        ty.map(&mut |leaf| {
            let path = paths.next().map(|(path, _)| path).unwrap_or_default();
            match leaf {
                TypeLeaf::Tensor(ty) => {
                    let name = iree_abi::join_path(&name, &path);
                    ValueLeaf::Tensor(self.builder.parameter(name, ty))
                }
                _ => ValueLeaf::Poison,
            }
        })
    }

    /// Traces the body of the function whose frame this is, and checks its result.
    pub(crate) fn body(&mut self, function: &ast::Function) -> Value {
        let expected = self.frame.result.clone();
        self.allow_exit(Exit::Return);
        let (value, span) = match self.block(&function.body, Some(&expected)) {
            Ok(value) => {
                let end = function.body.value.as_ref();
                (value, end.map_or(function.span, |value| value.span))
            }
            Err(Interrupt::Return(value, span)) => (value, span),
            Err(Interrupt::Break(..) | Interrupt::Continue(_)) => (Value::POISON, function.span),
        };
        let value = self.value_or_left_with(Exit::Return, value, span);
        self.check_result(value, &expected, span, function)
    }

    fn check_result(
        &mut self,
        value: Value,
        expected: &Type,
        span: SpanId,
        function: &ast::Function,
    ) -> Value {
        let name = &function.name.name;
        if value.is_unit()
            && !expected.is_unit()
            && !matches!(expected, Type::Leaf(TypeLeaf::Poison))
        {
            let end = function.body.value.as_ref();
            if end.is_none_or(|value| value.span != span) && span != function.span {
                return self.returned(value, span);
            }
            let message = format!("`{name}` must return `{expected}`, but its body has no value");
            return self.report(
                Diagnostic::new(Code::ReturnType, span, message)
                    .help("leave the semicolon off the last expression"),
            );
        }
        if expected.is_unit() && !value.is_unit() && !value.is_poisoned() {
            let message = format!(
                "`{name}` declares no result, but its body has a value of type `{}`",
                value.ty()
            );
            let help = format!("declare it: `-> {}`", value.ty());
            return self.report(Diagnostic::new(Code::ReturnType, span, message).help(help));
        }
        self.conform(value, expected, span, &format!("the result of `{name}`"))
    }

    /// The value of a `return`, which must be what the function returns.
    pub(crate) fn returned(&mut self, value: Value, span: SpanId) -> Value {
        let expected = self.frame.result.clone();
        let function = self.frame.description.clone();
        if value.is_unit() && !expected.is_unit() {
            let message =
                format!("{function} must return `{expected}`, but this `return` has no value");
            return self.error(Code::ReturnType, span, message);
        }
        self.conform(value, &expected, span, &format!("the result of {function}"))
    }

    /// The value of `self.name(arguments)`: the procedure becomes part of its caller.
    pub(crate) fn call_procedure(
        &mut self,
        index: usize,
        procedure: &ast::Function,
        call: &Written<'_>,
    ) -> Value {
        let FunctionKind::Procedure(receiver) = procedure.kind else {
            return Value::POISON;
        };
        let (name, span) = (procedure.name.name.as_str(), call.span);
        if self.refuse_recursion(Identity::Procedure(index), "procedure", name, span) {
            return Value::POISON;
        }
        if receiver == Receiver::Exclusive && self.frame.receiver == Some(Receiver::Shared) {
            let message = format!(
                "cannot call `{name}`, which takes `&mut self`, from a procedure that takes `&self`"
            );
            let diagnostic = Diagnostic::new(Code::ImmutableStore, span, message);
            return self.report(diagnostic.help("take `&mut self`"));
        }
        let expected = procedure.parameters.len();
        if !self.check_argument_count(name, expected, call.arguments, span) {
            return Value::POISON;
        }
        let arguments = call.arguments.iter();
        if arguments.into_iter().any(|(value, _)| value.is_poisoned()) {
            return Value::POISON;
        }
        let Some(generics) = self.infer_generics(procedure, call) else {
            return Value::POISON;
        };
        let mut frame = Frame::outermost(procedure.module);
        frame.generics = generics.clone();
        let (types, result) = self.in_frame(frame, |tracer| tracer.function_types(procedure));
        let parameters = procedure.parameters.iter().zip(types);
        let values = parameters
            .zip(call.arguments)
            .map(|((parameter, ty), (value, span))| {
                let place = argument_place(parameter, name);
                self.conform(value.clone(), &ty, *span, &place)
            });
        let values: Vec<_> = values.collect();
        let frame = Frame {
            description: format!("the procedure `{name}`"),
            identity: Identity::Procedure(index),
            module: procedure.module,
            called_at: span,
            scopes: Scopes::default(),
            generics,
            result,
            receiver: Some(receiver),
            captured: 0,
            breakables: Vec::new(),
        };
        self.in_frame(frame, |tracer| {
            for (parameter, value) in procedure.parameters.iter().zip(values) {
                tracer.bind(&parameter.pattern, value);
            }
            tracer.body(procedure)
        })
    }

    /// Reports a call of something that is running already.
    pub(crate) fn refuse_recursion(
        &mut self,
        identity: Identity,
        kind: &str,
        name: &str,
        span: SpanId,
    ) -> bool {
        let running: Vec<_> = self.callers.iter().chain([&self.frame]).collect();
        let Some(first) = running.iter().position(|frame| frame.identity == identity) else {
            return false;
        };
        let cycle = running.get(first..).unwrap_or_default();
        let named = |frame: &&&Frame| {
            matches!(frame.identity, Identity::Kernel(_) | Identity::Procedure(_))
        };
        let between = cycle.iter().skip(1).filter(named);
        let between: Vec<_> = between.map(|frame| frame.description.as_str()).collect();
        let through = match between.is_empty() {
            true => String::new(),
            false => format!(" through {}", between.join(" and ")),
        };
        let cycle: Vec<_> = cycle.iter().map(|frame| frame.identity).collect();
        let message =
            format!("the {kind} `{name}` calls itself{through}; recursion is not possible");
        // Each function of a cycle finds it.
        let known = self.recursions.contains(&identity);
        self.recursions.extend(cycle);
        if !known {
            let diagnostic = Diagnostic::new(Code::Recursion, span, message);
            self.report(diagnostic.help("write a loop instead"));
        }
        true
    }

    /// Reports a wrong number of arguments: at the first that is too many, else at the name.
    pub(crate) fn check_argument_count(
        &mut self,
        name: &str,
        expected: usize,
        arguments: &[(Value, SpanId)],
        name_span: SpanId,
    ) -> bool {
        let found = arguments.len();
        if expected == found {
            return true;
        }
        let span = arguments.get(expected).map_or(name_span, |(_, span)| *span);
        let expected = super::resolve::count(expected, "argument");
        let message = format!("`{name}` takes {expected}, found {found}");
        self.error(Code::ArgumentCount, span, message);
        false
    }
}

/// Whether a generic parameter is a type.
const fn is_type(generic: &ast::Generic) -> bool {
    matches!(generic.kind, GenericKind::Type(_))
}

/// The type with a size of its own, which is named after its place, for each `_`.
fn with_own_sizes(ty: &Type, parameter: &ast::Parameter, index: usize) -> Type {
    let root = match &parameter.pattern.kind {
        ast::PatternKind::Ident { name, .. } => name.name.clone(),
        _ => format!("argument{index}"),
    };
    let mut paths = ty.leaves().into_iter();
    ty.map(&mut |leaf| {
        let path = paths.next().map(|(path, _)| path).unwrap_or_default();
        let TypeLeaf::Tensor(ty) = leaf else {
            return leaf.clone();
        };
        let dims = ty.shape.dims().iter().enumerate();
        let dims = dims.map(|(axis, dim)| match dim {
            Dim::Any => Dim::named(format!("{}.{axis}", iree_abi::join_path(&root, &path))),
            dim => dim.clone(),
        });
        TypeLeaf::Tensor(TensorType::new(ty.dtype, Shape::new(dims.collect())))
    })
}

/// What to write instead of a number's type.
pub(crate) fn scalar_help(ty: StaticType) -> String {
    let element = ty.default_dtype().unwrap_or(DType::I64);
    format!("a scalar is a tensor without dimensions: `Tensor<{element}>`")
}

/// "the argument `x` of `f`".
pub(crate) fn argument_place(parameter: &ast::Parameter, function: &str) -> String {
    match &parameter.pattern.kind {
        ast::PatternKind::Ident { name, .. } => {
            format!("the argument `{}` of `{function}`", name.name)
        }
        _ => format!("an argument of `{function}`"),
    }
}

fn signature(procedure: &ast::Function, types: &[Type], result: &Type) -> FunctionSignature {
    let parameters = procedure.parameters.iter().zip(types);
    let parameters = parameters.map(|(parameter, ty)| Parameter {
        name: match &parameter.pattern.kind {
            ast::PatternKind::Ident { name, .. } => name.name.clone(),
            _ => String::new(),
        },
        leaves: leaves(ty),
    });
    FunctionSignature {
        name: procedure.name.name.clone(),
        parameters: parameters.collect(),
        results: leaves(result),
        requirements: Vec::new(),
    }
}

fn leaves(ty: &Type) -> Vec<Leaf> {
    let leaves = ty.leaves().into_iter();
    let tensors = leaves.filter_map(|(path, leaf)| match leaf {
        TypeLeaf::Tensor(ty) => Some(Leaf {
            path,
            ty: ty.clone(),
        }),
        _ => None,
    });
    tensors.collect()
}
