//! Generic parameters that stand in arithmetic: `N` of `Tensor<f32, { 2 * N + 1 }>` is 3 for a size of 7.

use super::{generics::Generics, types::GenericValue};
use crate::ast::{BinaryOperator, Expr, ExprKind, LiteralKind};
use iree_abi::Extent;

/// The parameter of an expression that is not known, and what it is if the expression is a size. `None` if that
/// does not follow: several are unknown, or the parameter is not only multiplied and added to.
pub(super) fn solve(
    expr: &Expr,
    size: &Extent,
    parameters: &[&str],
    generics: &Generics,
) -> Option<(String, Extent)> {
    let mut unknown = Vec::new();
    names(expr, &mut |name| {
        if parameters.contains(&name) && generics.get(name).is_none() && !unknown.contains(&name) {
            unknown.push(name);
        }
    });
    let [unknown] = unknown.as_slice() else {
        return None;
    };
    let at = |value: i128| evaluate(expr, generics, (unknown, &Extent::constant(value)));
    let (constant, slope) = (at(0)?, at(1)?.minus(&at(0)?)?);
    // The expression is a straight line.
    if at(2)? != constant.plus(&slope.times(&Extent::from(2))?)? {
        return None;
    }
    let value = size.minus(&constant)?.exactly_over(&slope)?;
    let is_size = value.known().is_none_or(|value| value >= 0);
    is_size.then(|| ((*unknown).to_owned(), value))
}

fn names<'e>(expr: &'e Expr, found: &mut impl FnMut(&'e str)) {
    match &expr.kind {
        ExprKind::Path(path) => {
            if let Some(name) = path.as_ident() {
                found(&name.name);
            }
        }
        ExprKind::Binary { lhs, rhs, .. } => {
            names(lhs, found);
            names(rhs, found);
        }
        _ => {}
    }
}

/// The value of sums and products of numbers and parameters, with one of them given.
fn evaluate(expr: &Expr, generics: &Generics, given: (&str, &Extent)) -> Option<Extent> {
    match &expr.kind {
        ExprKind::Literal(literal) => match literal.kind {
            LiteralKind::Integer(Some(number)) => {
                Some(Extent::constant(i128::try_from(number).ok()?))
            }
            _ => None,
        },
        ExprKind::Path(path) => match path.as_ident()?.name.as_str() {
            name if name == given.0 => Some(given.1.clone()),
            name => match generics.get(name)? {
                GenericValue::Dimension(extent) => Some(extent.clone()),
                _ => None,
            },
        },
        ExprKind::Binary {
            operator, lhs, rhs, ..
        } => {
            let lhs = evaluate(lhs, generics, given)?;
            let rhs = evaluate(rhs, generics, given)?;
            match operator {
                BinaryOperator::Add => lhs.plus(&rhs),
                BinaryOperator::Subtract => lhs.minus(&rhs),
                BinaryOperator::Multiply => lhs.times(&rhs),
                _ => None,
            }
        }
        _ => None,
    }
}
