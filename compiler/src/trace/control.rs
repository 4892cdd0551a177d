//! Blocks and conditions. Of a condition that is known while tracing, one branch is taken; of any other,
//! both become part of the program.

use super::{
    branch::BranchSpans,
    frame::Flow,
    pattern::expected_type,
    statics::Static,
    tracer::Tracer,
    tree::Tree,
    types::{Type, TypeLeaf},
    value::{Tensor, Value, ValueLeaf},
};
use crate::{
    ast::{Block, Expr, ExprKind, Pattern, Statement},
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};
use iree_abi::{DType, TensorType};
use iree_dsl_ir::Scalar;

/// Methods of tensors that are known while tracing, or at the call.
const SIZES: [&str; 4] = ["dim", "len", "rank", "shape"];

/// What is known of a condition while tracing.
enum Condition {
    /// It holds, or not.
    Known(bool),
    /// It depends on what happens at run time.
    Open(Tensor),
    /// It is none, which was reported.
    Wrong,
}

impl Tracer<'_> {
    /// The value of a block.
    pub(crate) fn block(&mut self, block: &Block, expected: Option<&Type>) -> Flow {
        self.frame.scopes.enter();
        let value = self.block_inside(block, expected);
        self.frame.scopes.leave();
        value
    }

    fn block_inside(&mut self, block: &Block, expected: Option<&Type>) -> Flow {
        self.rest_of_block(block, 0, expected)
    }

    /// A block from a statement on. What comes after a branch that may have left becomes a branch itself.
    fn rest_of_block(&mut self, block: &Block, first: usize, expected: Option<&Type>) -> Flow {
        for (position, statement) in block.statements.iter().enumerate().skip(first) {
            let span = self.statement(statement)?;
            if self.may_have_left_somehow() {
                let rest = |tracer: &mut Self| {
                    let value = tracer.rest_of_block(block, position + 1, expected)?;
                    // What waits for its type does so in the branch, whose tensors are gone after it.
                    Ok(match expected {
                        Some(ty) if value.waits() => tracer.typed(&value, ty, span),
                        _ => value,
                    })
                };
                return self.unless_left(rest, span);
            }
        }
        match &block.value {
            Some(value) => self.expr(value, expected),
            None => Ok(Tree::unit()),
        }
    }

    /// Traces a statement and says where it stands.
    fn statement(&mut self, statement: &Statement) -> Flow<SpanId> {
        match statement {
            Statement::Expr(expr) => {
                self.expr(expr, None)?;
                Ok(expr.span)
            }
            Statement::Const(item) => {
                let value = self.evaluate_const(item, item.name.span);
                self.frame.scopes.bind(
                    &item.name.name,
                    super::scope::Binding {
                        value: Some(value),
                        ty: None,
                        mutable: false,
                        assigned_at: item.name.span,
                    },
                );
                Ok(item.name.span)
            }
            Statement::Let {
                pattern,
                ty,
                value,
                span,
            } => {
                let ty = ty.as_ref().map(|ty| self.resolve(ty));
                let value = match value {
                    Some(expr) => {
                        let expected = ty.clone().or_else(|| expected_type(pattern));
                        let value = self.expr(expr, expected.as_ref())?;
                        Some(match &ty {
                            Some(ty) => self.conform(value, ty, expr.span, &binding_place(pattern)),
                            None => value,
                        })
                    }
                    None => None,
                };
                self.bind_typed(pattern, value, ty);
                Ok(*span)
            }
        }
    }

    /// `if condition { … } else { … }`.
    pub(crate) fn if_expr(
        &mut self,
        condition: &Expr,
        then: &Block,
        otherwise: Option<&Expr>,
        expected: Option<&Type>,
    ) -> Flow {
        let span = condition.span;
        match self.condition(condition, "if")? {
            Condition::Known(true) => self.then(then, otherwise, expected),
            Condition::Known(false) => self.otherwise(otherwise, expected),
            Condition::Open(condition) => {
                let values = [
                    value_span(then),
                    otherwise.map_or(span, |otherwise| match &otherwise.kind {
                        ExprKind::Block(block) => value_span(block),
                        _ => otherwise.span,
                    }),
                ];
                let [then_span, otherwise_span] = values;
                self.branch(
                    &condition,
                    |tracer| {
                        let value = tracer.then(then, otherwise, expected)?;
                        Ok(tracer.adopt(value, expected, then_span))
                    },
                    |tracer| {
                        let value = tracer.otherwise(otherwise, expected)?;
                        Ok(tracer.adopt(value, expected, otherwise_span))
                    },
                    BranchSpans {
                        whole: span,
                        values,
                    },
                )
            }
            Condition::Wrong => {
                if self.is_about_tensors(condition) {
                    let then = |tracer: &mut Self| tracer.then(then, otherwise, expected);
                    let otherwise = |tracer: &mut Self| tracer.otherwise(otherwise, expected);
                    self.branches_of_nothing(then, otherwise, span);
                }
                Ok(Value::POISON)
            }
        }
    }

    /// The first branch, which has no value where there is no other.
    fn then(&mut self, then: &Block, otherwise: Option<&Expr>, expected: Option<&Type>) -> Flow {
        let value = self.block(then, expected)?;
        if otherwise.is_some() || value.is_unit() {
            return Ok(value);
        }
        if !value.is_poisoned() {
            let ty = value.ty();
            let message = format!("an `if` without `else` has no value, but this is a `{ty}`");
            let diagnostic = Diagnostic::new(Code::TypeMismatch, value_span(then), message);
            self.report(diagnostic.help("end it with a semicolon, or write an `else`"));
        }
        Ok(Value::POISON)
    }

    fn otherwise(&mut self, otherwise: Option<&Expr>, expected: Option<&Type>) -> Flow {
        match otherwise {
            Some(otherwise) => self.expr(otherwise, expected),
            None => Ok(Tree::unit()),
        }
    }

    /// What a condition is.
    fn condition(&mut self, condition: &Expr, keyword: &str) -> Flow<Condition> {
        let value = self.expr(condition, None)?;
        Ok(match value {
            Value::Leaf(ValueLeaf::Static(Static {
                value: Scalar::Bool(value),
                ..
            })) => Condition::Known(value),
            Value::Leaf(ValueLeaf::Tensor(tensor)) if tensor.ty == scalar_bool() => {
                Condition::Open(tensor)
            }
            value => {
                self.wrong_condition(&value, keyword, condition.span);
                self.undecided += 1;
                Condition::Wrong
            }
        })
    }

    /// Whether a value decides when the program runs.
    pub(crate) fn is_condition(&self, value: &Value) -> bool {
        matches!(value, Value::Leaf(ValueLeaf::Tensor(tensor)) if tensor.ty == scalar_bool())
    }

    /// Whether a condition that is wrong would be decided when the program runs: then what depends on it has a meaning
    /// in any case.
    pub(crate) fn is_about_tensors(&self, condition: &Expr) -> bool {
        condition.any(&mut |expr| match &expr.kind {
            ExprKind::MethodCall { method, .. } if SIZES.contains(&method.name.as_str()) => {
                Some(false)
            }
            ExprKind::Path(path) => {
                let name = &path.as_ident()?.name;
                let value = self.frame.scopes.get(name).map(|binding| &binding.value);
                let has_tensors = |value: &Value| !value.tensors().is_empty();
                Some(name == "self" || value?.as_ref().is_some_and(has_tensors))
            }
            _ => None,
        })
    }

    /// Reports what cannot be a condition.
    pub(crate) fn wrong_condition(&mut self, value: &Value, keyword: &str, span: SpanId) {
        if value.is_poisoned() {
            return;
        }
        let ty = value.ty();
        let message = format!(
            "the condition of `{keyword}` must be a `bool` or a `Tensor<bool>`, found `{ty}`"
        );
        let diagnostic = Diagnostic::new(Code::TypeMismatch, span, message);
        self.report(match &ty {
            Type::Leaf(TypeLeaf::Tensor(tensor)) if tensor.dtype == DType::Bool => diagnostic.help(
                "ask for `all()` or `any()`, or choose place by place with `select(mask, a, b)`",
            ),
            _ => diagnostic,
        });
    }
}

/// Where the value of a block stands.
fn value_span(block: &Block) -> SpanId {
    block.value.as_ref().map_or(block.span, |value| value.span)
}

fn scalar_bool() -> TensorType {
    TensorType::new(DType::Bool, [])
}

fn binding_place(pattern: &Pattern) -> String {
    match &pattern.kind {
        crate::ast::PatternKind::Ident { name, .. } => format!("the variable `{}`", name.name),
        _ => "the value".to_owned(),
    }
}
