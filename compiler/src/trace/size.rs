//! Sizes that are known at the call only: whole numbers that tracing computes with as names.

use super::{
    statics::{Static, StaticType},
    tracer::Tracer,
    value::{Tensor, Value, ValueLeaf},
};
use crate::{
    ast::BinaryOperator,
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};
use iree_abi::{DType, Dim, Extent, Requirement, TensorType, Told};
use iree_dsl_ir::{
    Scalar,
    op::{Op, Size},
};
use std::collections::BTreeSet;

impl Value {
    /// A size, as the number that it is if that is known.
    pub(crate) fn size(extent: Extent) -> Self {
        match extent.known() {
            Some(number) => Static {
                value: Scalar::Integer(number),
                ty: StaticType::Usize,
            }
            .into(),
            None => Self::Leaf(ValueLeaf::Size(extent)),
        }
    }

    /// The integer, which may be known at the call only.
    pub(crate) fn as_extent(&self) -> Option<Extent> {
        match self {
            Self::Leaf(ValueLeaf::Static(number)) => number.as_integer().map(Extent::constant),
            Self::Leaf(ValueLeaf::Size(extent)) => Some(extent.clone()),
            _ => None,
        }
    }

    /// Whether it is a size that is known at the call only.
    pub(crate) const fn is_size(&self) -> bool {
        matches!(self, Self::Leaf(ValueLeaf::Size(_)))
    }
}

impl Tracer<'_> {
    /// `a op b` of integers of which one is known at the call only; `None` if they are something else.
    pub(crate) fn size_arithmetic(
        &mut self,
        operator: BinaryOperator,
        lhs: &Value,
        rhs: &Value,
        span: SpanId,
    ) -> Option<Value> {
        if !lhs.is_size() && !rhs.is_size() {
            return None;
        }
        let (lhs, rhs) = (lhs.as_extent()?, rhs.as_extent()?);
        let result = match operator {
            BinaryOperator::Add => lhs.plus(&rhs),
            BinaryOperator::Subtract => lhs.minus(&rhs),
            BinaryOperator::Multiply => lhs.times(&rhs),
            BinaryOperator::Divide => quotient(&lhs, &rhs),
            BinaryOperator::Remainder => {
                quotient(&lhs, &rhs).and_then(|quotient| lhs.minus(&quotient.times(&rhs)?))
            }
            _ => return Some(self.compare_sizes(operator, lhs, rhs, span)),
        };
        Some(match result {
            Some(extent) => Value::size(extent),
            None => {
                let symbol = operator.symbol();
                let message = format!("`{lhs}` {symbol} `{rhs}` is not known while building");
                let diagnostic = Diagnostic::new(Code::StaticEvaluation, span, message);
                self.report(
                    diagnostic.help("sizes are divided by numbers, or by a factor of theirs"),
                )
            }
        })
    }

    /// A comparison of sizes: known while building if their difference is, else by the program.
    fn compare_sizes(
        &mut self,
        operator: BinaryOperator,
        lhs: Extent,
        rhs: Extent,
        span: SpanId,
    ) -> Value {
        let difference = lhs.minus(&rhs).and_then(|difference| difference.known());
        if let Some(difference) = difference {
            let (difference, zero) = (Static::integer(difference), Static::integer(0));
            return match super::statics::binary(operator, difference, zero) {
                Ok(result) => result.into(),
                Err(error) => {
                    let what = format!("`{}`", operator.symbol());
                    self.static_error(error, &what, span)
                }
            };
        }
        let operands = [lhs, rhs].map(|extent| self.size_tensor(extent, DType::I64, span));
        match operands {
            [Some(lhs), Some(rhs)] => {
                self.binary_value(operator, (lhs.into(), span), (rhs.into(), span), span)
            }
            _ => Value::POISON,
        }
    }

    /// A size as a scalar of the program.
    pub(crate) fn size_tensor(
        &mut self,
        extent: Extent,
        dtype: DType,
        span: SpanId,
    ) -> Option<Tensor> {
        self.emit_checked(Op::Size(Size { extent, dtype }), &[], "as", span)
    }

    /// Whether one number is at most another, as far as that is known; what is not is required at the
    /// call.
    pub(crate) fn require_order(&mut self, least: &Extent, most: &Extent) -> bool {
        let Some(distance) = most.minus(least) else {
            return false;
        };
        if let Some(known) = distance.known() {
            return known >= 0;
        }
        if !distance.is_never_negative() {
            self.builder.require(Requirement::order(least, most));
        }
        true
    }

    /// An integer that is not negative, as far as that is known.
    pub(crate) fn value_as_extent(
        &mut self,
        value: &Value,
        span: SpanId,
        what: &str,
    ) -> Option<Extent> {
        match value {
            Value::Leaf(ValueLeaf::Size(extent)) => Some(extent.clone()),
            value => self.value_as_size(value, span, what).map(Extent::from),
        }
    }

    /// A dimension.
    pub(crate) fn value_as_dim(&mut self, value: &Value, span: SpanId, what: &str) -> Option<Dim> {
        let extent = self.value_as_extent(value, span, what)?;
        Dim::from_extent(extent)
    }
}

/// The names of the sizes that tensors of these types tell.
pub(crate) fn told_sizes<'t>(types: impl IntoIterator<Item = &'t TensorType>) -> BTreeSet<String> {
    let told = Told::of(types).into_iter();
    told.map(|told| told.name).collect()
}

/// `a / b` rounded down, if that can be written.
fn quotient(lhs: &Extent, rhs: &Extent) -> Option<Extent> {
    match rhs.known() {
        Some(divisor) => lhs.over(divisor),
        None => lhs.exactly_over(rhs),
    }
}
