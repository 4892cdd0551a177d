//! Closures and kernels as values. They exist while tracing only: applying one traces its body where it
//! is applied.

use super::{
    declared::Declared,
    derive::Derived,
    frame::{Flow, Frame, Identity, Interrupt},
    function::Written,
    generics::Generics,
    operation::{self, OperationForm},
    scope::Scopes,
    tracer::Tracer,
    types::Type,
    value::{Value, ValueLeaf},
};
use crate::{
    ast::{self, Closure, ExprKind, ModuleId, Receiver},
    diagnostic::{Code, Diagnostic, Report},
    parse,
    span::SpanId,
};
use std::rc::Rc;

/// A closure with what it sees.
#[derive(Debug)]
pub(crate) struct ClosureValue {
    closure: Closure,
    module: ModuleId,
    scopes: Scopes,
    generics: Generics,
    receiver: Option<Receiver>,
    /// How many calls were running where it was written.
    written_at: usize,
}

/// Something that can be applied to values.
#[derive(Clone, Debug)]
pub(crate) enum Callable {
    /// A closure.
    Closure(Rc<ClosureValue>),
    /// The kernel at this index.
    Kernel(usize),
    /// Either, handed over for a parameter.
    Declared(Rc<Declared>),
    /// A function that is made of another.
    Derived(Rc<Derived>),
}

impl ClosureValue {
    /// The frame of its body where it is applied.
    pub(crate) fn frame(&self, called_at: SpanId) -> Frame {
        let mut scopes = self.scopes.clone();
        let captured = scopes.depth();
        scopes.enter();
        Frame {
            description: "the closure".to_owned(),
            identity: Identity::Closure,
            called_at,
            scopes,
            generics: self.generics.clone(),
            result: Type::POISON,
            receiver: self.receiver,
            captured,
            written_at: Some(self.written_at),
            ..Frame::outermost(self.module)
        }
    }

    /// The types that its parameters are written with.
    pub(crate) fn written_types(&self) -> Vec<Option<&ast::Type>> {
        let parameters = self.closure.parameters.iter();
        parameters.map(|(_, ty)| ty.as_ref()).collect()
    }

    /// Where its result stands.
    pub(crate) const fn result_span(&self) -> SpanId {
        self.closure.body.span
    }
}

impl PartialEq for Callable {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Closure(one), Self::Closure(other)) => Rc::ptr_eq(one, other),
            (Self::Kernel(one), Self::Kernel(other)) => one == other,
            (Self::Declared(one), Self::Declared(other)) => Rc::ptr_eq(one, other),
            (Self::Derived(one), Self::Derived(other)) => Rc::ptr_eq(one, other),
            _ => false,
        }
    }
}

impl Tracer<'_> {
    /// A closure as written, which sees the variables as they are now.
    pub(crate) fn closure(&self, closure: &Closure) -> Value {
        Value::Leaf(ValueLeaf::Callable(Callable::Closure(Rc::new(
            ClosureValue {
                closure: closure.clone(),
                module: self.frame.module,
                scopes: self.frame.scopes.clone(),
                generics: self.frame.generics.clone(),
                receiver: self.frame.receiver,
                written_at: self.callers.len(),
            },
        ))))
    }

    /// A closure that belongs to the language and sees nothing but its arguments.
    pub(crate) fn written_closure(&mut self, source: &str, span: SpanId) -> Option<Callable> {
        let mut report = Report::default();
        let closure = parse::closure(source, span, &mut report);
        let closure = closure.filter(|_| report.is_empty());
        let Some(closure) = closure else {
            let message = "an operation that is written in the language cannot be read";
            self.error(Code::Internal, span, message);
            return None;
        };
        Some(Callable::Closure(Rc::new(ClosureValue {
            closure,
            module: ModuleId::LANGUAGE,
            scopes: Scopes::default(),
            generics: Generics::default(),
            receiver: None,
            written_at: 0,
        })))
    }

    /// The value of a call of a closure or kernel.
    pub(crate) fn apply(
        &mut self,
        callable: &Callable,
        arguments: Vec<(Value, SpanId)>,
        expected: Option<&Type>,
        span: SpanId,
    ) -> Value {
        match callable {
            Callable::Closure(closure) => self.apply_closure(closure, arguments, expected, span),
            Callable::Kernel(index) => {
                let written = Written {
                    generics: &[],
                    arguments: &arguments,
                    expected,
                    span,
                };
                self.call_kernel(*index, &written)
            }
            Callable::Declared(declared) => self.apply_declared(declared, arguments, span),
            Callable::Derived(derived) => self.apply_derived(derived, arguments, span),
        }
    }

    fn apply_closure(
        &mut self,
        closure: &ClosureValue,
        arguments: Vec<(Value, SpanId)>,
        expected: Option<&Type>,
        span: SpanId,
    ) -> Value {
        if self.refuse_endless(span) {
            return Value::POISON;
        }
        let parameters = &closure.closure.parameters;
        self.in_frame(closure.frame(span), |tracer| {
            for ((pattern, ty), (value, span)) in parameters.iter().zip(arguments) {
                let value = match ty {
                    Some(ty) => {
                        let ty = tracer.resolve(ty);
                        tracer.conform(value, &ty, span, "an argument of the closure")
                    }
                    None => value,
                };
                tracer.bind(pattern, value);
            }
            tracer.closure_body(closure, expected)
        })
    }

    fn closure_body(&mut self, closure: &ClosureValue, expected: Option<&Type>) -> Value {
        match self.expr(&closure.closure.body, expected) {
            Ok(value) | Err(Interrupt::Return(value, _)) => value,
            // A closure has no loop around it.
            Err(Interrupt::Break(..) | Interrupt::Continue(_) | Interrupt::Left) => Value::POISON,
        }
    }

    /// What an operation applies to this many values; `None` if it was reported that it cannot.
    pub(crate) fn callable(
        &mut self,
        (value, span): (Value, SpanId),
        name: &str,
        arity: usize,
    ) -> Option<Callable> {
        match value {
            Value::Leaf(ValueLeaf::Callable(callable)) => {
                let found = self.arity(&callable);
                if found == arity {
                    return Some(callable);
                }
                let expected = super::resolve::count(arity, "parameter");
                let message = format!("`{name}` takes a closure with {expected}, found {found}");
                self.error(Code::ArgumentCount, span, message);
                None
            }
            value => {
                if !value.is_poisoned() {
                    let message = format!(
                        "`{name}` takes a closure or a kernel, found `{}`",
                        value.ty()
                    );
                    let diagnostic = Diagnostic::new(Code::TypeMismatch, span, message);
                    self.report(diagnostic.help_if(operation::called_as(name)));
                }
                None
            }
        }
    }

    /// The value of `f(arguments)` where `f` is a variable, if it is one that can be applied.
    pub(crate) fn call_variable(
        &mut self,
        name: &str,
        arguments: &[ast::Expr],
        expected: Option<&Type>,
        span: SpanId,
    ) -> Flow<Option<Value>> {
        let binding = self.frame.scopes.get(name);
        let Some(value) = binding.and_then(|binding| binding.value.clone()) else {
            return Ok(None);
        };
        let callable = match value {
            Value::Leaf(ValueLeaf::Callable(callable)) => Some(callable),
            _ if self.is_function(name) => return Ok(None),
            value => {
                if !value.is_poisoned() {
                    let message = format!("`{name}` is neither a closure nor a kernel");
                    self.error(Code::TypeMismatch, span, message);
                }
                None
            }
        };
        self.call_callable(callable.as_ref(), name, arguments, expected, span)
            .map(Some)
    }

    /// The value of a call of what an expression stands for.
    pub(crate) fn call_value(
        &mut self,
        callee: &ast::Expr,
        arguments: &[ast::Expr],
        expected: Option<&Type>,
    ) -> Flow {
        let span = callee.span;
        let callable = match self.expr(callee, None)? {
            Value::Leaf(ValueLeaf::Callable(callable)) => Some(callable),
            value => {
                if !value.is_poisoned() {
                    let found = value.ty();
                    let message = format!("a `{found}` is neither a closure nor a kernel");
                    self.error(Code::TypeMismatch, span, message);
                }
                None
            }
        };
        let name = without_name(callee);
        self.call_callable(callable.as_ref(), &name, arguments, expected, span)
    }

    /// The value of a call; `None` in the place of what was reported.
    fn call_callable(
        &mut self,
        callable: Option<&Callable>,
        name: &str,
        arguments: &[ast::Expr],
        expected: Option<&Type>,
        span: SpanId,
    ) -> Flow {
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push((self.expr(argument, None)?, argument.span));
        }
        let Some(callable) = callable else {
            return Ok(Value::POISON);
        };
        let arity = self.arity(callable);
        if !self.check_argument_count(name, arity, &values, span) {
            return Ok(Value::POISON);
        }
        Ok(self.apply(callable, values, expected, span))
    }

    /// Whether a kernel or an operation has this name.
    fn is_function(&self, name: &str) -> bool {
        let mut kernels = self.ast.kernels.iter();
        kernels.any(|kernel| kernel.name.name == name)
            || operation::find(name, OperationForm::Function).is_some()
    }

    /// How many values a closure or kernel is applied to.
    pub(crate) fn arity(&self, callable: &Callable) -> usize {
        match callable {
            Callable::Closure(closure) => closure.closure.parameters.len(),
            Callable::Kernel(index) => {
                let kernel = self.ast.kernels.get(*index);
                kernel.map_or(0, |kernel| kernel.parameters.len())
            }
            Callable::Declared(declared) => self.arity(&declared.callable),
            Callable::Derived(derived) => self.derived_arity(derived),
        }
    }
}

/// How messages call a function that an expression stands for.
fn without_name(callee: &ast::Expr) -> String {
    if let ExprKind::Call { callee: maker, .. } = &callee.kind
        && let ExprKind::Path(path) = &maker.kind
        && let Some(segment) = path.segments.last()
    {
        return format!("{}(..)", segment.name.name);
    }
    "|..| ..".to_owned()
}
