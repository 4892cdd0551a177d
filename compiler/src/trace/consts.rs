//! `const` items. Their values are traced where they are used, without variables around them.

use super::{
    frame::{Frame, Identity},
    tracer::Tracer,
    value::Value,
};
use crate::{ast, diagnostic::Code, span::SpanId};

/// Constants may mention others; this deep is a cycle.
const DEPTH_LIMIT: usize = 64;

impl Tracer<'_> {
    /// The value of the constant of that name, if there is one.
    pub(crate) fn const_value(&mut self, name: &str, span: SpanId) -> Option<Value> {
        let ast = self.ast;
        let item = ast.constant(self.frame.module, name)?;
        Some(self.evaluate_const(item, span))
    }

    /// The value of a constant.
    pub(crate) fn evaluate_const(&mut self, item: &ast::Const, span: SpanId) -> Value {
        let evaluating = self
            .callers
            .iter()
            .rev()
            .take_while(|frame| frame.identity == Identity::Const);
        if evaluating.count() > DEPTH_LIMIT {
            let message = format!("the constant `{}` depends on itself", item.name.name);
            return self.error(Code::Recursion, span, message);
        }
        self.in_frame(Frame::outermost(item.module), |tracer| {
            let ty = tracer.resolve(&item.ty);
            let value = tracer.expr(&item.value, Some(&ty)).unwrap_or(Value::POISON);
            let place = format!("the constant `{}`", item.name.name);
            tracer.conform(value, &ty, item.value.span, &place)
        })
    }
}
