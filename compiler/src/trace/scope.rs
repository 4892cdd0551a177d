use super::{persistent::PersistentMap, types::Type, value::Value};
use crate::span::SpanId;
use std::{collections::BTreeMap, rc::Rc};

/// The variables of nested blocks.
///
/// Branches and loops keep many versions, which share what does not differ.
#[derive(Clone, Debug)]
pub(crate) struct Scopes {
    blocks: Vec<Rc<Names>>,
    variables: PersistentMap<Variable>,
    /// How many variables there are: the number of the next.
    count: usize,
}

/// The numbers of the variables of a block that are not hidden by others in it.
type Names = BTreeMap<Rc<str>, usize>;

#[derive(Clone, Debug)]
struct Variable {
    id: VariableId,
    binding: Binding,
}

/// What a variable holds.
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

/// A variable: another of the same name may hide it, in the same block too.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct VariableId {
    block: usize,
    /// The variable's name.
    pub(crate) name: Rc<str>,
    number: usize,
}

/// A variable in two versions; `None` where it is not in the other.
pub(crate) type Versions<'s> = (&'s VariableId, &'s Binding, Option<&'s Binding>);

impl Default for Scopes {
    fn default() -> Self {
        Self {
            blocks: vec![Rc::default()],
            variables: PersistentMap::default(),
            count: 0,
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
        let around = self.blocks.len();
        while let Some(last) = self.count.checked_sub(1)
            && let Some(variable) = self.variables.get(last)
            && variable.id.block >= around
        {
            self.variables.remove(last);
            self.count = last;
        }
    }

    /// How many blocks are open.
    pub(crate) fn depth(&self) -> usize {
        self.blocks.len()
    }

    /// Whether the variable of that name is in one of the outermost blocks.
    pub(crate) fn is_within(&self, name: &str, depth: usize) -> bool {
        let variable = self.number(name).and_then(|at| self.variables.get(at));
        variable.is_some_and(|variable| variable.id.block < depth)
    }

    /// Binds a name in the innermost block.
    pub(crate) fn bind(&mut self, name: &str, binding: Binding) {
        let Some(block) = self.blocks.len().checked_sub(1) else {
            return;
        };
        let id = VariableId {
            block,
            name: name.into(),
            number: self.count,
        };
        if let Some(names) = self.blocks.last_mut() {
            Rc::make_mut(names).insert(id.name.clone(), id.number);
        }
        self.variables.insert(id.number, Variable { id, binding });
        self.count += 1;
    }

    /// The number of the variable of that name, innermost first.
    fn number(&self, name: &str) -> Option<usize> {
        let mut blocks = self.blocks.iter().rev();
        blocks.find_map(|names| names.get(name).copied())
    }

    /// The variable of that name, innermost first.
    pub(crate) fn get(&self, name: &str) -> Option<&Binding> {
        let variable = self.variables.get(self.number(name)?)?;
        Some(&variable.binding)
    }

    /// The variable of that name, innermost first.
    pub(crate) fn get_mut(&mut self, name: &str) -> Option<&mut Binding> {
        let variable = self.variables.get_mut(self.number(name)?)?;
        Some(&mut variable.binding)
    }

    /// Every variable that is another version elsewhere, with both versions, those that are hidden too.
    pub(crate) fn differing<'s>(&'s self, other: &'s Self) -> Vec<Versions<'s>> {
        let pairs = self.variables.differing(&other.variables).into_iter();
        let versions = pairs.filter_map(|(mine, other)| {
            let mine = mine?;
            Some((&mine.id, &mine.binding, other.map(|other| &other.binding)))
        });
        let mut versions: Vec<_> = versions.collect();
        versions.sort_unstable_by_key(|(id, ..)| *id);
        versions
    }

    /// A variable.
    pub(crate) fn at(&self, id: &VariableId) -> Option<&Binding> {
        let variable = self.variables.get(id.number)?;
        Some(&variable.binding)
    }

    /// A variable.
    pub(crate) fn at_mut(&mut self, id: &VariableId) -> Option<&mut Binding> {
        let variable = self.variables.get_mut(id.number)?;
        Some(&mut variable.binding)
    }

    /// Every visible name, for suggestions.
    pub(crate) fn names(&self) -> Vec<&str> {
        let names = self.blocks.iter().flat_map(|block| block.keys());
        let mut names: Vec<_> = names.map(Rc::as_ref).collect();
        names.sort_unstable();
        names
    }
}
