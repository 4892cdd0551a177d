use super::{types::Type, value::Value};
use std::collections::HashMap;

/// The variables of nested blocks.
#[derive(Clone, Debug)]
pub(crate) struct Scopes {
    blocks: Vec<HashMap<String, Binding>>,
}

/// A variable.
#[derive(Clone, Debug)]
pub(crate) struct Binding {
    /// Its value; `None` before `let x;` is assigned.
    pub(crate) value: Option<Value>,
    /// Its declared type.
    pub(crate) ty: Option<Type>,
    /// Whether it may be assigned again.
    pub(crate) mutable: bool,
}

impl Default for Scopes {
    fn default() -> Self {
        Self {
            blocks: vec![HashMap::new()],
        }
    }
}

impl Scopes {
    /// Enters a block.
    pub(crate) fn enter(&mut self) {
        self.blocks.push(HashMap::new());
    }

    /// Leaves a block.
    pub(crate) fn leave(&mut self) {
        self.blocks.pop();
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

    /// Every visible name, for suggestions.
    pub(crate) fn names(&self) -> Vec<&str> {
        let names = self.blocks.iter().flat_map(HashMap::keys);
        let mut names: Vec<_> = names.map(String::as_str).collect();
        names.sort_unstable();
        names
    }
}
