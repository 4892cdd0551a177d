//! Names that are defined twice.

use super::tracer::Tracer;
use crate::{
    ast::{Ident, Module},
    diagnostic::{Code, Diagnostic},
};
use std::collections::BTreeMap;

impl Tracer<'_> {
    /// Reports every definition whose name is taken.
    pub(crate) fn duplicates(&mut self) {
        let ast = self.ast;
        self.types(ast);
        self.values(ast);
        let procedures = ast.procedures.iter().map(|procedure| &procedure.name);
        self.unique("procedure", procedures.map(|name| (name, "procedure")));
        for tree in &ast.trees {
            let fields = tree.fields.iter().map(|field| (&field.name, "field"));
            self.unique("field", fields);
        }
        if let Some(program) = &ast.program {
            let globals = program
                .globals
                .iter()
                .map(|global| (&global.name, "global"));
            self.unique("global", globals);
        }
    }

    fn types(&mut self, ast: &Module) {
        let trees = ast.trees.iter().map(|tree| (&tree.name, "tree"));
        let aliases = ast.aliases.iter().map(|alias| (&alias.name, "type alias"));
        let program = ast.program.iter().map(|program| (&program.name, "program"));
        self.unique("type", program.chain(trees).chain(aliases));
    }

    fn values(&mut self, ast: &Module) {
        let consts = ast.consts.iter().map(|item| (&item.name, "constant"));
        let kernels = ast.kernels.iter().map(|kernel| (&kernel.name, "kernel"));
        self.unique("kernel", consts.chain(kernels));
    }

    fn unique<'n>(&mut self, what: &str, names: impl Iterator<Item = (&'n Ident, &'n str)>) {
        let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
        for (name, kind) in names {
            let Some(first) = seen.insert(&name.name, kind) else {
                continue;
            };
            let message = match first == kind {
                true => format!("the {kind} `{}` is defined twice", name.name),
                false => format!("the {kind} `{}` has the name of a {first}", name.name),
            };
            let help = format!("each {what} needs a name of its own");
            self.report(Diagnostic::new(Code::Duplicate, name.span, message).help(help));
        }
    }
}
