use super::{types::Type, value::Value};
use std::collections::BTreeMap;

/// The variables of nested blocks.
#[derive(Clone, Debug)]
pub(crate) struct Scopes {
    blocks: Vec<BTreeMap<String, Binding>>,
}

/// A variable.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Binding {
    /// Its value; `None` before `let x;` is assigned.
    pub(crate) value: Option<Value>,
    /// Its declared type.
    pub(crate) ty: Option<Type>,
    /// Whether it may be assigned again.
    pub(crate) mutable: bool,
}

/// The place of a variable: another of the same name may hide it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct VariableId {
    block: usize,
    /// The variable's name.
    pub(crate) name: String,
}

impl Default for Scopes {
    fn default() -> Self {
        Self {
            blocks: vec![BTreeMap::new()],
        }
    }
}

impl Scopes {
    /// Enters a block.
    pub(crate) fn enter(&mut self) {
        self.blocks.push(BTreeMap::new());
    }

    /// Leaves a block.
    pub(crate) fn leave(&mut self) {
        self.blocks.pop();
    }

    /// How many blocks are open.
    pub(crate) fn depth(&self) -> usize {
        self.blocks.len()
    }

    /// Whether the variable of that name is in one of the outermost blocks.
    pub(crate) fn is_within(&self, name: &str, depth: usize) -> bool {
        let found = self
            .blocks
            .iter()
            .rposition(|block| block.contains_key(name));
        found.is_some_and(|block| block < depth)
    }

    /// Binds a name in the innermost block.
    pub(crate) fn bind(&mut self, name: &str, binding: Binding) {
        if let Some(block) = self.blocks.last_mut() {
            block.insert(name.to_owned(), binding);
        }
    }

    /// The variable of that name, innermost first.
    pub(crate) fn get(&self, name: &str) -> Option<&Binding> {
        self.blocks.iter().rev().find_map(|block| block.get(name))
    }

    /// The variable of that name, innermost first.
    pub(crate) fn get_mut(&mut self, name: &str) -> Option<&mut Binding> {
        let mut blocks = self.blocks.iter_mut().rev();
        blocks.find_map(|block| block.get_mut(name))
    }

    /// Every variable with its place, those that are hidden too.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (VariableId, &Binding)> {
        let blocks = self.blocks.iter().enumerate();
        blocks.flat_map(|(block, variables)| {
            variables.iter().map(move |(name, binding)| {
                let name = name.clone();
                (VariableId { block, name }, binding)
            })
        })
    }

    /// The variable at a place.
    pub(crate) fn at(&self, id: &VariableId) -> Option<&Binding> {
        self.blocks.get(id.block)?.get(&id.name)
    }

    /// The variable at a place.
    pub(crate) fn at_mut(&mut self, id: &VariableId) -> Option<&mut Binding> {
        self.blocks.get_mut(id.block)?.get_mut(&id.name)
    }

    /// Every visible name, for suggestions.
    pub(crate) fn names(&self) -> Vec<&str> {
        let names = self.blocks.iter().flat_map(BTreeMap::keys);
        let mut names: Vec<_> = names.map(String::as_str).collect();
        names.sort_unstable();
        names
    }
}
