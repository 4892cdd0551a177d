//! Procedures: exported ones become functions of the module, all become part of their callers.

use super::{
    builder::FunctionBuilder,
    exit::Exit,
    frame::{Frame, Identity, Interrupt},
    generics::Generics,
    scope::Scopes,
    statics::StaticType,
    tracer::Tracer,
    types::{Type, TypeLeaf},
    value::{Value, ValueLeaf},
};
use crate::{
    ast::{self, FunctionKind, Receiver, Visibility},
    diagnostic::{Code, Diagnostic},
    ir::{GlobalId, Linkage},
    span::SpanId,
};
use iree_abi::{DType, FunctionSignature, Leaf, Parameter};

impl Tracer<'_> {
    /// Traces every procedure. Those that are not exported are traced on their own too, so that their
    /// mistakes are found without a caller, and are not kept.
    pub(crate) fn procedures(&mut self) -> Vec<FunctionSignature> {
        let ast = self.ast;
        let mut signatures = Vec::new();
        for (index, procedure) in ast.procedures.iter().enumerate() {
            let FunctionKind::Procedure(receiver, visibility) = procedure.kind else {
                continue;
            };
            let exported = visibility == Visibility::Exported;
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
        let before = self.error_count();
        let types = self.parameter_types(procedure);
        let result = self.result_type(procedure);
        let linkage = match exported {
            true => Linkage::Public,
            false => Linkage::Private,
        };
        let name = procedure.name.name.as_str();
        let builder = FunctionBuilder::new(name, linkage, procedure.span);
        let frame = Frame {
            description: format!("the procedure `{name}`"),
            identity: Identity::Procedure(index),
            called_at: SpanId::CALL_SITE,
            scopes: Scopes::default(),
            generics: Generics::default(),
            result: result.clone(),
            receiver: Some(receiver),
            captured: 0,
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
        let failed = self.error_count() > before;
        if !failed && exported {
            self.keep(value, builder);
        } else if !exported {
            let stored = builder.stored();
            self.mark_stored(&stored);
            self.forget_functions_from(kept);
        }
        Some(signature(procedure, &types, &result))
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

    fn parameter_types(&mut self, procedure: &ast::Function) -> Vec<Type> {
        if let Some(generic) = procedure.generics.first() {
            let diagnostic = Diagnostic::new(
                Code::Unsupported,
                generic.name.span,
                "procedures cannot be generic: their dimensions are known while building",
            );
            self.report(diagnostic.help("write a number or a constant for each dimension"));
            return vec![Type::POISON; procedure.parameters.len()];
        }
        let parameters = procedure.parameters.iter();
        parameters
            .map(|parameter| {
                let ty = self.resolve(&parameter.ty);
                self.check_boundary(ty, parameter.ty.span)
            })
            .collect()
    }

    fn result_type(&mut self, procedure: &ast::Function) -> Type {
        match &procedure.result {
            Some(ty) if procedure.generics.is_empty() => {
                let resolved = self.resolve(ty);
                self.check_boundary(resolved, ty.span)
            }
            Some(_) => Type::POISON,
            None => Type::unit(),
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
            Err(Interrupt::Break(_) | Interrupt::Continue) => (Value::POISON, function.span),
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
            let early = function
                .body
                .value
                .as_ref()
                .is_none_or(|value| value.span != span);
            if early && span != function.span {
                let message =
                    format!("`{name}` must return `{expected}`, but this `return` has no value");
                return self.error(Code::ReturnType, span, message);
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

    /// The value of `self.name(arguments)`: the procedure becomes part of its caller.
    pub(crate) fn call_procedure(
        &mut self,
        index: usize,
        procedure: &ast::Function,
        arguments: Vec<(Value, SpanId)>,
        span: SpanId,
    ) -> Value {
        let FunctionKind::Procedure(receiver, _) = procedure.kind else {
            return Value::POISON;
        };
        let name = procedure.name.name.as_str();
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
        if !self.check_argument_count(name, procedure.parameters.len(), arguments.len(), span) {
            return Value::POISON;
        }
        let (types, result) = self.procedure_types(procedure);
        let parameters = procedure.parameters.iter().zip(types);
        let values = parameters
            .zip(arguments)
            .map(|((parameter, ty), (value, span))| {
                let place = argument_place(parameter, name);
                self.conform(value, &ty, span, &place)
            });
        let values: Vec<_> = values.collect();
        let frame = Frame {
            description: format!("the procedure `{name}`"),
            identity: Identity::Procedure(index),
            called_at: span,
            scopes: Scopes::default(),
            generics: Generics::default(),
            result,
            receiver: Some(receiver),
            captured: 0,
        };
        self.in_frame(frame, |tracer| {
            for (parameter, value) in procedure.parameters.iter().zip(values) {
                tracer.bind(&parameter.pattern, value);
            }
            tracer.body(procedure)
        })
    }

    /// The types of a procedure; its mistakes are reported where it is traced on its own.
    fn procedure_types(&mut self, procedure: &ast::Function) -> (Vec<Type>, Type) {
        self.in_frame(Frame::outermost(), |tracer| {
            let types = tracer.parameter_types(procedure);
            let result = tracer.result_type(procedure);
            (types, result)
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
        let running = std::iter::once(&self.frame).chain(self.callers.iter());
        let recursive = running.into_iter().any(|frame| frame.identity == identity);
        if recursive {
            let message = format!("the {kind} `{name}` calls itself; recursion is not possible");
            let diagnostic = Diagnostic::new(Code::Recursion, span, message);
            self.report(diagnostic.help("write a loop instead"));
        }
        recursive
    }

    /// Reports a wrong number of arguments.
    pub(crate) fn check_argument_count(
        &mut self,
        name: &str,
        expected: usize,
        found: usize,
        span: SpanId,
    ) -> bool {
        if expected == found {
            return true;
        }
        let expected = super::resolve::count(expected, "argument");
        let message = format!("`{name}` takes {expected}, found {found}");
        self.error(Code::ArgumentCount, span, message);
        false
    }
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
