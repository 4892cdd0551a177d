use super::{Ident, Visibility};

/// One of the modules that are compiled together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModuleId(usize);

impl ModuleId {
    /// The module that is being compiled; the others are kernel modules that it needs.
    pub const ROOT: Self = Self(0);

    /// No module: what is written in the language and belongs to it sees no items.
    pub const LANGUAGE: Self = Self(usize::MAX);

    /// The module at a position.
    pub const fn new(index: usize) -> Self {
        Self(index)
    }

    /// Its position.
    pub const fn index(self) -> usize {
        self.0
    }
}

/// A name in `#[kernel] use path::{a, b as c};`.
#[derive(Clone, Debug)]
pub struct Import {
    /// Which of the kernel modules that are named in the importing module.
    pub from: usize,
    /// The name of the item there.
    pub item: Ident,
    /// Its name here.
    pub name: Ident,
    /// Whether others can import it from here.
    pub visibility: Visibility,
}
