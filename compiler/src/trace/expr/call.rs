//! Calls: of kernels, procedures and operations.

use super::super::index::is_part;
use super::super::{
    frame::Flow,
    function::Written,
    operation::{self, OperationCall, OperationForm, OperationInfo},
    statics::Static,
    tracer::Tracer,
    tree::Tree,
    types::Type,
    value::{Value, ValueLeaf},
};
use crate::{
    ast::{Expr, ExprKind, GenericArgument, Ident, Path},
    diagnostic::{Code, Diagnostic, nearest},
    span::SpanId,
};

/// Generic arguments and arguments of a method as written.
type MethodArguments<'e> = (&'e [GenericArgument], &'e [Expr]);

impl Tracer<'_> {
    /// `f(a, b)`.
    pub(super) fn call(
        &mut self,
        callee: &Expr,
        arguments: &[Expr],
        expected: Option<&Type>,
    ) -> Flow {
        let ExprKind::Path(path) = &callee.kind else {
            return self.call_value(callee, arguments, expected);
        };
        let span = path.span;
        let Some(last) = path.last() else {
            return Ok(Value::POISON);
        };
        if let Some(name) = path.as_ident()
            && let Some(value) = self.call_variable(&name.name, arguments, expected, span)?
        {
            return Ok(value);
        }
        let ast = self.ast;
        let index = ast.kernel(self.frame.module, &last.name.name);
        if let (Some(index), [_]) = (index, path.segments.as_slice()) {
            let Some(kernel) = ast.kernels.get(index) else {
                return Ok(Value::POISON);
            };
            let arguments = self.call_arguments(kernel, &last.arguments, arguments)?;
            let written = Written {
                generics: &last.arguments,
                arguments: &arguments,
                expected,
                span,
            };
            return Ok(self.call_kernel(index, &written));
        }
        let Some(operation) = operation::find(&path.text(), OperationForm::Function) else {
            return Ok(self.unknown_function(path));
        };
        let Some(arguments) = self.operation_arguments(operation, arguments)? else {
            return Ok(Value::POISON);
        };
        let call = OperationCall {
            name: operation.name,
            generics: &last.arguments,
            arguments,
            options: Vec::new(),
            expected,
            span,
        };
        Ok(operation.run(self, call))
    }

    /// The values of arguments; nothing if one has a name.
    fn operation_arguments(
        &mut self,
        operation: &OperationInfo,
        arguments: &[Expr],
    ) -> Flow<Option<Vec<(Value, SpanId)>>> {
        let mut values = Vec::new();
        for argument in arguments {
            if let Some(name) = argument_name(argument) {
                let message = format!(
                    "the arguments of `{}` have no names, found `{name}`",
                    operation.name
                );
                let diagnostic = Diagnostic::new(Code::ArgumentCount, argument.span, message);
                self.report(diagnostic.help(operation.without_name(name)));
                return Ok(None);
            }
            values.push((self.expr(argument, None)?, argument.span));
        }
        Ok(Some(values))
    }

    /// `x.f::<T>(a, b)`.
    pub(super) fn method_call(
        &mut self,
        receiver: &Expr,
        method: &Ident,
        (generics, arguments): MethodArguments<'_>,
        expected: Option<&Type>,
    ) -> Flow {
        if receiver.is_self() {
            return self.self_call(method, (generics, arguments));
        }
        let value = self.expr(receiver, None)?;
        if value.is_poisoned() {
            for argument in arguments {
                self.expr(argument, None)?;
            }
            return Ok(Value::POISON);
        }
        if let Tree::Array(items) | Tree::Tuple(items) = &value {
            return self.list_method(&value, items, method, arguments, receiver.span);
        }
        if let Value::Leaf(ValueLeaf::Range(start, end)) = value {
            let items: Vec<Value> = (start..end)
                .map(|index| Static::integer(index).into())
                .collect();
            let list = Tree::Array(items.clone());
            return self.list_method(&list, &items, method, arguments, receiver.span);
        }
        if let ("slice", [index]) = (method.name.as_str(), arguments)
            && is_part(index)
        {
            return self.part(&value, index, receiver.span);
        }
        let Some(operation) = operation::find(&method.name, OperationForm::Method) else {
            return Ok(self.unknown_method(&value, method));
        };
        let mut values = vec![(value, receiver.span)];
        let Some(arguments) = self.operation_arguments(operation, arguments)? else {
            return Ok(Value::POISON);
        };
        values.extend(arguments);
        let call = OperationCall {
            name: operation.name,
            generics,
            arguments: values,
            options: Vec::new(),
            expected,
            span: method.span,
        };
        Ok(operation.run(self, call))
    }

    /// `self.name(arguments)`.
    fn self_call(&mut self, method: &Ident, (generics, arguments): MethodArguments<'_>) -> Flow {
        let span = method.span;
        if self.frame.receiver.is_none() {
            return Ok(self.self_outside(span));
        }
        let ast = self.ast;
        let mut procedures = ast.procedures.iter().enumerate();
        let found = procedures.find(|(_, procedure)| procedure.name.name == method.name);
        let Some((index, procedure)) = found else {
            return Ok(self.unknown_procedure(method));
        };
        let arguments = self.call_arguments(procedure, generics, arguments)?;
        let written = Written {
            generics,
            arguments: &arguments,
            expected: None,
            span,
        };
        let call = |tracer: &mut Self| Ok(tracer.call_procedure(index, procedure, &written));
        self.unless_left(call, span)
    }

    /// What arrays and tuples of any values have: `len`, and iterators that say what a loop says anyway.
    fn list_method(
        &mut self,
        value: &Value,
        items: &[Value],
        method: &Ident,
        arguments: &[Expr],
        span: SpanId,
    ) -> Flow {
        let index = |index: usize| Static::usize(index).into();
        match (method.name.as_str(), arguments) {
            ("len", []) => Ok(index(items.len())),
            ("iter" | "into_iter", []) => Ok(value.clone()),
            ("rev", []) => Ok(Tree::Array(items.iter().rev().cloned().collect())),
            ("enumerate", []) => {
                let pairs = items.iter().enumerate();
                let pairs = pairs.map(|(at, item)| Tree::Tuple(vec![index(at), item.clone()]));
                Ok(Tree::Array(pairs.collect()))
            }
            ("zip", [other]) => match self.expr(other, None)? {
                Tree::Array(others) | Tree::Tuple(others) => {
                    let pairs = items.iter().cloned().zip(others);
                    let pairs = pairs.map(|(a, b)| Tree::Tuple(vec![a, b]));
                    Ok(Tree::Array(pairs.collect()))
                }
                other => Ok(self.not_a_list(&other, span)),
            },
            _ => Ok(self.unknown_method(value, method)),
        }
    }

    fn not_a_list(&mut self, value: &Value, span: SpanId) -> Value {
        if value.is_poisoned() {
            return Value::POISON;
        }
        let message = format!("expected an array, found `{}`", value.ty());
        self.error(Code::TypeMismatch, span, message)
    }

    fn unknown_procedure(&mut self, method: &Ident) -> Value {
        let name = method.name.as_str();
        let ast = self.ast;
        let procedures = ast
            .procedures
            .iter()
            .map(|procedure| procedure.name.name.as_str());
        let message = format!("the program has no procedure `{name}`");
        let diagnostic = Diagnostic::new(Code::UnknownName, method.span, message);
        let kernel = ast.kernel(self.frame.module, name).is_some();
        self.report(match nearest(name, procedures) {
            _ if kernel => diagnostic.help(format!("there is a kernel of that name: `{name}(…)`")),
            Some(similar) => diagnostic.help(format!(
                "there is a procedure with a similar name: `{similar}`"
            )),
            None => diagnostic,
        })
    }

    fn unknown_method(&mut self, value: &Value, method: &Ident) -> Value {
        let name = method.name.as_str();
        let owner = match value {
            Value::Leaf(ValueLeaf::Tensor(_)) => "tensors have",
            Value::Leaf(ValueLeaf::Static(_)) => "numbers known while building have",
            Value::Struct(..) => "trees have",
            Value::Array(_) => "arrays have",
            Value::Tuple(_) => "tuples have",
            Value::Leaf(ValueLeaf::Iterations(_)) => "ranges that the program computes have",
            Value::Leaf(_) => "this value has",
        };
        let diagnostic = Diagnostic::new(
            Code::NoOperation,
            method.span,
            format!("{owner} no operation `{name}`"),
        );
        let help = self.meant_by_method(value, name);
        self.report(diagnostic.help_if(help))
    }

    fn meant_by_method(&self, value: &Value, name: &str) -> Option<String> {
        if self.ast.kernel(self.frame.module, name).is_some() {
            return Some(format!("there is a kernel of that name: `{name}(…)`"));
        }
        match value {
            Value::Leaf(ValueLeaf::Iterations(_)) => of_iterations(name),
            Value::Leaf(_) => operation::meant(name, OperationForm::Method, []),
            Value::Array(_) => of_array(name),
            _ => None,
        }
        .or_else(|| operation::habit_elsewhere(name))
        .or_else(|| operation::in_other_form(name, Some(OperationForm::Method)))
    }

    fn unknown_function(&mut self, path: &Path) -> Value {
        let name = path.text();
        let ast = self.ast;
        if ast.is_missing(self.frame.module, &name) {
            return Value::POISON;
        }
        let procedures = &mut ast.procedures.iter();
        let is_procedure = procedures.any(|procedure| procedure.name.name == name);
        let help = match is_procedure {
            true => Some(format!(
                "there is a procedure of that name: `self.{name}(…)`"
            )),
            false => {
                let known = ast.values(self.frame.module);
                operation::meant(&name, OperationForm::Function, known)
            }
        };
        let message = format!("there is no kernel or operation `{name}`");
        let diagnostic = Diagnostic::new(Code::NoOperation, path.span, message);
        self.report(diagnostic.help_if(help))
    }
}

/// The name of an argument as Python has them: `axis = 1`.
fn argument_name(argument: &Expr) -> Option<&str> {
    let ExprKind::Assign {
        place,
        operator: None,
        ..
    } = &argument.kind
    else {
        return None;
    };
    let ExprKind::Path(path) = &place.kind else {
        return None;
    };
    path.as_ident().map(|name| name.name.as_str())
}

/// What to write in place of a method of ranges that the program computes.
fn of_iterations(name: &str) -> Option<String> {
    let counted = match name {
        "rev" => "count in each iteration: `let i = n - 1 - k;`",
        "step_by" => "count in each iteration: `let i = k * step;`",
        _ => return None,
    };
    Some(counted.to_owned())
}

/// What to write in place of a method of arrays.
fn of_array(name: &str) -> Option<String> {
    let help = match name {
        "push" | "append" | "extend" | "insert" | "pop" => {
            "the length of an array is fixed: write its items, `[a, b]`, or store parts of a tensor, `x[i] = a`"
        }
        "map" | "filter" | "fold" | "sum" | "max" | "min" | "collect" | "for_each" | "take"
        | "skip" => "arrays are gone through by loops: `for x in items { total += x; }`",
        _ => return None,
    };
    Some(help.to_owned())
}
