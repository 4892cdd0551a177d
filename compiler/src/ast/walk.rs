//! Going through what an expression or a type consists of.

use super::{Argument, Block, Expr, ExprKind, GenericArgument, Path, Statement, Type, TypeKind};

impl Block {
    /// Whether an expression in it is what is looked for. What `found` says of an expression counts for
    /// all that is inside; `None` looks there.
    pub fn any(&self, found: &mut impl FnMut(&Expr) -> Option<bool>) -> bool {
        let statements = self.statements.iter();
        let mut values = statements.filter_map(|statement| match statement {
            Statement::Let { value, .. } => value.as_ref(),
            Statement::Expr(expr) => Some(expr),
            Statement::Const(_) => None,
        });
        values.any(|value| value.any(found)) || any_of(self.value.as_deref(), found)
    }
}

impl Expr {
    /// The same for an expression, itself included.
    pub fn any(&self, found: &mut impl FnMut(&Self) -> Option<bool>) -> bool {
        found(self).unwrap_or_else(|| self.any_inside(found))
    }

    fn any_inside(&self, found: &mut impl FnMut(&Self) -> Option<bool>) -> bool {
        match &self.kind {
            ExprKind::Literal(_)
            | ExprKind::Path(_)
            | ExprKind::Continue(_)
            | ExprKind::Wildcard
            | ExprKind::Error => false,
            ExprKind::Unary(_, inner)
            | ExprKind::Field(inner, _)
            | ExprKind::Cast(inner, _)
            | ExprKind::Labelled(_, inner)
            | ExprKind::Reference(inner) => inner.any(found),
            ExprKind::Binary { lhs, rhs, .. } => lhs.any(found) || rhs.any(found),
            ExprKind::Index(base, index) | ExprKind::Repeat(base, index) => {
                base.any(found) || index.any(found)
            }
            ExprKind::Assign { place, value, .. } => place.any(found) || value.any(found),
            ExprKind::Call { callee, arguments } => callee.any(found) || any_of(arguments, found),
            ExprKind::MethodCall {
                receiver,
                arguments,
                ..
            } => receiver.any(found) || any_of(arguments, found),
            ExprKind::Macro {
                positional, named, ..
            } => {
                let values = positional.iter().flat_map(Argument::parts);
                any_of(values.chain(named.iter().map(|named| &named.value)), found)
            }
            ExprKind::Tuple(items) | ExprKind::Array(items) => any_of(items, found),
            ExprKind::Struct { fields, base, .. } => {
                let values = fields.iter().map(|field| &field.value);
                any_of(values.chain(base.as_deref()), found)
            }
            ExprKind::Block(block) | ExprKind::Loop(block) => block.any(found),
            ExprKind::If {
                condition,
                then,
                otherwise,
            } => condition.any(found) || then.any(found) || any_of(otherwise.as_deref(), found),
            ExprKind::For { iterator, body, .. } => iterator.any(found) || body.any(found),
            ExprKind::While(condition, body) => condition.any(found) || body.any(found),
            ExprKind::Break { value, .. } | ExprKind::Return(value) => {
                any_of(value.as_deref(), found)
            }
            ExprKind::Range { start, end, .. } => {
                any_of(start.as_deref().into_iter().chain(end.as_deref()), found)
            }
            ExprKind::Closure(closure) => closure.body.any(found),
        }
    }
}

impl Type {
    /// Whether a type in it, itself included, is what is looked for. What `found` says of a type counts for
    /// all that is inside; `None` looks there.
    pub fn any<'t>(&'t self, found: &mut impl FnMut(&'t Self) -> Option<bool>) -> bool {
        found(self).unwrap_or_else(|| self.any_inside(found))
    }

    fn any_inside<'t>(&'t self, found: &mut impl FnMut(&'t Self) -> Option<bool>) -> bool {
        match &self.kind {
            TypeKind::Path(path) => path.types().any(|ty| ty.any(found)),
            TypeKind::Tuple(items) => items.iter().any(|item| item.any(found)),
            TypeKind::Array(inner, _) | TypeKind::Reference(inner) => inner.any(found),
            TypeKind::Function { parameters, result } => {
                let mut types = parameters.iter().chain(result.as_deref());
                types.any(|ty| ty.any(found))
            }
            TypeKind::Infer | TypeKind::Error => false,
        }
    }
}

impl Path {
    /// The generic arguments of all segments.
    pub fn arguments(&self) -> impl Iterator<Item = &GenericArgument> {
        self.segments.iter().flat_map(|segment| &segment.arguments)
    }

    /// Those that are types.
    fn types(&self) -> impl Iterator<Item = &Type> {
        self.arguments().filter_map(GenericArgument::as_type)
    }
}

impl Argument {
    fn parts(&self) -> impl Iterator<Item = &Expr> {
        std::iter::once(&self.value).chain(&self.step)
    }
}

fn any_of<'e>(
    exprs: impl IntoIterator<Item = &'e Expr>,
    found: &mut impl FnMut(&Expr) -> Option<bool>,
) -> bool {
    exprs.into_iter().any(|expr| expr.any(found))
}
