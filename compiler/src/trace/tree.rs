use super::generics::Generics;
use crate::ast::{ModuleId, TreeStruct};
use std::{fmt, rc::Rc};

/// Tensors, or whatever stands for them, in structs, tuples and arrays nested at will. Types, values and
/// globals all have this form, which is why one traversal serves them all.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Tree<L> {
    /// The end of a path.
    Leaf(L),
    /// The fields of a struct in the order of its declaration.
    Struct(Rc<TreeName>, Vec<(Rc<str>, Tree<L>)>),
    /// The elements of a tuple; the unit has none.
    Tuple(Vec<Tree<L>>),
    /// The elements of an array.
    Array(Vec<Tree<L>>),
}

/// Which struct a tree is, with its generic arguments: trees are equal if these are.
#[derive(Clone, Debug)]
pub(crate) struct TreeName {
    /// The name of the struct.
    pub(crate) name: String,
    /// The module that it is in.
    pub(crate) module: ModuleId,
    /// Its generic arguments as text, `<784, 10>`; empty without.
    pub(crate) arguments: String,
    /// The same as values, for those that no field tells.
    pub(crate) generics: Generics,
}

impl PartialEq for TreeName {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, self.module, &self.arguments) == (&other.name, other.module, &other.arguments)
    }
}

impl TreeName {
    /// Whether this is the struct, with whatever generic arguments.
    pub(crate) fn is(&self, tree: &TreeStruct) -> bool {
        self.module == tree.module && self.name == tree.name.name
    }
}

impl fmt::Display for TreeName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}", self.name, self.arguments)
    }
}

impl<L> Tree<L> {
    /// The empty tuple.
    pub(crate) const fn unit() -> Self {
        Self::Tuple(Vec::new())
    }

    /// Whether this is the empty tuple.
    pub(crate) fn is_unit(&self) -> bool {
        matches!(self, Self::Tuple(items) if items.is_empty())
    }

    /// The same structure with other leaves.
    pub(crate) fn map<M>(&self, leaf: &mut impl FnMut(&L) -> M) -> Tree<M> {
        match self {
            Self::Leaf(value) => Tree::Leaf(leaf(value)),
            Self::Struct(name, fields) => {
                let fields = fields.iter();
                let fields = fields.map(|(name, tree)| (name.clone(), tree.map(leaf)));
                Tree::Struct(name.clone(), fields.collect())
            }
            Self::Tuple(items) => Tree::Tuple(items.iter().map(|item| item.map(leaf)).collect()),
            Self::Array(items) => Tree::Array(items.iter().map(|item| item.map(leaf)).collect()),
        }
    }

    /// The same structure with other leaves, made from each leaf and the path that leads to it.
    pub(crate) fn map_with_path<M>(&self, leaf: &mut impl FnMut(&str, &L) -> M) -> Tree<M> {
        let mut paths = self.leaves().into_iter();
        self.map(&mut |value| {
            let path = paths.next().map(|(path, _)| path).unwrap_or_default();
            leaf(&path, value)
        })
    }

    /// Every leaf with the path of fields and indices that leads to it: `layers.0.w`.
    pub(crate) fn leaves(&self) -> Vec<(String, &L)> {
        let mut leaves = Vec::new();
        self.collect("", &mut leaves);
        leaves
    }

    fn collect<'a>(&'a self, path: &str, leaves: &mut Vec<(String, &'a L)>) {
        let join = |part: &dyn fmt::Display| match path {
            "" => part.to_string(),
            _ => format!("{path}.{part}"),
        };
        match self {
            Self::Leaf(value) => leaves.push((path.to_owned(), value)),
            Self::Struct(_, fields) => {
                for (name, tree) in fields {
                    tree.collect(&join(name), leaves);
                }
            }
            Self::Tuple(items) | Self::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    item.collect(&join(&index), leaves);
                }
            }
        }
    }

    /// Whether both have leaves at the same paths.
    pub(crate) fn has_structure_of<M>(&self, other: &Tree<M>) -> bool {
        let all = |mine: &[Self], others: &[Tree<M>]| {
            let mut pairs = mine.iter().zip(others);
            mine.len() == others.len() && pairs.all(|(mine, other)| mine.has_structure_of(other))
        };
        match (self, other) {
            (Self::Leaf(_), Tree::Leaf(_)) => true,
            (Self::Struct(mine, fields), Tree::Struct(other, others)) => {
                let mut pairs = fields.iter().zip(others);
                mine == other && pairs.all(|((_, mine), (_, other))| mine.has_structure_of(other))
            }
            (Self::Tuple(mine), Tree::Tuple(others)) | (Self::Array(mine), Tree::Array(others)) => {
                all(mine, others)
            }
            _ => false,
        }
    }

    /// Every leaf, to be changed.
    pub(crate) fn leaves_mut(&mut self) -> Vec<&mut L> {
        match self {
            Self::Leaf(value) => vec![value],
            Self::Struct(_, fields) => {
                let fields = fields.iter_mut();
                fields.flat_map(|(_, tree)| tree.leaves_mut()).collect()
            }
            Self::Tuple(items) | Self::Array(items) => {
                items.iter_mut().flat_map(Self::leaves_mut).collect()
            }
        }
    }

    /// The leaf at a position among all.
    pub(crate) fn leaf(&self, position: usize) -> Option<&L> {
        self.leaf_after(&mut { position })
    }

    fn leaf_after(&self, skipped: &mut usize) -> Option<&L> {
        match self {
            Self::Leaf(value) => match skipped.checked_sub(1) {
                Some(rest) => {
                    *skipped = rest;
                    None
                }
                None => Some(value),
            },
            Self::Struct(_, fields) => fields.iter().find_map(|(_, tree)| tree.leaf_after(skipped)),
            Self::Tuple(items) | Self::Array(items) => {
                items.iter().find_map(|item| item.leaf_after(skipped))
            }
        }
    }

    /// The leaf at a position among all, to be changed.
    pub(crate) fn leaf_mut(&mut self, position: usize) -> Option<&mut L> {
        self.leaves_mut().into_iter().nth(position)
    }

    /// The subtree at a field of a struct.
    pub(crate) fn field(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Struct(_, fields) => {
                let mut fields = fields.iter();
                let found = fields.find(|(field, _)| &**field == name);
                found.map(|(_, tree)| tree)
            }
            _ => None,
        }
    }

    /// The subtree at a field of a struct.
    pub(crate) fn field_mut(&mut self, name: &str) -> Option<&mut Self> {
        match self {
            Self::Struct(_, fields) => {
                let mut fields = fields.iter_mut();
                let found = fields.find(|(field, _)| &**field == name);
                found.map(|(_, tree)| tree)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_are_named_by_their_path() {
        let name = TreeName {
            name: "Params".into(),
            module: ModuleId::ROOT,
            arguments: String::new(),
            generics: Generics::default(),
        };
        let layers = Tree::Array(vec![Tree::Leaf(1), Tree::Leaf(2)]);
        let tree = Tree::Struct(Rc::new(name), vec![("layers".into(), layers)]);
        let expected = [("layers.0".to_owned(), &1), ("layers.1".to_owned(), &2)];
        assert_eq!(tree.leaves(), expected);
        assert_eq!(tree.map(&mut |leaf| leaf + 1).leaves()[1].1, &3);
        assert_eq!(Tree::<i32>::unit().leaves(), []);
    }
}
