//! What can be assigned to: variables, globals, and parts of either.

use super::{
    expr::member_span,
    frame::Flow,
    globals::{GlobalLeaf, GlobalTree},
    tracer::Tracer,
    tree::Tree,
    types::TypeLeaf,
    value::Value,
};
use crate::{
    ast::{Expr, ExprKind, Member},
    diagnostic::{Code, Diagnostic, nearest},
    span::SpanId,
};

/// A place.
pub(crate) enum Place {
    /// A part of a global, and the name of the global.
    Global(GlobalTree, String),
    /// A part of a variable.
    Variable {
        /// The variable.
        name: String,
        /// Where its name stands.
        span: SpanId,
        /// The way from the variable to the part.
        steps: Vec<Step>,
    },
}

/// A step into a tree.
pub(crate) enum Step {
    /// To a member.
    Member(Member),
    /// To an element of an array.
    Element(usize, SpanId),
}

impl Step {
    /// Where the step stands.
    pub(crate) fn span(&self) -> SpanId {
        match self {
            Self::Member(member) => member_span(member),
            Self::Element(_, span) => *span,
        }
    }
}

impl Tracer<'_> {
    /// The place that an expression is; `None` if it was reported that it is none.
    pub(crate) fn place(&mut self, expr: &Expr) -> Flow<Option<Place>> {
        if let Some((tree, name)) = self.global_part(expr)? {
            return Ok(Some(Place::Global(tree, name)));
        }
        let mut steps = Vec::new();
        let mut current = expr;
        loop {
            match &current.kind {
                ExprKind::Field(base, member) => {
                    steps.push(Step::Member(member.clone()));
                    current = base;
                }
                ExprKind::Index(base, index) => {
                    let value = self.expr(index, None)?;
                    let Some(position) = self.value_as_size(&value, index.span, "an index") else {
                        return Ok(None);
                    };
                    steps.push(Step::Element(position, index.span));
                    current = base;
                }
                ExprKind::Reference(inner) => current = inner,
                ExprKind::Path(path) if path.as_ident().is_some() => {
                    steps.reverse();
                    let name = path.text();
                    let span = path.span;
                    return Ok(Some(Place::Variable { name, span, steps }));
                }
                ExprKind::Error => return Ok(None),
                _ => {
                    let message = "this cannot be assigned to";
                    let diagnostic = Diagnostic::new(Code::Assignment, expr.span, message);
                    self.report(
                        diagnostic.help("assign to a variable, a global, or a field of one"),
                    );
                    return Ok(None);
                }
            }
        }
    }

    /// The part of a global that an expression names, and the name of the global.
    pub(crate) fn global_part(&mut self, expr: &Expr) -> Flow<Option<(GlobalTree, String)>> {
        match &expr.kind {
            ExprKind::Field(base, member) => self.global_field(base, member),
            ExprKind::Index(base, index) => self.global_element(base, index),
            ExprKind::Reference(inner) => self.global_part(inner),
            _ => Ok(None),
        }
    }

    /// The part of a global that `base.member` is.
    pub(crate) fn global_field(
        &mut self,
        base: &Expr,
        member: &Member,
    ) -> Flow<Option<(GlobalTree, String)>> {
        if is_self(base) && self.frame.receiver.is_some() {
            return Ok(Some(self.global(member)));
        }
        let Some((tree, name)) = self.global_part(base)? else {
            return Ok(None);
        };
        let part = self.member(&tree, member, |tree| tree.map(&mut |leaf| leaf.ty.clone()));
        Ok(Some((part.unwrap_or_else(poison), name)))
    }

    /// The part of a global that `base[index]` is.
    pub(crate) fn global_element(
        &mut self,
        base: &Expr,
        index: &Expr,
    ) -> Flow<Option<(GlobalTree, String)>> {
        let Some((tree, name)) = self.global_part(base)? else {
            return Ok(None);
        };
        if !matches!(tree, Tree::Array(_)) {
            return Ok(None);
        }
        let value = self.expr(index, None)?;
        let part = match self.value_as_size(&value, index.span, "an index") {
            Some(position) => self.element(&tree, position, index.span),
            None => None,
        };
        Ok(Some((part.unwrap_or_else(poison), name)))
    }

    fn global(&mut self, member: &Member) -> (GlobalTree, String) {
        let name = match member {
            Member::Named(name) => name.name.clone(),
            Member::Index(index, _) => index.to_string(),
        };
        if let Some(tree) = self.globals.get(&name) {
            return (tree.clone(), name);
        }
        let message = format!("the program has no global `{name}`");
        let diagnostic = Diagnostic::new(Code::UnknownName, member_span(member), message);
        let ast = self.ast;
        let mut procedures = ast.procedures.iter();
        let procedure = procedures.any(|procedure| procedure.name.name == name);
        let similar = nearest(&name, self.globals.names()).map(str::to_owned);
        self.report(match similar {
            _ if procedure => diagnostic.help(format!(
                "there is a procedure of that name: `self.{name}()`"
            )),
            Some(similar) => diagnostic.help(format!(
                "there is a global with a similar name: `{similar}`"
            )),
            None => diagnostic,
        });
        (poison(), name)
    }
}

fn poison() -> GlobalTree {
    Tree::Leaf(GlobalLeaf {
        id: None,
        ty: TypeLeaf::Poison,
        immutable: false,
        uninitialized: false,
    })
}

/// Whether an expression is the program.
pub(crate) fn is_self(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Path(path) => path.as_ident().is_some_and(|name| name.name == "self"),
        ExprKind::Reference(inner) => is_self(inner),
        _ => false,
    }
}

/// The part of a value after some steps, which exist.
pub(crate) fn part_mut<'v>(value: &'v mut Value, steps: &[Step]) -> Option<&'v mut Value> {
    let Some((step, rest)) = steps.split_first() else {
        return Some(value);
    };
    let part = match (value, step) {
        (value @ Tree::Struct(..), Step::Member(Member::Named(name))) => {
            value.field_mut(&name.name)?
        }
        (Tree::Tuple(items), Step::Member(Member::Index(index, _))) => items.get_mut(*index)?,
        (Tree::Array(items), Step::Element(index, _)) => items.get_mut(*index)?,
        _ => return None,
    };
    part_mut(part, rest)
}
