//! Variables and results that nothing reads.

use super::{
    Block, Body, Expr, ExprKind, Function, GenericArgument, Ident, Pattern, PatternKind, Statement,
    Type, TypeKind,
};
use crate::span::SpanId;

impl Function {
    /// The variables that `let` declares and nothing names after that, but for those whose names begin with `_`.
    ///
    /// A variable of an inner block that has the same name counts as one that is named.
    pub fn unused_variables(&self) -> Vec<Ident> {
        let mut unused = Vec::new();
        self.each_block(|block| block.add_unused(&mut unused));
        unused
    }

    /// The statements that are a method or an operator, and do nothing but compute.
    pub fn unused_results(&self) -> Vec<SpanId> {
        let mut unused = Vec::new();
        self.each_block(|block| {
            let statements = block.statements.iter();
            let computed = statements.filter_map(|statement| match statement {
                Statement::Expr(expr) if expr.is_only_computed() => Some(expr.span),
                _ => None,
            });
            unused.extend(computed);
        });
        unused
    }

    fn each_block(&self, mut visit: impl FnMut(&Block)) {
        if let Body::Block(block) = &self.body {
            visit(block);
            block.any(&mut |expr| {
                expr.blocks().for_each(&mut visit);
                None
            });
        }
    }
}

impl Block {
    /// Adds those that its own statements declare.
    fn add_unused(&self, unused: &mut Vec<Ident>) {
        let mut after = self.statements.as_slice();
        while let Some((statement, rest)) = after.split_first() {
            after = rest;
            if let Statement::Let { pattern, .. } = statement {
                let mut names = Vec::new();
                pattern.add_variables(&mut names);
                let names = names.into_iter().filter(|name| !name.name.starts_with('_'));
                unused.extend(
                    names
                        .filter(|name| !self.names_in(rest, &name.name))
                        .cloned(),
                );
            }
        }
    }

    /// Whether statements of this block, which are its last, or its value name something.
    fn names_in(&self, statements: &[Statement], name: &str) -> bool {
        let mut statements = statements.iter();
        statements.any(|statement| match statement {
            Statement::Let { ty, value, .. } => {
                let in_type = ty.as_ref().is_some_and(|ty| ty.names(name));
                in_type || value.as_ref().is_some_and(|value| value.names(name))
            }
            Statement::Expr(expr) => expr.names(name),
            Statement::Const(_) => false,
        }) || self.value.as_ref().is_some_and(|value| value.names(name))
    }
}

impl Pattern {
    /// Adds the variables; those of the fields of a tree are there to name the fields.
    fn add_variables<'p>(&'p self, names: &mut Vec<&'p Ident>) {
        match &self.kind {
            PatternKind::Ident { name, .. } => names.push(name),
            PatternKind::Tuple(items) | PatternKind::Array(items) => {
                items.iter().for_each(|item| item.add_variables(names));
            }
            PatternKind::Struct { .. } | PatternKind::Wildcard | PatternKind::Error => {}
        }
    }
}

impl Expr {
    /// The blocks that it consists of.
    fn blocks(&self) -> impl Iterator<Item = &Block> {
        match &self.kind {
            ExprKind::Block(block)
            | ExprKind::Loop(block)
            | ExprKind::While(_, block)
            | ExprKind::For { body: block, .. }
            | ExprKind::If { then: block, .. } => Some(block),
            _ => None,
        }
        .into_iter()
    }

    /// Whether it is an operation, and nothing in it does more than compute.
    fn is_only_computed(&self) -> bool {
        let is_operation = match &self.kind {
            ExprKind::MethodCall { receiver, .. } => !receiver.is_self(),
            ExprKind::Unary(..) | ExprKind::Binary { .. } | ExprKind::Cast(..) => true,
            _ => false,
        };
        is_operation && !self.any(&mut |expr| expr.may_do_more().then_some(true))
    }

    /// Whether it may assign, leave what it is in, or check something.
    fn may_do_more(&self) -> bool {
        match &self.kind {
            // The method that takes a kernel applies it.
            ExprKind::MethodCall {
                receiver, method, ..
            } => receiver.is_self() || method.name == "reduce",
            ExprKind::Call { .. } | ExprKind::Macro { .. } | ExprKind::Assign { .. } => true,
            ExprKind::Break { .. } | ExprKind::Continue(_) | ExprKind::Return(_) => true,
            _ => false,
        }
    }

    /// Whether it names something, in its types too.
    fn names(&self, name: &str) -> bool {
        self.any(&mut |expr| {
            let named = match &expr.kind {
                ExprKind::Path(path) => {
                    let is_name = path.as_ident().is_some_and(|ident| ident.name == name);
                    is_name || path.arguments().any(|argument| argument.names(name))
                }
                ExprKind::MethodCall { generics, .. } => {
                    generics.iter().any(|argument| argument.names(name))
                }
                ExprKind::Cast(_, ty) => ty.names(name),
                ExprKind::Closure(closure) => {
                    let mut types = closure.parameters.iter().filter_map(|(_, ty)| ty.as_ref());
                    types.any(|ty| ty.names(name))
                }
                _ => false,
            };
            // What is inside is looked at too.
            named.then_some(true)
        })
    }
}

impl Type {
    fn names(&self, name: &str) -> bool {
        self.any(&mut |ty| match &ty.kind {
            TypeKind::Path(path) => {
                let is_name = path.as_ident().is_some_and(|ident| ident.name == name);
                let in_arguments = path.arguments().any(|argument| argument.names(name));
                (is_name || in_arguments).then_some(true)
            }
            TypeKind::Array(_, length) => length.names(name).then_some(true),
            _ => None,
        })
    }
}

impl GenericArgument {
    fn names(&self, name: &str) -> bool {
        match self {
            Self::Type(ty) => ty.names(name),
            Self::Const(value) => value.names(name),
            Self::Named(_, argument) => argument.names(name),
        }
    }
}
