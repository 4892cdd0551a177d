//! Kernels with derivatives of their own.

use super::super::{
    frame::Identity,
    function::{Entered, Written},
    instance::Instance,
    kernel::needs_caller,
    tracer::Tracer,
    tree::Tree,
    types::{Type, TypeLeaf},
    value::{Value, ValueLeaf},
};
use crate::{
    ast,
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};
use iree_dsl_ir::FunctionId;
use iree_dsl_transform::{Rule, RuleKind, is_differentiable, is_linear};

impl Tracer<'_> {
    /// The value of a call of a kernel that has a rule, while it is differentiated.
    pub(crate) fn call_ruled(
        &mut self,
        index: usize,
        rule: &ast::Rule,
        entered: Entered,
        call: &Written<'_>,
    ) -> Value {
        let value = self.ruled_instance(index, rule, entered, call);
        value.unwrap_or(Value::POISON)
    }

    fn ruled_instance(
        &mut self,
        index: usize,
        rule: &ast::Rule,
        entered: Entered,
        call: &Written<'_>,
    ) -> Option<Value> {
        let ast = self.ast;
        let kernel = ast.kernels.get(index)?;
        let arguments = entered.arguments.clone();
        if needs_caller(&entered.generics, &arguments) {
            let message = "a kernel with a rule takes tensors, which tell all sizes";
            self.error(Code::Unsupported, call.span, message);
            return None;
        }
        let instance = self.instance(index, kernel, entered, call.span);
        let Instance::Function(callee, result, requirements) = instance else {
            return None;
        };
        if !self.rules.contains_key(&callee) {
            let kind = self.rule_kind(kernel, rule, &arguments, &result, call.span)?;
            let by = positions(&arguments);
            self.rules.insert(callee, Rule { kind, by });
        }
        self.builder.require(requirements);
        Some(self.emit_call(callee, &result, &arguments, call.span))
    }

    /// The instances of the kernels of a rule.
    fn rule_kind(
        &mut self,
        kernel: &ast::Function,
        rule: &ast::Rule,
        arguments: &[Value],
        result: &Type,
        span: SpanId,
    ) -> Option<RuleKind> {
        let by: Vec<_> = arguments
            .iter()
            .filter(|value| has_tangent(value))
            .collect();
        let types: Vec<_> = by.iter().map(|value| value.ty()).collect();
        let own = &kernel.name.name;
        match rule {
            ast::Rule::Jvp(name) => {
                let tangents = by.into_iter().cloned();
                let all = arguments.iter().cloned().chain(tangents).collect();
                let (function, found) = self.rule_instance(kernel, name, all, span)?;
                let expected = Tree::Tuple(vec![result.clone(), result.clone()]);
                self.check_rule(name, own, &found, &expected)?;
                self.check_linear(name, function, arguments, result)?;
                Some(RuleKind::Jvp(function))
            }
            ast::Rule::Vjp(keep, back) => {
                let (first, found) = self.rule_instance(kernel, keep, arguments.to_vec(), span)?;
                let kept = match &found {
                    Tree::Tuple(parts) if parts.len() == 2 && parts.first() == Some(result) => {
                        parts.get(1)?.clone()
                    }
                    _ => {
                        let message = format!(
                            "`{}` returns what `{own}` does, and what is kept: expected `({result}, ..)`, found `{found}`",
                            keep.name
                        );
                        self.error(Code::NotDifferentiable, keep.span, message);
                        return None;
                    }
                };
                let given = [&kept, result].map(|ty| self.of_type(ty));
                let (second, found) = self.rule_instance(kernel, back, given.into(), span)?;
                let expected = match <[Type; 1]>::try_from(types) {
                    Ok([one]) => one,
                    Err(several) => Tree::Tuple(several),
                };
                self.check_rule(back, own, &found, &expected)?;
                Some(RuleKind::Vjp {
                    keep: first,
                    back: second,
                })
            }
        }
    }

    /// Reports a rule whose change of the result is not linear in those of the arguments, as far as that can be told.
    fn check_linear(
        &mut self,
        rule: &ast::Ident,
        function: FunctionId,
        arguments: &[Value],
        result: &Type,
    ) -> Option<()> {
        let count = |values: &[&Value]| values.iter().map(|value| value.tensors().len()).sum();
        let (all, by): (Vec<_>, Vec<_>) = (
            arguments.iter().collect(),
            arguments
                .iter()
                .filter(|value| has_tangent(value))
                .collect(),
        );
        let (first, results): (usize, usize) = (count(&all), self.of_type(result).tensors().len());
        let parameters = first..first + count(&by);
        // What has no derivative is reported where it is followed.
        if is_linear(&self.ir, function, parameters, results..2 * results).unwrap_or(true) {
            return Some(());
        }
        let message = format!(
            "`{}` as a rule is linear in the changes of the arguments, but the change that it returns is not",
            rule.name
        );
        let diagnostic = Diagnostic::new(Code::NotDifferentiable, rule.span, message);
        self.report(
            diagnostic.help("multiply each change by a factor of the arguments: `dx * x.cos()`"),
        );
        None
    }

    fn check_rule(
        &mut self,
        rule: &ast::Ident,
        own: &str,
        found: &Type,
        expected: &Type,
    ) -> Option<()> {
        if found == expected {
            return Some(());
        }
        let message = format!(
            "`{}` as a rule of `{own}` returns `{expected}`, found `{found}`",
            rule.name
        );
        self.error(Code::NotDifferentiable, rule.span, message);
        None
    }

    /// A value of a type, for what asks for its type only.
    fn of_type(&mut self, ty: &Type) -> Value {
        ty.map(&mut |leaf| match leaf {
            TypeLeaf::Tensor(ty) => ValueLeaf::Tensor(self.builder.undefined(ty.clone())),
            _ => ValueLeaf::Poison,
        })
    }

    /// The instance of a kernel of a rule for these arguments, with the type of its result.
    fn rule_instance(
        &mut self,
        kernel: &ast::Function,
        name: &ast::Ident,
        arguments: Vec<Value>,
        span: SpanId,
    ) -> Option<(FunctionId, Type)> {
        let ast = self.ast;
        let Some(index) = ast.kernel(kernel.module, &name.name) else {
            let message = format!("there is no kernel `{}`", name.name);
            self.error(Code::UnknownName, name.span, message);
            return None;
        };
        let rule = ast.kernels.get(index)?;
        let arguments: Vec<_> = arguments
            .into_iter()
            .map(|value| (value, name.span))
            .collect();
        let written = Written {
            generics: &[],
            arguments: &arguments,
            expected: None,
            span: name.span,
        };
        let entered = self.enter(Identity::Kernel(index), rule, &written)?;
        if needs_caller(&entered.generics, &entered.arguments) {
            let message = format!("the sizes in `{}` follow from its arguments", name.name);
            let diagnostic = Diagnostic::new(Code::Unsupported, name.span, message);
            self.report(diagnostic);
            return None;
        }
        match self.instance(index, rule, entered, span) {
            Instance::Function(function, result, requirements) => {
                self.builder.require(requirements);
                Some((function, result))
            }
            Instance::Failed => None,
        }
    }
}

/// Whether an argument has a tangent: all of it is of numbers that have derivatives.
fn has_tangent(value: &Value) -> bool {
    let tensors = value.tensors();
    let mut dtypes = tensors.iter().map(|tensor| tensor.ty.dtype);
    !tensors.is_empty() && dtypes.all(is_differentiable)
}

/// The positions among the tensors of all arguments of those that have tangents.
fn positions(arguments: &[Value]) -> Vec<usize> {
    let leaves = arguments.iter().flat_map(|argument| {
        let count = argument.tensors().len();
        std::iter::repeat_n(has_tangent(argument), count)
    });
    let found = leaves.enumerate().filter(|(_, has_tangent)| *has_tangent);
    found.map(|(position, _)| position).collect()
}
