//! Generic parameters that stand in arithmetic: `N` of `Tensor<f32, { 2 * N + 1 }>` is 3 for a size of 7.

use super::{generics::Generics, types::GenericValue};
use crate::ast::{self, BinaryOperator, Expr, ExprKind, LiteralKind, ModuleId};
use iree_abi::Extent;
use std::cell::Cell;

/// Constants may mention others; more of them than this are a cycle, or too many to follow.
const CONSTANT_LIMIT: usize = 256;

/// Where the names in an expression are found.
#[derive(Clone, Copy)]
pub(super) struct Scope<'s> {
    pub(super) ast: &'s ast::Program,
    /// The module that it is written in.
    pub(super) module: ModuleId,
    pub(super) generics: &'s Generics,
}

/// The parameter of an expression that is not known, and what it is if the expression is a size. `None` if that
/// does not follow: several are unknown, or the parameter is not only multiplied and added to.
pub(super) fn solve(
    expr: &Expr,
    size: &Extent,
    parameters: &[&str],
    scope: Scope<'_>,
) -> Option<(String, Extent)> {
    let mut unknown = Vec::new();
    names(expr, &mut |name| {
        if parameters.contains(&name)
            && scope.generics.get(name).is_none()
            && !unknown.contains(&name)
        {
            unknown.push(name);
        }
    });
    let [unknown] = unknown.as_slice() else {
        return None;
    };
    let followed = Cell::new(0);
    let at = |value: i128| scope.evaluate(expr, (unknown, &Extent::constant(value)), &followed);
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

impl Scope<'_> {
    /// The value of sums and products of numbers, constants and parameters, with one of these given.
    fn evaluate(
        self,
        expr: &Expr,
        given: (&str, &Extent),
        followed: &Cell<usize>,
    ) -> Option<Extent> {
        match &expr.kind {
            ExprKind::Literal(literal) => match literal.kind {
                LiteralKind::Integer(Some(number)) => {
                    Some(Extent::constant(i128::try_from(number).ok()?))
                }
                _ => None,
            },
            ExprKind::Path(path) => match path.as_ident()?.name.as_str() {
                name if name == given.0 => Some(given.1.clone()),
                name => match self.generics.get(name) {
                    Some(GenericValue::Dimension(extent)) => Some(extent.clone()),
                    Some(_) => None,
                    None => self.constant(name, followed),
                },
            },
            ExprKind::Binary {
                operator, lhs, rhs, ..
            } => {
                let lhs = self.evaluate(lhs, given, followed)?;
                let rhs = self.evaluate(rhs, given, followed)?;
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

    fn constant(self, name: &str, followed: &Cell<usize>) -> Option<Extent> {
        let constant = self.ast.constant(self.module, name)?;
        let scope = Scope {
            module: constant.module,
            generics: &Generics::default(),
            ..self
        };
        followed.set(followed.get() + 1);
        match followed.get() <= CONSTANT_LIMIT {
            true => scope.evaluate(&constant.value, ("", &Extent::from(0)), followed),
            false => None,
        }
    }
}
