//! Tuples, arrays and trees: building them and taking them apart.

use super::super::{
    frame::Flow,
    operation,
    tracer::Tracer,
    tree::Tree,
    types::{Type, TypeLeaf},
    value::{Value, ValueLeaf},
};
use crate::{
    ast::{self, Expr, FieldValue, Member, Path},
    diagnostic::{Code, Diagnostic, nearest},
    span::SpanId,
};
use std::rc::Rc;

impl<'a> Tracer<'a> {
    /// `(a, b)`.
    pub(super) fn tuple(&mut self, items: &[Expr], expected: Option<&Type>) -> Flow {
        let types = match expected {
            Some(Tree::Tuple(types)) => types.as_slice(),
            _ => &[],
        };
        let mut values = Vec::new();
        for (position, item) in items.iter().enumerate() {
            values.push(self.expr(item, types.get(position))?);
        }
        Ok(Tree::Tuple(values))
    }

    /// `[a, b]`.
    pub(super) fn array(&mut self, items: &[Expr], expected: Option<&Type>) -> Flow {
        let ty = item_type(expected);
        let mut values = Vec::new();
        for item in items {
            values.push(self.expr(item, ty)?);
        }
        Ok(Tree::Array(values))
    }

    /// `[value; count]`.
    pub(super) fn repeated(&mut self, value: &Expr, count: &Expr, expected: Option<&Type>) -> Flow {
        let value = self.expr(value, item_type(expected))?;
        match self.array_length(count) {
            Some(count) => Ok(Tree::Array(vec![value; count])),
            None => Ok(Value::POISON),
        }
    }

    /// `Params { x: a, b, ..base }`.
    pub(super) fn struct_literal(
        &mut self,
        path: &Path,
        fields: &[FieldValue],
        base: Option<&Expr>,
        expected: Option<&Type>,
    ) -> Flow {
        let base = match base {
            Some(base) => Some((self.expr(base, expected)?, base.span)),
            None => None,
        };
        let Some((tree, ty)) = self.literal_tree(path, expected, base.as_ref()) else {
            for field in fields {
                self.expr(&field.value, None)?;
            }
            return Ok(Value::POISON);
        };
        let given = self.given_fields(tree, fields, ty.as_ref())?;
        self.check_fields(tree, &given, base.is_some(), path.span);
        match self.assemble(tree, ty, given, base, path.span) {
            Some(value) => Ok(value),
            None => Ok(Value::POISON),
        }
    }

    /// The struct that a literal names, and its type where generic arguments are known: those written,
    /// those of the expected type, or none.
    fn literal_tree(
        &mut self,
        path: &Path,
        expected: Option<&Type>,
        base: Option<&(Value, SpanId)>,
    ) -> Option<(&'a ast::TreeStruct, Option<Type>)> {
        let ast = self.ast;
        let segment = path.last()?;
        let name = segment.name.name.as_str();
        let module = self.frame.module;
        let alias = ast.alias(module, name).is_some();
        let written = || ast::Type {
            kind: ast::TypeKind::Path(path.clone()),
            span: path.span,
        };
        if alias {
            let ty = self.resolve(&written());
            let Tree::Struct(name, _) = &ty else {
                return None;
            };
            let tree = ast.trees.iter().find(|tree| name.is(tree))?;
            return Some((tree, Some(ty)));
        }
        let Some(found) = ast.tree(module, name) else {
            self.resolve(&written());
            return None;
        };
        if found.generics.is_empty() || !segment.arguments.is_empty() {
            let ty = self.resolve(&written());
            return Some((found, Some(ty)));
        }
        let known = [expected.cloned(), base.map(|(value, _)| value.ty())];
        let mut known = known.into_iter().flatten();
        let ty = known.find(|ty| matches!(ty, Tree::Struct(known, _) if known.is(found)));
        Some((found, ty))
    }

    fn given_fields(
        &mut self,
        tree: &ast::TreeStruct,
        fields: &[FieldValue],
        ty: Option<&Type>,
    ) -> Flow<Vec<(String, Value)>> {
        let mut given: Vec<(String, Value)> = Vec::new();
        for field in fields {
            let name = field.name.name.as_str();
            let expected = ty.and_then(|ty| ty.field(name)).cloned();
            let value = self.expr(&field.value, expected.as_ref())?;
            if !tree.fields.iter().any(|known| known.name.name == name) {
                let names = tree.fields.iter().map(|field| field.name.name.as_str());
                self.unknown_field(&tree.name.name, name, names, field.name.span);
                continue;
            }
            if given.iter().any(|(other, _)| other == name) {
                let message = format!("the field `{name}` is given twice");
                self.error(Code::Duplicate, field.name.span, message);
                continue;
            }
            let value = match &expected {
                Some(ty) => {
                    let place = format!("the field `{name}` of `{}`", tree.name.name);
                    self.conform(value, ty, field.value.span, &place)
                }
                None => value,
            };
            given.push((name.to_owned(), value));
        }
        Ok(given)
    }

    fn check_fields(
        &mut self,
        tree: &ast::TreeStruct,
        given: &[(String, Value)],
        has_base: bool,
        span: SpanId,
    ) {
        let names = tree.fields.iter().map(|field| field.name.name.as_str());
        let missing: Vec<_> = names
            .filter(|name| !given.iter().any(|(given, _)| given == name))
            .map(|name| format!("`{name}`"))
            .collect();
        if !missing.is_empty() && !has_base {
            let message = format!("`{}` lacks {}", tree.name.name, missing.join(", "));
            let help = "give it a value, or take the rest from another one with `..other`";
            self.report(Diagnostic::new(Code::Field, span, message).help(help));
        }
    }

    fn assemble(
        &mut self,
        tree: &ast::TreeStruct,
        ty: Option<Type>,
        given: Vec<(String, Value)>,
        base: Option<(Value, SpanId)>,
        span: SpanId,
    ) -> Option<Value> {
        let base = match (base, &ty) {
            (Some((base, span)), Some(ty)) => Some(self.conform(base, ty, span, "the base")),
            (base, _) => base.map(|(base, _)| base),
        };
        let fields: Option<Vec<(Rc<str>, Value)>> = tree
            .fields
            .iter()
            .map(|field| {
                let name = field.name.name.as_str();
                let mut given = given.iter();
                let value = given.find(|(given, _)| given == name);
                let value = value.map(|(_, value)| value.clone());
                let value = value.or_else(|| base.as_ref()?.field(name).cloned())?;
                Some((Rc::from(name), value))
            })
            .collect();
        let fields = fields?;
        match ty {
            Some(Tree::Struct(name, _)) => Some(Tree::Struct(name, fields)),
            Some(_) => None,
            None => self.infer_tree(tree, fields, span),
        }
    }

    /// A literal of a generic tree whose arguments follow from its fields.
    fn infer_tree(
        &mut self,
        tree: &ast::TreeStruct,
        fields: Vec<(Rc<str>, Value)>,
        span: SpanId,
    ) -> Option<Value> {
        if fields.iter().any(|(_, value)| value.is_poisoned()) {
            return None;
        }
        let ty = self.infer_tree_type(tree, &fields, span)?;
        let value = match ty {
            Tree::Struct(ref name, _) => Tree::Struct(name.clone(), fields),
            _ => return None,
        };
        let place = format!("a field of `{}`", tree.name.name);
        Some(self.conform(value, &ty, span, &place))
    }

    /// `x.field`, `x.0`.
    pub(super) fn field(&mut self, base: &Expr, member: &Member) -> Flow {
        let value = self.expr(base, None)?;
        if let Value::Leaf(ValueLeaf::Poison) = value {
            return Ok(Value::POISON);
        }
        let found = self.member(&value, member, Value::ty);
        Ok(found.unwrap_or(Value::POISON))
    }

    /// The subtree at a member.
    pub(crate) fn member<L: Clone>(
        &mut self,
        tree: &Tree<L>,
        member: &Member,
        ty: impl FnOnce(&Tree<L>) -> Type,
    ) -> Option<Tree<L>> {
        match (tree, member) {
            (Tree::Struct(owner, fields), Member::Named(name)) => {
                let found = tree.field(&name.name).cloned();
                if found.is_none() {
                    let names = fields.iter().map(|(name, _)| &**name);
                    self.unknown_field(&owner.to_string(), &name.name, names, name.span);
                }
                found
            }
            (Tree::Tuple(items), Member::Index(index, span)) => {
                let found = items.get(*index).cloned();
                if found.is_none() {
                    let count = super::super::resolve::count(items.len(), "element");
                    let message = format!("there is no element {index} in a tuple with {count}");
                    self.error(Code::Field, *span, message);
                }
                found
            }
            (tree, member) => {
                let ty = ty(tree);
                if !matches!(ty, Type::Leaf(TypeLeaf::Poison)) {
                    let what = match member {
                        Member::Named(name) => format!("field `{}`", name.name),
                        Member::Index(index, _) => format!("element `{index}`"),
                    };
                    let message = format!("`{ty}` has no {what}");
                    let diagnostic = Diagnostic::new(Code::Field, member_span(member), message);
                    self.report(match (&ty, member) {
                        (Type::Array(_), Member::Index(index, _)) => {
                            diagnostic.help(format!("arrays are indexed: `[{index}]`"))
                        }
                        (Type::Leaf(TypeLeaf::Tensor(_)), Member::Named(name)) => {
                            let method = operation::in_other_form(&name.name, None);
                            let meant =
                                method.or_else(|| operation::operation_elsewhere(&name.name));
                            diagnostic.help_if(meant)
                        }
                        _ => diagnostic,
                    });
                }
                None
            }
        }
    }

    /// The element of an array.
    pub(crate) fn element<L: Clone>(
        &mut self,
        tree: &Tree<L>,
        index: usize,
        span: SpanId,
    ) -> Option<Tree<L>> {
        let Tree::Array(items) = tree else {
            self.error(Code::Index, span, "only arrays and tensors are indexed");
            return None;
        };
        let found = items.get(index).cloned();
        if found.is_none() {
            let count = super::super::resolve::count(items.len(), "element");
            let message = format!("there is no index {index} in an array with {count}");
            self.error(Code::Index, span, message);
        }
        found
    }

    /// `x[i]`.
    pub(super) fn index(&mut self, base: &Expr, index: &Expr) -> Flow {
        let value = self.expr(base, None)?;
        self.part(&value, index, base.span)
    }

    /// A part of a value.
    pub(super) fn part(&mut self, value: &Value, index: &Expr, span: SpanId) -> Flow {
        match value {
            Value::Leaf(ValueLeaf::Tensor(tensor)) => {
                let part = match self.selectors(&tensor.ty.shape, index)? {
                    Some(selectors) => self.read_part(tensor.clone(), &selectors, index.span),
                    None => None,
                };
                Ok(part.map_or(Value::POISON, Value::from))
            }
            Value::Array(_) if self.refuse_range_of_items(index) => Ok(Value::POISON),
            Value::Array(_) => {
                let position = self.expr(index, None)?;
                let Some(position) = self.value_as_size(&position, index.span, "an index") else {
                    return Ok(Value::POISON);
                };
                let found = self.element(value, position, index.span);
                Ok(found.unwrap_or(Value::POISON))
            }
            other => {
                self.not_indexed(&other.ty(), span);
                Ok(Value::POISON)
            }
        }
    }

    /// Reports what has no parts by index.
    pub(crate) fn not_indexed(&mut self, ty: &Type, span: SpanId) {
        match ty {
            Type::Leaf(TypeLeaf::Poison) => return,
            Type::Leaf(TypeLeaf::Unknown) => {
                let message = "what is indexed has no shape yet";
                let help =
                    "write its type where it begins, as in `let x: Tensor<f32, 10> = zeros();`";
                self.report(Diagnostic::new(Code::CannotInfer, span, message).help(help));
                return;
            }
            _ => {}
        }
        let message = format!("`{ty}` cannot be indexed");
        let diagnostic = Diagnostic::new(Code::Index, span, message);
        self.report(match ty {
            Type::Tuple(_) => diagnostic.help("tuples are taken apart with `.0`"),
            Type::Struct(..) => diagnostic.help("name a field"),
            _ => diagnostic,
        });
    }

    /// Reports a field that a tree does not have.
    pub(crate) fn unknown_field<'n>(
        &mut self,
        owner: &str,
        name: &str,
        known: impl Iterator<Item = &'n str>,
        span: SpanId,
    ) {
        let message = format!("`{owner}` has no field `{name}`");
        let known: Vec<&str> = known.into_iter().collect();
        let help = match nearest(name, known.iter().copied()) {
            Some(similar) => format!("there is a field with a similar name: `{similar}`"),
            None => format!("it has `{}`", known.join("`, `")),
        };
        let diagnostic = Diagnostic::new(Code::Field, span, message);
        self.report(if known.is_empty() {
            diagnostic
        } else {
            diagnostic.help(help)
        });
    }
}

fn item_type(expected: Option<&Type>) -> Option<&Type> {
    match expected {
        Some(Tree::Array(types)) => types.first(),
        _ => None,
    }
}

pub(crate) fn member_span(member: &Member) -> SpanId {
    match member {
        Member::Named(name) => name.span,
        Member::Index(_, span) => *span,
    }
}
