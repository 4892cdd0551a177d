use super::{
    Const, Function, Generic, Ident, Module, ModuleId, Options, ProgramStruct, TreeStruct, Type,
    TypeAlias,
};
use std::collections::BTreeMap;

/// What is compiled as one: a module, with the items of every kernel module that it imports from,
/// directly or through others.
#[derive(Clone, Debug)]
pub struct Program {
    /// The module's name.
    pub name: Ident,
    /// The options of the attribute.
    pub options: Options,
    /// The program; `None` for a kernel module, or where it is missing, which was reported.
    pub program: Option<ProgramStruct>,
    /// The functions of the `impl`.
    pub procedures: Vec<Function>,
    /// The trees of all modules.
    pub trees: Vec<TreeStruct>,
    /// The constants of all modules.
    pub consts: Vec<Const>,
    /// The type aliases of all modules.
    pub aliases: Vec<TypeAlias>,
    /// The kernels of all modules.
    pub kernels: Vec<Function>,
    /// The imports of each module by the names that they have there.
    pub imports: Vec<BTreeMap<String, Target>>,
}

/// What an imported name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The item of that name in a module.
    Item(ModuleId, String),
    /// Nothing, which was reported.
    Missing,
}

/// What declares a type.
#[derive(Clone, Copy, Debug)]
pub enum Declaration<'p> {
    /// `type Name = …;`.
    Alias(&'p TypeAlias),
    /// `struct Name { … }`.
    Tree(&'p TreeStruct),
}

impl<'p> Declaration<'p> {
    /// The module that it is in, and its name there.
    pub fn place(&self) -> (ModuleId, &'p str) {
        match self {
            Self::Alias(alias) => alias.place(),
            Self::Tree(tree) => tree.place(),
        }
    }

    /// Its generic parameters.
    pub fn generics(&self) -> &'p [Generic] {
        match self {
            Self::Alias(alias) => &alias.generics,
            Self::Tree(tree) => &tree.generics,
        }
    }

    /// The types that it is made of.
    pub fn types(&self) -> Vec<&'p Type> {
        match self {
            Self::Alias(alias) => vec![&alias.ty],
            Self::Tree(tree) => tree.fields.iter().map(|field| &field.ty).collect(),
        }
    }
}

impl Program {
    /// A module on its own.
    pub fn new(root: Module) -> Self {
        Self {
            name: root.name,
            options: root.options,
            program: root.program,
            procedures: root.procedures,
            trees: root.trees,
            consts: root.consts,
            aliases: root.aliases,
            kernels: root.kernels,
            imports: vec![BTreeMap::new()],
        }
    }

    /// The index of the kernel that a name in a module stands for.
    pub fn kernel(&self, module: ModuleId, name: &str) -> Option<usize> {
        self.position(&self.kernels, module, name)
    }

    /// What declares the type that a name in a module stands for.
    pub fn declaration(&self, module: ModuleId, name: &str) -> Option<Declaration<'_>> {
        let alias = self.alias(module, name).map(Declaration::Alias);
        alias.or_else(|| self.tree(module, name).map(Declaration::Tree))
    }

    /// The tree that a name in a module stands for.
    pub fn tree(&self, module: ModuleId, name: &str) -> Option<&TreeStruct> {
        self.trees.get(self.position(&self.trees, module, name)?)
    }

    /// The type alias that a name in a module stands for.
    pub fn alias(&self, module: ModuleId, name: &str) -> Option<&TypeAlias> {
        self.aliases
            .get(self.position(&self.aliases, module, name)?)
    }

    /// The constant that a name in a module stands for.
    pub fn constant(&self, module: ModuleId, name: &str) -> Option<&Const> {
        self.consts.get(self.position(&self.consts, module, name)?)
    }

    /// Whether a name in a module is an import of nothing, which was reported.
    pub fn is_missing(&self, module: ModuleId, name: &str) -> bool {
        self.import(module, name) == Some(&Target::Missing)
    }

    /// The names of kernels and constants that a module sees.
    pub fn values(&self, module: ModuleId) -> Vec<&str> {
        let mut names = own(&self.consts, module);
        names.extend(own(&self.kernels, module));
        names.extend(self.imported(module, |target, name| {
            self.kernel(target, name).is_some() || self.constant(target, name).is_some()
        }));
        names
    }

    /// The names of trees and type aliases that a module sees.
    pub fn types(&self, module: ModuleId) -> Vec<&str> {
        let mut names = own(&self.trees, module);
        names.extend(own(&self.aliases, module));
        names.extend(self.imported(module, |target, name| {
            self.declaration(target, name).is_some()
        }));
        names
    }

    /// The names that a module imports, if what they stand for passes.
    fn imported(
        &self,
        module: ModuleId,
        passes: impl Fn(ModuleId, &str) -> bool,
    ) -> impl Iterator<Item = &str> {
        let imports = self.imports.get(module.index()).into_iter().flatten();
        imports.filter_map(move |(name, target)| match target {
            Target::Item(module, item) if passes(*module, item) => Some(name.as_str()),
            _ => None,
        })
    }

    fn import(&self, module: ModuleId, name: &str) -> Option<&Target> {
        self.imports.get(module.index())?.get(name)
    }

    fn position<T: Item>(&self, items: &[T], module: ModuleId, name: &str) -> Option<usize> {
        let find = |module, name| items.iter().position(|item| item.is(module, name));
        find(module, name).or_else(|| match self.import(module, name)? {
            Target::Item(module, item) => find(*module, item),
            Target::Missing => None,
        })
    }
}

fn own<T: Item>(items: &[T], module: ModuleId) -> Vec<&str> {
    let names = items.iter().map(Item::place);
    let names = names.filter(|(owner, _)| *owner == module);
    names.map(|(_, name)| name).collect()
}

/// Something with a name in a module.
trait Item {
    fn place(&self) -> (ModuleId, &str);

    fn is(&self, module: ModuleId, name: &str) -> bool {
        self.place() == (module, name)
    }
}

macro_rules! items {
    ($($item:ty)*) => {
        $(impl Item for $item {
            fn place(&self) -> (ModuleId, &str) {
                (self.module, &self.name.name)
            }
        })*
    };
}

items!(Const Function TreeStruct TypeAlias);
