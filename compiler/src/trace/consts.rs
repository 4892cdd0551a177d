//! `const` items. Their values are traced where they are used, without variables around them.

use super::{
    builder::FunctionBuilder,
    frame::{Frame, Identity},
    statics::{Static, StaticType},
    tracer::Tracer,
    types::{Type, TypeLeaf},
    value::{Value, ValueLeaf},
};
use crate::{
    ast::{self, ModuleId},
    diagnostic::Code,
    interface::HostConst,
    span::SpanId,
};
use iree_dsl_ir::Scalar;

/// Constants may mention others; this deep is a cycle.
const DEPTH_LIMIT: usize = 64;

impl Tracer<'_> {
    /// The value of the constant of that name, if there is one.
    pub(crate) fn const_value(&mut self, name: &str, span: SpanId) -> Option<Value> {
        let ast = self.ast;
        let item = ast.constant(self.frame.module, name)?;
        Some(self.evaluate_const(item, span))
    }

    /// The values of the constants that the host can have; one that was reported is zero.
    pub(crate) fn host_consts(&mut self) -> Vec<(String, HostConst)> {
        let ast = self.ast;
        let mut values = Vec::new();
        for item in ast
            .consts
            .iter()
            .filter(|item| item.module == ModuleId::ROOT)
        {
            let (value, _) = self.with_builder(FunctionBuilder::scratch(), |tracer| {
                match tracer.evaluate_const(item, item.name.span) {
                    Value::Leaf(ValueLeaf::Poison) => tracer.zero_of(&item.ty),
                    value => value,
                }
            });
            let name = item.name.name.clone();
            values.extend(host_const(&value).map(|value| (name, value)));
        }
        values
    }

    fn zero_of(&mut self, ty: &ast::Type) -> Value {
        let ty = self.in_frame(Frame::outermost(ModuleId::ROOT), |tracer| {
            tracer.resolve(ty)
        });
        match ty {
            Type::Leaf(TypeLeaf::Static(ty)) => Static::integer(0).cast(ty).into(),
            Type::Leaf(TypeLeaf::Text) => Value::Leaf(ValueLeaf::Text("".into())),
            _ => Value::POISON,
        }
    }

    /// The value of a constant.
    pub(crate) fn evaluate_const(&mut self, item: &ast::Const, span: SpanId) -> Value {
        let evaluating = self
            .callers
            .iter()
            .rev()
            .take_while(|frame| frame.identity == Identity::Const);
        if evaluating.count() > DEPTH_LIMIT {
            // Each constant of a cycle finds it.
            if std::mem::replace(&mut self.constant_cycle, true) {
                return Value::POISON;
            }
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

/// What a value is on the host, if it can be a constant there.
fn host_const(value: &Value) -> Option<HostConst> {
    let number = match value {
        Value::Leaf(ValueLeaf::Static(number)) => number,
        Value::Leaf(ValueLeaf::Text(text)) => return Some(HostConst::Text(text.to_string())),
        _ => return None,
    };
    match (number.value, number.ty) {
        (Scalar::Bool(value), _) => Some(HostConst::Bool(value)),
        (Scalar::Integer(value), StaticType::Usize) => Some(HostConst::Integer(value, None)),
        (Scalar::Integer(value), StaticType::Element(dtype)) if dtype.is_integer() => {
            Some(HostConst::Integer(value, Some(dtype)))
        }
        (Scalar::Integer(value), StaticType::Element(dtype)) if dtype.is_float() => {
            Some(HostConst::Float(value as f64, dtype))
        }
        (Scalar::Float(value), StaticType::Element(dtype)) if dtype.is_float() => {
            Some(HostConst::Float(value, dtype))
        }
        _ => None,
    }
}
