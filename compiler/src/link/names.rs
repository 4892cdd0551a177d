//! What imported names stand for.

use super::Unlinked;
use crate::{
    ast::{Ident, Import, Module, ModuleId, Target, Visibility},
    diagnostic::{Code, Diagnostic, Report, nearest},
};
use std::collections::BTreeMap;

/// The imports of one module by their names.
type Names = BTreeMap<String, Target>;

pub(super) struct Linker<'a> {
    /// By their ids.
    pub(super) modules: Vec<Option<&'a Unlinked>>,
    pub(super) report: &'a mut Report,
}

/// A name in a module.
struct Found<'a> {
    visibility: Visibility,
    kind: Kind<'a>,
}

enum Kind<'a> {
    /// An item of the module, with what it is.
    Item(&'static str),
    /// An import.
    Import(&'a Import),
}

impl<'a> Linker<'a> {
    /// The imports of every module.
    pub(super) fn link(mut self) -> Vec<Names> {
        let modules = 0..self.modules.len();
        modules
            .map(|index| self.module(ModuleId::new(index)))
            .collect()
    }

    fn module(&mut self, id: ModuleId) -> Names {
        let mut names = Names::new();
        let Some(unlinked) = self.unlinked(id) else {
            return names;
        };
        self.cycles(id, unlinked);
        for import in &unlinked.module.imports {
            let target = self.target(id, import);
            if let Some(message) = taken(&unlinked.module, &names, import) {
                let help = format!("give the import another name: `{} as …`", import.item.name);
                let mistake = Diagnostic::new(Code::Duplicate, import.name.span, message);
                self.report.push(mistake.help(help));
            } else {
                names.insert(import.name.name.clone(), target);
            }
        }
        names
    }

    /// What an import of a module stands for.
    fn target(&mut self, module: ModuleId, import: &Import) -> Target {
        let Some(from) = self.used(module, import) else {
            return Target::Missing;
        };
        let Some(source) = self.unlinked(from) else {
            return Target::Missing;
        };
        match find(&source.module, &import.item.name) {
            Some(found) if found.visibility == Visibility::Exported => {
                self.follow(from, &import.item.name)
            }
            Some(found) => self.private(&source.module, &found, &import.item),
            None => self.unknown(&source.module, &import.item),
        }
    }

    /// Where an item is that a module has or hands on. A mistake on the way was reported at the import that
    /// has it.
    fn follow(&self, mut module: ModuleId, name: &str) -> Target {
        let mut name = name.to_owned();
        for _ in 0..self.modules.len() {
            let source = self.unlinked(module);
            match source.and_then(|source| find(&source.module, &name)) {
                Some(Found {
                    kind: Kind::Import(import),
                    visibility: Visibility::Exported,
                }) => match self.used(module, import) {
                    Some(from) => (module, name) = (from, import.item.name.clone()),
                    None => return Target::Missing,
                },
                Some(Found {
                    kind: Kind::Item(_),
                    visibility: Visibility::Exported,
                }) => return Target::Item(module, name),
                _ => return Target::Missing,
            }
        }
        Target::Missing
    }

    fn private(&mut self, source: &Module, found: &Found<'_>, item: &Ident) -> Target {
        let (module, name) = (&source.name.name, &item.name);
        let (message, help) = match found.kind {
            Kind::Item(kind) => (
                format!("the {kind} `{name}` of `{module}` is private"),
                "make it `pub` there".to_owned(),
            ),
            Kind::Import(_) => (
                format!("`{module}` imports `{name}` for itself"),
                "import it from where it is defined, or make the import there `pub use`".to_owned(),
            ),
        };
        let mistake = Diagnostic::new(Code::Private, item.span, message);
        self.report.push(mistake.help(help));
        Target::Missing
    }

    fn unknown(&mut self, source: &Module, item: &Ident) -> Target {
        let (module, name) = (&source.name.name, &item.name);
        let message = format!("the kernel module `{module}` has no `{name}`");
        let mistake = Diagnostic::new(Code::UnknownName, item.span, message);
        let exported = exported(source);
        let similar = nearest(name, exported.iter().map(|(name, _)| *name));
        let similar = exported.iter().find(|(name, _)| Some(*name) == similar);
        self.report.push(match similar {
            Some((name, kind)) => {
                mistake.help(format!("there is a {kind} with a similar name: `{name}`"))
            }
            None => mistake,
        });
        Target::Missing
    }

    pub(super) fn unlinked(&self, id: ModuleId) -> Option<&'a Unlinked> {
        self.modules.get(id.index()).copied().flatten()
    }

    fn used(&self, module: ModuleId, import: &Import) -> Option<ModuleId> {
        self.unlinked(module)?.uses.get(import.from).copied()
    }
}

/// Why a name cannot be given to an import, if it cannot.
fn taken(module: &Module, names: &Names, import: &Import) -> Option<String> {
    let name = &import.name.name;
    if names.contains_key(name) {
        return Some(format!("the name `{name}` is imported twice"));
    }
    let kind = item_kind(module, name)?;
    Some(format!("the module has a {kind} `{name}` of its own"))
}

fn find<'m>(module: &'m Module, name: &str) -> Option<Found<'m>> {
    let own = items(module).find(|(ident, ..)| ident.name == name);
    if let Some((_, visibility, kind)) = own {
        let kind = Kind::Item(kind);
        return Some(Found { visibility, kind });
    }
    let mut imports = module.imports.iter();
    let import = imports.find(|import| import.name.name == name)?;
    Some(Found {
        visibility: import.visibility,
        kind: Kind::Import(import),
    })
}

fn item_kind(module: &Module, name: &str) -> Option<&'static str> {
    let program = module.program.iter().map(|program| &program.name.name);
    if program.into_iter().any(|program| program == name) {
        return Some("program");
    }
    let mut items = items(module);
    let found = items.find(|(ident, ..)| ident.name == name);
    found.map(|(.., kind)| kind)
}

/// Everything that can be imported from a module, with what it is.
fn exported(module: &Module) -> Vec<(&str, &'static str)> {
    let imports = module.imports.iter();
    let imports = imports.map(|import| (&import.name, import.visibility, "re-export"));
    items(module)
        .chain(imports)
        .filter(|(_, visibility, _)| *visibility == Visibility::Exported)
        .map(|(ident, _, kind)| (ident.name.as_str(), kind))
        .collect()
}

/// The items of a module that others can import, if they are `pub`.
fn items(module: &Module) -> impl Iterator<Item = (&Ident, Visibility, &'static str)> {
    let kernels = module.kernels.iter();
    let kernels = kernels.map(|item| (&item.name, item.visibility, "kernel"));
    let trees = module.trees.iter();
    let trees = trees.map(|item| (&item.name, item.visibility, "tree"));
    let aliases = module.aliases.iter();
    let aliases = aliases.map(|item| (&item.name, item.visibility, "type alias"));
    let consts = module.consts.iter();
    let consts = consts.map(|item| (&item.name, item.visibility, "constant"));
    kernels.chain(trees).chain(aliases).chain(consts)
}
