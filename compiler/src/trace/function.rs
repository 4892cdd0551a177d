//! Functions of the source: what kernels and procedures have in common.

use super::{
    exit::Exit,
    frame::{Frame, Identity, Interrupt},
    generics::Generics,
    tracer::Tracer,
    types::{Type, TypeLeaf},
    value::{Value, ValueLeaf},
};
use crate::{
    ast::{self, ExprKind, FunctionKind, GenericArgument, Statement},
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};

/// A call of a kernel or procedure as written.
pub(crate) struct Written<'c> {
    /// What stands between the angle brackets.
    pub(crate) generics: &'c [GenericArgument],
    /// The arguments.
    pub(crate) arguments: &'c [(Value, SpanId)],
    /// The type that the result should have.
    pub(crate) expected: Option<&'c Type>,
    /// Where the function is named.
    pub(crate) span: SpanId,
}

/// What a call hands to a function.
pub(crate) struct Entered {
    /// What its generic parameters stand for.
    pub(crate) generics: Generics,
    /// Its arguments, in the types of its parameters.
    pub(crate) arguments: Vec<Value>,
    /// The type of its result.
    pub(crate) result: Type,
}

impl Frame {
    /// The frame of a function that is called there.
    pub(crate) fn of(
        identity: Identity,
        function: &ast::Function,
        generics: Generics,
        result: Type,
        called_at: SpanId,
    ) -> Self {
        Self {
            description: describe(function, &generics),
            identity,
            called_at,
            generics,
            result,
            receiver: match function.kind {
                FunctionKind::Kernel => None,
                FunctionKind::Procedure(receiver) => Some(receiver),
            },
            ..Self::outermost(function.module)
        }
    }
}

impl Tracer<'_> {
    /// What a call hands to a function; `None` if the call is wrong, which was reported.
    pub(crate) fn enter(
        &mut self,
        identity: Identity,
        function: &ast::Function,
        call: &Written<'_>,
    ) -> Option<Entered> {
        let name = function.name.name.as_str();
        if self.refuse_recursion(identity, function, call.span)
            || !self.check_argument_count(
                name,
                function.parameters.len(),
                call.arguments,
                call.span,
            )
            || call.arguments.iter().any(|(value, _)| value.is_poisoned())
        {
            return None;
        }
        let generics = self.infer_generics(function, call)?;
        let (types, result) = self.function_types(function, &generics);
        let arguments = function.parameters.iter().zip(types).zip(call.arguments);
        let arguments = arguments.map(|((parameter, ty), (value, span))| {
            let place = argument_place(parameter, name);
            as_parameter(&self.conform(value.clone(), &ty, *span, &place))
        });
        let arguments: Vec<_> = arguments.collect();
        let poisoned = arguments.iter().any(Value::is_poisoned);
        (!poisoned).then_some(Entered {
            generics,
            arguments,
            result,
        })
    }

    /// The types of the parameters and of the result.
    pub(crate) fn function_types(
        &mut self,
        function: &ast::Function,
        generics: &Generics,
    ) -> (Vec<Type>, Type) {
        let mut frame = Frame::outermost(function.module);
        frame.generics = generics.clone();
        self.in_frame(frame, |tracer| {
            let parameters = function.parameters.iter();
            let types = parameters.map(|parameter| tracer.resolve(&parameter.ty));
            let types = types.collect();
            let result = function.result.as_ref();
            let result = result.map_or_else(Type::unit, |ty| tracer.resolve(ty));
            (types, result)
        })
    }

    /// The result of a function in its frame, for these arguments.
    pub(crate) fn run(
        &mut self,
        frame: Frame,
        function: &ast::Function,
        arguments: Vec<Value>,
    ) -> Value {
        self.in_frame(frame, |tracer| {
            for (parameter, argument) in function.parameters.iter().zip(arguments) {
                tracer.bind(&parameter.pattern, argument);
            }
            tracer.body(function)
        })
    }

    /// Traces the body of the function whose frame this is, and checks its result.
    fn body(&mut self, function: &ast::Function) -> Value {
        let block = match &function.body {
            ast::Body::Block(block) => block,
            ast::Body::Mlir(text) => return self.mlir_body(function, text),
            ast::Body::Import => return self.import_body(function),
        };
        let expected = self.frame.result.clone();
        self.allow_exit(Exit::Return);
        let (value, span) = match self.block(block, Some(&expected)) {
            Ok(value) => {
                let end = block.value.as_ref();
                (value, end.map_or(function.span, |value| value.span))
            }
            Err(Interrupt::Return(value, span)) => (value, span),
            Err(Interrupt::Left) => (self.left_with(Exit::Return), function.span),
            Err(Interrupt::Break(..) | Interrupt::Continue(_)) => (Value::POISON, function.span),
        };
        let value = self.value_or_left_with(Exit::Return, value, span);
        self.check_result(value, &expected, span, (function, block))
    }

    fn check_result(
        &mut self,
        value: Value,
        expected: &Type,
        span: SpanId,
        (function, block): (&ast::Function, &ast::Block),
    ) -> Value {
        let name = &function.name.name;
        if value.is_unit()
            && !expected.is_unit()
            && !matches!(expected, Type::Leaf(TypeLeaf::Poison))
        {
            let end = block.value.as_ref();
            if end.is_none_or(|value| value.span != span) && span != function.span {
                return self.returned(value, span);
            }
            let message = format!("`{name}` must return `{expected}`, but its body has no value");
            let diagnostic = Diagnostic::new(Code::ReturnType, self.value_span(span), message);
            return self.report(diagnostic.help(self.value_help(block)));
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

    /// How a body gets a value that has none.
    fn value_help(&self, block: &ast::Block) -> &'static str {
        match (&block.value, block.statements.last()) {
            (Some(value), _) => match &value.kind {
                ExprKind::Loop(_) | ExprKind::Labelled(..) => {
                    "leave it with a value: `break value`"
                }
                ExprKind::If { .. } => "write an `else`, and values at the ends of both",
                _ => "write the value after it",
            },
            (None, Some(Statement::Expr(last))) if self.may_be_value(last) => {
                "leave the semicolon off the last expression"
            }
            _ => "write the value as the last expression, without a semicolon",
        }
    }

    fn may_be_value(&self, expr: &ast::Expr) -> bool {
        match &expr.kind {
            ExprKind::Assign { .. }
            | ExprKind::For { .. }
            | ExprKind::While(..)
            | ExprKind::Macro { .. }
            | ExprKind::Error => false,
            ExprKind::MethodCall {
                receiver, method, ..
            } if receiver.is_self() => {
                let mut procedures = self.ast.procedures.iter();
                let called = procedures.find(|procedure| procedure.name.name == method.name);
                called.is_none_or(|procedure| procedure.result.is_some())
            }
            _ => true,
        }
    }

    /// The value of a `return`, which must be what the function returns.
    pub(crate) fn returned(&mut self, value: Value, span: SpanId) -> Value {
        let expected = self.frame.result.clone();
        let function = self.frame.description.clone();
        if value.is_unit() && !expected.is_unit() {
            let message =
                format!("{function} must return `{expected}`, but this `return` has no value");
            self.error(Code::ReturnType, span, message);
            return Value::poison_of(&expected);
        }
        let place = format!("the result of {function}");
        let value = self.conform(value, &expected, span, &place);
        match value.is_poisoned() {
            true => Value::poison_of(&expected),
            false => value,
        }
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

/// An argument as the function sees it.
fn as_parameter(argument: &Value) -> Value {
    argument.map(&mut |leaf| match leaf {
        ValueLeaf::Static(number) => ValueLeaf::Static(number.as_parameter()),
        other => other.clone(),
    })
}

/// "the argument `x` of `f`".
fn argument_place(parameter: &ast::Parameter, function: &str) -> String {
    match parameter.name() {
        Some(name) => format!("the argument `{name}` of `{function}`"),
        None => format!("an argument of `{function}`"),
    }
}

/// "kernel" or "procedure".
pub(super) const fn kind(function: &ast::Function) -> &'static str {
    match function.kind {
        FunctionKind::Kernel => "kernel",
        FunctionKind::Procedure(_) => "procedure",
    }
}

/// "the kernel `linear` with N = 3".
fn describe(function: &ast::Function, generics: &Generics) -> String {
    let (kind, name) = (kind(function), &function.name.name);
    let values = generics.iter();
    let values = values
        .map(|(name, value)| (name, value.to_string()))
        .filter(|(name, value)| value != name)
        .map(|(name, value)| format!("{name} = {value}"));
    let values: Vec<_> = values.collect();
    match values.is_empty() {
        true => format!("the {kind} `{name}`"),
        false => format!("the {kind} `{name}` with {}", values.join(", ")),
    }
}
