use super::{types::Type, value::Value};
use crate::span::SpanId;
use std::{collections::BTreeMap, rc::Rc};

/// The variables of nested blocks.
///
/// Branches and loops keep many versions, which share what does not differ.
#[derive(Clone, Debug)]
pub(crate) struct Scopes {
    blocks: Vec<Rc<Variables>>,
}

type Variables = BTreeMap<Rc<str>, Rc<Binding>>;

/// A variable.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Binding {
    /// Its value; `None` before `let x;` is assigned.
    pub(crate) value: Option<Value>,
    /// Its declared type.
    pub(crate) ty: Option<Type>,
    /// Whether it may be assigned again.
    pub(crate) mutable: bool,
    /// Where it got its value.
    pub(crate) assigned_at: SpanId,
}

/// The place of a variable: another of the same name may hide it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct VariableId {
    block: usize,
    /// The variable's name.
    pub(crate) name: Rc<str>,
}

impl Default for Scopes {
    fn default() -> Self {
        Self {
            blocks: vec![Rc::default()],
        }
    }
}

impl Scopes {
    /// Enters a block.
    pub(crate) fn enter(&mut self) {
        self.blocks.push(Rc::default());
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
            Rc::make_mut(block).insert(name.into(), Rc::new(binding));
        }
    }

    /// The variable of that name, innermost first.
    pub(crate) fn get(&self, name: &str) -> Option<&Binding> {
        let mut blocks = self.blocks.iter().rev();
        blocks.find_map(|block| block.get(name).map(Rc::as_ref))
    }

    /// The variable of that name, innermost first.
    pub(crate) fn get_mut(&mut self, name: &str) -> Option<&mut Binding> {
        let mut blocks = self.blocks.iter_mut().rev();
        let block = blocks.find(|block| block.contains_key(name))?;
        Rc::make_mut(block).get_mut(name).map(Rc::make_mut)
    }

    /// Every variable that is another version elsewhere, with both versions, those that are hidden too.
    pub(crate) fn differing<'s>(
        &'s self,
        other: &'s Self,
    ) -> impl Iterator<Item = (VariableId, &'s Binding, Option<&'s Binding>)> {
        let empty = std::iter::repeat(None);
        let others = other.blocks.iter().map(Some).chain(empty);
        let blocks = self.blocks.iter().zip(others).enumerate();
        let blocks =
            blocks.filter(|(_, (mine, other))| other.is_none_or(|other| !Rc::ptr_eq(mine, other)));
        blocks.flat_map(|(block, (mine, other))| {
            mine.iter().filter_map(move |(name, binding)| {
                let other = other.and_then(|other| other.get(name));
                let same = other.is_some_and(|other| Rc::ptr_eq(binding, other));
                let name = name.clone();
                (!same).then(|| {
                    let id = VariableId { block, name };
                    (id, binding.as_ref(), other.map(Rc::as_ref))
                })
            })
        })
    }

    /// The variable at a place.
    pub(crate) fn at(&self, id: &VariableId) -> Option<&Binding> {
        self.blocks.get(id.block)?.get(&id.name).map(Rc::as_ref)
    }

    /// The variable at a place.
    pub(crate) fn at_mut(&mut self, id: &VariableId) -> Option<&mut Binding> {
        let block = self.blocks.get_mut(id.block)?;
        Rc::make_mut(block).get_mut(&id.name).map(Rc::make_mut)
    }

    /// Every visible name, for suggestions.
    pub(crate) fn names(&self) -> Vec<&str> {
        let names = self.blocks.iter().flat_map(|block| block.keys());
        let mut names: Vec<_> = names.map(Rc::as_ref).collect();
        names.sort_unstable();
        names
    }
}
