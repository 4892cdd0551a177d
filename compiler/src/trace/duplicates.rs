//! Names that are defined twice.

use super::tracer::Tracer;
use crate::{
    ast::{Generic, Ident, ModuleId, Pattern, PatternKind, Program},
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
        for tree in ast.trees.iter().filter(|tree| is_own(tree.module)) {
            let fields = tree.fields.iter().map(|field| (&field.name, "field"));
            self.unique("field", fields);
        }
        let functions = ast.kernels.iter().chain(&ast.procedures);
        for function in functions.filter(|function| is_own(function.module)) {
            let parameters = function.parameters.iter();
            let names = parameters.flat_map(|parameter| names(&parameter.pattern));
            self.unique("parameter", names.map(|name| (name, "parameter")));
            self.unique_generics(&function.generics);
        }
        for tree in ast.trees.iter().filter(|tree| is_own(tree.module)) {
            self.unique_generics(&tree.generics);
        }
        for alias in ast.aliases.iter().filter(|alias| is_own(alias.module)) {
            self.unique_generics(&alias.generics);
        }
        if let Some(program) = &ast.program {
            let globals = program
                .globals
                .iter()
                .map(|global| (&global.name, "global"));
            self.unique("global", globals);
        }
    }

    fn unique_generics(&mut self, generics: &[Generic]) {
        let names = generics.iter().map(|generic| &generic.name);
        let what = "generic parameter";
        self.unique(what, names.map(|name| (name, what)));
    }

    fn types(&mut self, ast: &Program) {
        let trees = ast.trees.iter().filter(|tree| is_own(tree.module));
        let trees = trees.map(|tree| (&tree.name, "tree"));
        let aliases = ast.aliases.iter().filter(|alias| is_own(alias.module));
        let aliases = aliases.map(|alias| (&alias.name, "type alias"));
        let program = ast.program.iter().map(|program| (&program.name, "program"));
        self.unique("type", program.chain(trees).chain(aliases));
    }

    fn values(&mut self, ast: &Program) {
        let consts = ast.consts.iter().filter(|item| is_own(item.module));
        let consts = consts.map(|item| (&item.name, "constant"));
        let kernels = ast.kernels.iter().filter(|kernel| is_own(kernel.module));
        let kernels = kernels.map(|kernel| (&kernel.name, "kernel"));
        self.unique("item", consts.chain(kernels));
    }

    fn unique<'n>(&mut self, what: &str, names: impl Iterator<Item = (&'n Ident, &'n str)>) {
        let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
        for (name, kind) in names {
            let Some(first) = seen.insert(&name.name, kind) else {
                continue;
            };
            let (message, what) = match first == kind {
                true => (format!("the {kind} `{}` is defined twice", name.name), kind),
                false => (
                    format!("the {kind} `{}` has the name of a {first}", name.name),
                    what,
                ),
            };
            let help = format!("each {what} needs a name of its own");
            self.report(Diagnostic::new(Code::Duplicate, name.span, message).help(help));
        }
    }
}

/// The names that a pattern binds.
fn names(pattern: &Pattern) -> Vec<&Ident> {
    match &pattern.kind {
        PatternKind::Ident { name, .. } => vec![name],
        PatternKind::Tuple(parts) | PatternKind::Array(parts) => {
            parts.iter().flat_map(names).collect()
        }
        PatternKind::Struct { fields, .. } => {
            fields.iter().flat_map(|(_, part)| names(part)).collect()
        }
        PatternKind::Wildcard | PatternKind::Error => Vec::new(),
    }
}

/// Whether it is the module that is being compiled; the others are checked where that is them.
fn is_own(module: ModuleId) -> bool {
    module == ModuleId::ROOT
}
