use super::{statics::StaticType, tree::Tree};
use iree_abi::{DType, Extent, TensorType};
use std::{fmt, rc::Rc};

/// The type of a value.
pub(crate) type Type = Tree<TypeLeaf>;

/// A leaf of a [`Type`].
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TypeLeaf {
    /// A tensor.
    Tensor(TensorType),
    /// A number known while tracing.
    Static(StaticType),
    /// A string.
    Text,
    /// An element type where a value stands.
    Element,
    /// A range of integers.
    Range,
    /// A closure or a kernel, with what a parameter declares of it.
    Callable(Option<Rc<CallableType>>),
    /// A type of which nothing is known but where it stands: an item of a pattern, a tensor that is built later.
    Unknown,
    /// A type that was reported, which everything conforms to.
    Poison,
}

/// What a parameter declares of a closure or kernel: `impl Fn(A) -> B`.
#[derive(Debug, PartialEq)]
pub(crate) struct CallableType {
    /// The types of what it is applied to.
    pub(crate) parameters: Vec<Type>,
    /// The type of its result.
    pub(crate) result: Type,
}

impl fmt::Display for CallableType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parameters: Vec<_> = self.parameters.iter().map(Type::to_string).collect();
        write!(formatter, "impl Fn({})", parameters.join(", "))?;
        match self.result.is_unit() {
            true => Ok(()),
            false => write!(formatter, " -> {}", self.result),
        }
    }
}

impl Type {
    /// The type of something that was reported.
    pub(crate) const POISON: Self = Self::Leaf(TypeLeaf::Poison);

    /// Whether all of it is known.
    pub(crate) fn is_known(&self) -> bool {
        let leaves = self.leaves();
        leaves.iter().all(|(_, leaf)| **leaf != TypeLeaf::Unknown)
    }

    /// Whether something of it was reported.
    pub(crate) fn is_poisoned(&self) -> bool {
        let leaves = self.leaves();
        leaves.iter().any(|(_, leaf)| **leaf == TypeLeaf::Poison)
    }

    /// The types of the tensors in it.
    pub(crate) fn tensors(&self) -> Vec<TensorType> {
        let leaves = self.leaves().into_iter();
        let tensors = leaves.filter_map(|(_, leaf)| match leaf {
            TypeLeaf::Tensor(ty) => Some(ty.clone()),
            _ => None,
        });
        tensors.collect()
    }

    /// Whether every leaf is a tensor, so that the value can exist once the program runs.
    pub(crate) fn is_run_time(&self) -> bool {
        let leaves = self.leaves();
        leaves
            .iter()
            .all(|(_, leaf)| matches!(leaf, TypeLeaf::Tensor(_) | TypeLeaf::Poison))
    }

    /// The type of two values of which one is had; `None` if they have none in common. Literals take the other's.
    pub(crate) fn common(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Self::Leaf(TypeLeaf::Poison), other) => return Some(other.clone()),
            (ty, Self::Leaf(TypeLeaf::Poison)) => return Some(ty.clone()),
            (ty, other) if !ty.has_structure_of(other) => return None,
            _ => {}
        }
        let leaves = self.leaves().into_iter().zip(other.leaves());
        let leaves = leaves.map(|((_, leaf), (_, other))| leaf.common(other));
        let mut leaves = leaves.collect::<Option<Vec<_>>>()?.into_iter();
        Some(self.map(&mut |leaf| leaves.next().unwrap_or_else(|| leaf.clone())))
    }

    /// Whether a value of another type is one of this type, in which sizes may be left open.
    pub(crate) fn admits(&self, other: &Self) -> bool {
        if self.is_poisoned() || other.is_poisoned() {
            return true;
        }
        let leaves = self.leaves().into_iter().zip(other.leaves());
        let mut leaves = leaves.map(|((_, leaf), (_, other))| match (leaf, other) {
            (TypeLeaf::Tensor(ty), TypeLeaf::Tensor(other)) => ty.admits(other),
            (leaf, other) => leaf == other,
        });
        self.has_structure_of(other) && leaves.all(|admits| admits)
    }

    /// Whether something is left open about a shape.
    pub(crate) fn is_open(&self) -> bool {
        let leaves = self.leaves();
        leaves
            .iter()
            .any(|(_, leaf)| matches!(leaf, TypeLeaf::Tensor(ty) if ty.is_open()))
    }
}

impl TypeLeaf {
    fn common(&self, other: &Self) -> Option<Self> {
        let is_literal_of = |number: &StaticType, ty: &Self| match ty {
            Self::Tensor(ty) => number.becomes(ty),
            Self::Static(ty) => {
                let is_declared = !ty.is_weak() || *ty == StaticType::Real;
                number.is_weak() && is_declared && number.unify(*ty) == Some(*ty)
            }
            _ => false,
        };
        match (self, other) {
            (one, other) if one == other => Some(one.clone()),
            (Self::Poison | Self::Unknown, ty) | (ty, Self::Poison | Self::Unknown) => {
                Some(ty.clone())
            }
            (Self::Static(number), ty) | (ty, Self::Static(number))
                if is_literal_of(number, ty) =>
            {
                Some(ty.clone())
            }
            _ => None,
        }
    }
}

impl From<TensorType> for Type {
    fn from(ty: TensorType) -> Self {
        Self::Leaf(TypeLeaf::Tensor(ty))
    }
}

impl fmt::Display for Type {
    /// Writes the type as the language spells it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Leaf(TypeLeaf::Tensor(ty)) => write!(formatter, "{ty}"),
            Self::Leaf(TypeLeaf::Static(ty)) => write!(formatter, "{ty}"),
            Self::Leaf(TypeLeaf::Text) => formatter.write_str("&str"),
            Self::Leaf(TypeLeaf::Element) => formatter.write_str("an element type"),
            Self::Leaf(TypeLeaf::Range) => formatter.write_str("{range}"),
            Self::Leaf(TypeLeaf::Callable(Some(ty))) => write!(formatter, "{ty}"),
            Self::Leaf(TypeLeaf::Callable(None)) => formatter.write_str("{closure}"),
            Self::Leaf(TypeLeaf::Unknown | TypeLeaf::Poison) => formatter.write_str("_"),
            Self::Struct(name, _) => write!(formatter, "{name}"),
            Self::Tuple(items) => {
                formatter.write_str("(")?;
                for (index, item) in items.iter().enumerate() {
                    let separator = if index > 0 { ", " } else { "" };
                    write!(formatter, "{separator}{item}")?;
                }
                formatter.write_str(if items.len() == 1 { ",)" } else { ")" })
            }
            Self::Array(items) => match items.first() {
                Some(item) => write!(formatter, "[{item}; {}]", items.len()),
                None => formatter.write_str("[_; 0]"),
            },
        }
    }
}

/// What a generic parameter stands for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum GenericValue {
    /// A dimension or another `const` parameter.
    Dimension(Extent),
    /// Any number of dimensions.
    Dimensions(Vec<Extent>),
    /// An element type.
    Element(DType),
    /// A tree.
    Type(Type),
    /// Something that was reported.
    Poison,
}

impl fmt::Display for GenericValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dimension(size) => write!(formatter, "{size}"),
            Self::Dimensions(sizes) => {
                let sizes: Vec<_> = sizes.iter().map(Extent::to_string).collect();
                write!(formatter, "[{}]", sizes.join(", "))
            }
            Self::Element(dtype) => write!(formatter, "{dtype}"),
            Self::Type(ty) => write!(formatter, "{ty}"),
            Self::Poison => formatter.write_str("_"),
        }
    }
}
