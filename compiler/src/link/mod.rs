//! The stage that puts a module and the kernel modules that it imports from together.
//!
//! Each import is followed to the item that it stands for, through modules that import it themselves
//! and hand it on. Every module keeps its own names: what one imports, another does not see.
//!
//! A kernel module is linked and traced where it is compiled, and again with every program that imports
//! from it. What is wrong with it is then said again in the same words at the same place, which `rustc`
//! shows once.

mod cycles;
mod names;
#[cfg(test)]
mod tests;

use crate::{
    ast::{Module, ModuleId, Program},
    diagnostic::Report,
};
use names::Linker;

/// A module, and which modules the paths of its imports lead to.
#[derive(Clone, Debug)]
pub struct Unlinked {
    /// The module.
    pub module: Module,
    /// The kernel module behind each path.
    pub uses: Vec<ModuleId>,
}

/// Links a module with the kernel modules that it needs, which have the ids that follow its own; `None`
/// stands for one that could not be read, which was reported.
pub fn link(root: Unlinked, others: Vec<Option<Unlinked>>, report: &mut Report) -> Program {
    let known = others.iter().map(Option::as_ref);
    let modules = std::iter::once(Some(&root)).chain(known).collect();
    let imports = Linker { modules, report }.link();
    let mut program = Program::new(root.module);
    for Unlinked { module, .. } in others.into_iter().flatten() {
        program.trees.extend(module.trees);
        program.consts.extend(module.consts);
        program.aliases.extend(module.aliases);
        program.kernels.extend(module.kernels);
    }
    program.imports = imports;
    program
}
