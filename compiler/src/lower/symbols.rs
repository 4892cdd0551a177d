use super::error::LowerCause;
use iree_dsl_ir::{FunctionId, GlobalId, Module};
use std::collections::BTreeSet;

/// The names of functions and globals in MLIR, where both share one name space.
pub(super) struct Symbols<'a> {
    module: &'a Module,
    globals: Vec<String>,
}

impl<'a> Symbols<'a> {
    /// Functions keep their names; a global whose name is taken gets underscores behind it.
    pub(super) fn of(module: &'a Module) -> Self {
        let functions = module.functions.iter();
        let functions: BTreeSet<&str> = functions
            .map(|(_, function)| function.name.as_str())
            .collect();
        let globals = module.globals.iter();
        let mut taken: BTreeSet<String> = globals.map(|(_, global)| global.name.clone()).collect();
        taken.extend(functions.iter().map(|name| (*name).to_owned()));
        let rename = |name: &str| {
            let mut name = name.to_owned();
            if functions.contains(name.as_str()) {
                while !taken.insert(name.clone()) {
                    name.push('_');
                }
            }
            name
        };
        let globals = module
            .globals
            .iter()
            .map(|(_, global)| global.name.as_str());
        Self {
            module,
            globals: globals.map(rename).collect(),
        }
    }

    pub(super) fn global(&self, id: GlobalId) -> Result<&str, LowerCause> {
        let name = self.globals.get(id.index()).map(String::as_str);
        name.ok_or(LowerCause::Lost("a global"))
    }

    pub(super) fn function(&self, id: FunctionId) -> Result<&'a str, LowerCause> {
        let function = self.module.functions.get(id);
        let function = function.ok_or(LowerCause::Lost("a function"))?;
        Ok(&function.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use iree_dsl_ir::text;

    #[test]
    fn globals_make_way_for_functions() {
        let module = text::parse(
            "module @m {
               global @run: Tensor<f32> = splat 0.0
               global @run_: Tensor<f32> = splat 0.0
               global @x: Tensor<f32> = splat 0.0
               func public @run() { return }
             }",
        );
        let module = module.expect("it is a module");
        let symbols = Symbols::of(&module);
        assert_eq!(symbols.globals, ["run__", "run_", "x"]);
    }
}
