use super::{
    closure::Callable,
    deferred::Deferred,
    statics::{Static, StaticType},
    tree::Tree,
    types::{Type, TypeLeaf},
    weak::Weak,
};
use iree_abi::{DType, Extent, TensorType};
use iree_dsl_ir::ValueId;
use std::rc::Rc;

/// What an expression stands for while tracing.
pub(crate) type Value = Tree<ValueLeaf>;

/// A leaf of a [`Value`].
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ValueLeaf {
    /// A tensor that exists once the program runs.
    Tensor(Tensor),
    /// A number known while tracing.
    Static(Static),
    /// A number that is known at the call only.
    Size(Extent),
    /// A string.
    Text(Rc<str>),
    /// An element type, as an option takes it.
    Element(DType),
    /// The integers from the first to before the last.
    Range(i128, i128),
    /// A closure or a kernel.
    Callable(Callable),
    /// The same for integers that the program computes.
    Iterations(Box<Iterations>),
    /// A tensor that is built once its type is known.
    Deferred(Rc<Deferred>),
    /// The value of something that was reported. Whatever reads it stays silent.
    Poison,
}

/// A range of integers that the program computes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Iterations {
    /// The first integer.
    pub(crate) start: Tensor,
    /// Where it ends.
    pub(crate) end: Tensor,
    /// Whether the end is one of the integers.
    pub(crate) inclusive: bool,
}

/// A value of the function that is being traced.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tensor {
    /// Its name in the function.
    pub(crate) id: ValueId,
    /// Its type.
    pub(crate) ty: TensorType,
    /// Whether it began as a literal, so that another may decide its element type.
    pub(crate) weak: Option<Weak>,
}

impl Tensor {
    /// Its dimensions.
    pub(crate) fn extents(&self) -> Vec<Extent> {
        self.ty.shape.extents().unwrap_or_default()
    }
}

impl Value {
    /// The value of something that was reported.
    pub(crate) const POISON: Self = Self::Leaf(ValueLeaf::Poison);

    /// A mistake in the structure of a type, for what must keep it.
    pub(crate) fn poison_of(ty: &Type) -> Self {
        ty.map(&mut |_| ValueLeaf::Poison)
    }

    /// Whether there is a mistake in it.
    pub(crate) fn is_poisoned(&self) -> bool {
        let leaves = self.leaves();
        leaves.iter().any(|(_, leaf)| **leaf == ValueLeaf::Poison)
    }

    /// The tensors in it.
    pub(crate) fn tensors(&self) -> Vec<Tensor> {
        let leaves = self.leaves().into_iter();
        let tensors = leaves.filter_map(|(_, leaf)| match leaf {
            ValueLeaf::Tensor(tensor) => Some(tensor.clone()),
            _ => None,
        });
        tensors.collect()
    }

    /// Its type.
    pub(crate) fn ty(&self) -> Type {
        self.map(&mut |leaf| match leaf {
            ValueLeaf::Tensor(tensor) => TypeLeaf::Tensor(tensor.ty.clone()),
            ValueLeaf::Static(number) => TypeLeaf::Static(number.ty),
            ValueLeaf::Size(_) => TypeLeaf::Static(StaticType::Usize),
            ValueLeaf::Text(_) => TypeLeaf::Text,
            ValueLeaf::Element(_) => TypeLeaf::Element,
            ValueLeaf::Callable(_) => TypeLeaf::Callable(None),
            ValueLeaf::Range(..) | ValueLeaf::Iterations(..) => TypeLeaf::Range,
            ValueLeaf::Deferred(_) => TypeLeaf::Unknown,
            ValueLeaf::Poison => TypeLeaf::Poison,
        })
    }
}

impl From<Tensor> for Value {
    fn from(tensor: Tensor) -> Self {
        Self::Leaf(ValueLeaf::Tensor(tensor))
    }
}

impl From<Static> for Value {
    fn from(number: Static) -> Self {
        Self::Leaf(ValueLeaf::Static(number))
    }
}
