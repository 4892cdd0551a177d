//! What an expression names: a variable, a global, or a part of either.
//!
//! An index may do more than give a place, so each is traced once, before anything is read.

use super::{
    expr::member_span,
    frame::Flow,
    globals::{GlobalLeaf, GlobalTree},
    index::Part,
    tracer::Tracer,
    tree::Tree,
    types::{Type, TypeLeaf},
    value::{Tensor, Value, ValueLeaf},
};
use crate::{
    ast::{Expr, ExprKind, Ident, Member},
    diagnostic::{Code, Diagnostic, nearest},
    span::SpanId,
};
use iree_abi::TensorType;

/// A place, or a part of the tensor in it.
pub(crate) struct Place {
    /// What holds it.
    pub(crate) owner: Owner,
    /// The part of the tensor there; `None` if the place is meant as a whole.
    pub(crate) part: Option<Part>,
    /// Where the place stands, without the indices of the part.
    pub(crate) span: SpanId,
    /// Where its last member or index stands.
    last: SpanId,
}

/// A part of a global or of a variable.
pub(crate) enum Owner {
    /// A part of a global, and the name of the global.
    Global(GlobalTree, String),
    /// A part of a variable.
    Variable(Variable),
}

/// A part of a variable.
pub(crate) struct Variable {
    /// The variable.
    pub(crate) name: String,
    /// Where its name stands.
    pub(crate) span: SpanId,
    /// The way from the variable to the part.
    pub(crate) steps: Vec<Step>,
    /// What the part was when its place was found; `None` before `let x;` is assigned.
    pub(crate) found: Option<Value>,
}

/// A step into a tree.
pub(crate) enum Step {
    /// To a member.
    Member(Member),
    /// To an element of an array.
    Element(usize),
}

/// What an index takes a part of.
enum Indexed {
    Tensor(TensorType),
    Array,
    Other(Type),
}

impl Indexed {
    fn of<L>(tree: &Tree<L>, ty: impl FnOnce(&Tree<L>) -> Type) -> Self {
        match tree {
            Tree::Array(_) => Self::Array,
            tree => match ty(tree) {
                Type::Leaf(TypeLeaf::Tensor(ty)) => Self::Tensor(ty),
                ty => Self::Other(ty),
            },
        }
    }
}

impl Place {
    const fn new(owner: Owner, last: SpanId) -> Self {
        Self {
            owner,
            part: None,
            span: last,
            last,
        }
    }

    /// The same as an expression that stands there names it.
    fn named_by(self, expr: &Expr) -> Self {
        match self.part {
            Some(_) => self,
            None => Self {
                span: expr.span,
                ..self
            },
        }
    }
}

impl Variable {
    /// What a step leads to, where this value was found.
    fn after(mut self, step: Step, found: Value) -> Self {
        self.steps.push(step);
        Self {
            found: Some(found),
            ..self
        }
    }
}

impl Tracer<'_> {
    /// Whether an expression is a variable with a value or a global, or a part of one.
    pub(crate) fn names_place(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Reference(base) | ExprKind::Index(base, _) => self.names_place(base),
            ExprKind::Field(base, _) => self.is_program(base) || self.names_place(base),
            ExprKind::Path(path) => path.as_ident().is_some_and(|name| {
                let binding = self.frame.scopes.get(&name.name);
                binding.is_some_and(|binding| binding.value.is_some())
            }),
            _ => false,
        }
    }

    fn is_program(&self, expr: &Expr) -> bool {
        expr.is_self() && self.frame.receiver.is_some()
    }

    /// The place that an expression is; `None` if it was reported that it is none.
    pub(crate) fn place(&mut self, expr: &Expr) -> Flow<Option<Place>> {
        let place = match &expr.kind {
            ExprKind::Reference(inner) => self.place(inner)?,
            ExprKind::Field(base, member) if self.is_program(base) => {
                let (tree, name) = self.global(member);
                Some(Place::new(Owner::Global(tree, name), member_span(member)))
            }
            ExprKind::Field(base, member) => {
                let base = self.place(base)?;
                base.and_then(|base| self.member_of(base, member))
            }
            ExprKind::Index(base, index) => match self.place(base)? {
                Some(base) => self.part_of(base, index)?,
                None => None,
            },
            ExprKind::Path(path) => match path.as_ident() {
                Some(name) => self.variable(name),
                None => self.no_place(expr.span),
            },
            ExprKind::Error => None,
            _ => self.no_place(expr.span),
        };
        Ok(place.map(|place| place.named_by(expr)))
    }

    fn no_place<T>(&mut self, span: SpanId) -> Option<T> {
        let diagnostic = Diagnostic::new(Code::Assignment, span, "this cannot be assigned to");
        self.report(diagnostic.help("assign to a variable, a global, or a field of one"));
        None
    }

    fn variable(&mut self, ident: &Ident) -> Option<Place> {
        let (name, span) = (ident.name.clone(), ident.span);
        let Some(binding) = self.frame.scopes.get(&name) else {
            self.no_variable(&name, span);
            return None;
        };
        let variable = Variable {
            found: binding.value.clone(),
            name,
            span,
            steps: Vec::new(),
        };
        Some(Place::new(Owner::Variable(variable), span))
    }

    /// A member of what stands at a place.
    fn member_of(&mut self, place: Place, member: &Member) -> Option<Place> {
        if let Some(part) = &place.part {
            self.member(&part.ty(), member, Type::clone);
            return None;
        }
        let owner = match place.owner {
            Owner::Global(tree, name) => {
                let part = self.member(&tree, member, global_type);
                Owner::Global(part.unwrap_or_else(poison), name)
            }
            Owner::Variable(variable) => {
                let value = self.value_before(&variable)?;
                let value = self.member(value, member, Value::ty)?;
                Owner::Variable(variable.after(Step::Member(member.clone()), value))
            }
        };
        Some(Place::new(owner, member_span(member)))
    }

    /// What an index takes of what stands at a place.
    fn part_of(&mut self, place: Place, index: &Expr) -> Flow<Option<Place>> {
        let whole = match (&place.part, &place.owner) {
            (Some(part), _) => Indexed::Tensor(part.ty.clone()),
            (None, Owner::Global(tree, _)) => Indexed::of(tree, global_type),
            (None, Owner::Variable(variable)) => match self.value_before(variable) {
                Some(value) => Indexed::of(value, Value::ty),
                None => return Ok(None),
            },
        };
        Ok(match whole {
            Indexed::Tensor(ty) => {
                let part = self.narrowed(place.part, ty, index)?;
                part.map(|part| Place {
                    part: Some(part),
                    ..place
                })
            }
            Indexed::Array if self.refuse_range_of_items(index) => None,
            Indexed::Array => {
                let position = self.expr(index, None)?;
                let position = self.value_as_size(&position, index.span, "an index");
                position.and_then(|position| self.element_of(place.owner, position, index.span))
            }
            Indexed::Other(ty) => {
                self.not_indexed(&ty, place.span);
                None
            }
        })
    }

    /// An element of the array that stands at a place.
    fn element_of(&mut self, owner: Owner, position: usize, span: SpanId) -> Option<Place> {
        let owner = match owner {
            Owner::Global(tree, name) => Owner::Global(self.element(&tree, position, span)?, name),
            Owner::Variable(variable) => {
                let value = self.element(variable.found.as_ref()?, position, span)?;
                Owner::Variable(variable.after(Step::Element(position), value))
            }
        };
        Some(Place::new(owner, span))
    }

    /// What stands at a variable of which a part is meant; `None` if it was reported that there is nothing.
    fn value_before<'v>(&mut self, variable: &'v Variable) -> Option<&'v Value> {
        let value = variable.found.as_ref();
        if value.is_none() {
            let name = &variable.name;
            let message = format!("a part of `{name}` is assigned before it has a value");
            self.error(Code::Assignment, variable.span, message);
        }
        value
    }

    /// The value of what stands at a place now.
    pub(crate) fn value_at(&mut self, place: &Place) -> Value {
        let value = self.whole_at(place);
        let Some(part) = &place.part else {
            return value;
        };
        let tensor = self.tensor_around(part, value, place.span);
        let taken = tensor.and_then(|tensor| self.read_indices(tensor, part));
        taken.map_or(Value::POISON, Value::from)
    }

    /// The same without its part.
    pub(crate) fn whole_at(&mut self, place: &Place) -> Value {
        let variable = match &place.owner {
            Owner::Global(tree, name) => return self.load(tree, name, place.last),
            Owner::Variable(variable) => variable,
        };
        let Variable { name, span, .. } = variable;
        let binding = self.frame.scopes.get(name);
        let Some(value) = binding.and_then(|binding| binding.value.as_ref()) else {
            let message = format!("`{name}` is used before it has a value");
            return self.error(Code::Assignment, *span, message);
        };
        match part_at(value, &variable.steps).cloned() {
            Some(part) => part,
            None => self.index_changes(place.span),
        }
    }

    /// A value as the tensor that a part is taken of; `None` if it was reported that it is not any more.
    pub(crate) fn tensor_around(
        &mut self,
        part: &Part,
        value: Value,
        span: SpanId,
    ) -> Option<Tensor> {
        match value {
            Value::Leaf(ValueLeaf::Tensor(tensor)) if tensor.ty == part.whole => Some(tensor),
            value => {
                if !value.is_poisoned() {
                    self.index_changes(span);
                }
                None
            }
        }
    }

    fn index_changes(&mut self, span: SpanId) -> Value {
        let message = "an index must not change the type of what it is an index of";
        self.error(Code::TypeMismatch, span, message)
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

pub(super) fn global_type(tree: &GlobalTree) -> Type {
    tree.map(&mut |leaf| leaf.ty.clone())
}

/// The part of a value after some steps.
fn part_at<'v>(value: &'v Value, steps: &[Step]) -> Option<&'v Value> {
    steps.iter().try_fold(value, |value, step| match step {
        Step::Member(Member::Named(name)) => value.field(&name.name),
        Step::Member(Member::Index(index, _)) => match value {
            Tree::Tuple(items) => items.get(*index),
            _ => None,
        },
        Step::Element(index) => match value {
            Tree::Array(items) => items.get(*index),
            _ => None,
        },
    })
}

/// The part of a value after some steps.
pub(crate) fn part_mut<'v>(value: &'v mut Value, steps: &[Step]) -> Option<&'v mut Value> {
    let Some((step, rest)) = steps.split_first() else {
        return Some(value);
    };
    let part = match (value, step) {
        (value @ Tree::Struct(..), Step::Member(Member::Named(name))) => {
            value.field_mut(&name.name)?
        }
        (Tree::Tuple(items), Step::Member(Member::Index(index, _))) => items.get_mut(*index)?,
        (Tree::Array(items), Step::Element(index)) => items.get_mut(*index)?,
        _ => return None,
    };
    part_mut(part, rest)
}
