use crate::{
    Cause, Error, Host, Tensor, Value,
    frame::{Follows, Frame, World},
    memory::Memory,
    op,
    sizes::known_type,
};
use iree_dsl_ir::{
    Function, FunctionId, Global, GlobalInit, Linkage, Module, ParameterName, Verified, op::Op,
};
use std::{collections::BTreeMap, sync::Arc};

/// A loaded module, with the values of its globals.
#[derive(Debug)]
pub struct Interpreter {
    verified: Arc<Verified>,
    host: Host,
    /// The values of the globals by their index; none before the first store if it has no first value.
    globals: Vec<Option<Value>>,
}

impl Interpreter {
    /// Loads a module that needs nothing of the host.
    ///
    /// # Errors
    ///
    /// As [`Host::load`].
    pub fn new(verified: impl Into<Arc<Verified>>) -> Result<Self, Error> {
        Host::default().load(verified)
    }

    pub(crate) fn load(
        verified: Arc<Verified>,
        host: Host,
        follows: Follows,
    ) -> Result<Self, Error> {
        check_imports(verified.module(), &host)?;
        let mut interpreter = Self {
            verified,
            host,
            globals: Vec::new(),
        };
        interpreter.initialize(follows)?;
        Ok(interpreter)
    }

    /// The module.
    pub fn module(&self) -> &Module {
        self.verified.module()
    }

    /// The value of a global, if there is such a global and it has one.
    pub fn global(&self, name: &str) -> Option<&Tensor> {
        let mut globals = self.module().globals.iter();
        let (id, _) = globals.find(|(_, global)| global.name == name)?;
        Some(&self.globals.get(id.index())?.as_ref()?.tensor)
    }

    /// Calls a public function.
    ///
    /// # Errors
    ///
    /// If there is none of that name, the arguments do not fit its parameters, or an operation fails. Then the globals
    /// have the values from before the call.
    pub fn call(&mut self, name: &str, arguments: &[Tensor]) -> Result<Vec<Tensor>, Error> {
        let results = self.call_with(name, arguments, Follows::Tensors)?;
        Ok(results.into_iter().map(|result| result.tensor).collect())
    }

    /// Calls a public function, and says how far its results and what it stores may be from those of another device that is
    /// given the same arguments.
    ///
    /// # Errors
    ///
    /// As [`call`](Self::call); but assertions of what is undecided hold.
    pub fn call_within(&mut self, name: &str, arguments: &[Tensor]) -> Result<Vec<Value>, Error> {
        self.call_with(name, arguments, Follows::Bounds)
    }

    fn call_with(
        &mut self,
        name: &str,
        arguments: &[Tensor],
        follows: Follows,
    ) -> Result<Vec<Value>, Error> {
        let id = self.public_function(name);
        let id = id.ok_or_else(|| Error::NoFunction(name.to_owned()))?;
        let mut globals = self.globals.clone();
        let results = self.run(id, arguments, &mut globals, follows)?;
        self.globals = globals;
        Ok(results)
    }

    fn public_function(&self, name: &str) -> Option<FunctionId> {
        let mut functions = self.module().functions.iter();
        let is_called =
            |function: &Function| function.linkage == Linkage::Public && function.name == name;
        let (id, _) = functions.find(|(_, function)| is_called(function))?;
        Some(id)
    }

    fn run(
        &mut self,
        id: FunctionId,
        arguments: &[Tensor],
        globals: &mut Vec<Option<Value>>,
        follows: Follows,
    ) -> Result<Vec<Value>, Error> {
        let module = self.verified.module();
        let mut world = World {
            module,
            memory: Memory::new(self.host.memory),
            host: &mut self.host,
            globals,
            depth: 0,
            follows,
            undecided: 0,
        };
        let function = module.functions.get(id);
        let function = function.ok_or_else(|| Error::NoFunction(id.index().to_string()))?;
        let arguments: Vec<_> = arguments.iter().cloned().map(Value::from).collect();
        Frame::call(&mut world, function, &arguments)
    }

    /// Computes the first values of the globals. An initialiser of several runs once.
    fn initialize(&mut self, follows: Follows) -> Result<(), Error> {
        let globals: Vec<Global> = (self.module().globals.iter())
            .map(|(_, global)| global.clone())
            .collect();
        let mut computed: BTreeMap<FunctionId, Vec<Value>> = BTreeMap::new();
        for global in &globals {
            let value = match &global.init {
                GlobalInit::Uninitialized => None,
                GlobalInit::Constant(constant) => {
                    let shape = constant.ty.shape.known().unwrap_or_default();
                    let memory = Memory::new(self.host.memory);
                    let checked = memory.check(&constant.ty, &shape);
                    let value = checked.and_then(|()| op::build::constant(constant, &shape));
                    Some(value.map_err(|cause| of_global(global, cause))?.into())
                }
                GlobalInit::Parameter(name) => Some(self.parameter(global, name)?.into()),
                GlobalInit::Function(id, index) => {
                    if !computed.contains_key(id) {
                        // An initialiser accesses no globals.
                        let results = self.run(*id, &[], &mut Vec::new(), follows)?;
                        computed.insert(*id, results);
                    }
                    computed
                        .get(id)
                        .and_then(|results| results.get(*index))
                        .cloned()
                }
            };
            self.globals.push(value);
        }
        Ok(())
    }

    fn parameter(&self, global: &Global, name: &ParameterName) -> Result<Tensor, Error> {
        let value = self.host.parameters.get(name);
        let value = value.ok_or_else(|| Error::NoParameter(name.clone()))?;
        let fits = global.ty.shape.accepts(value.shape()) && global.ty.dtype == value.dtype();
        match fits {
            true => Ok(value.clone()),
            false => Err(Error::ParameterType {
                name: name.clone(),
                expected: global.ty.clone(),
                found: known_type(&value.ty(), value.shape()),
            }),
        }
    }
}

fn of_global(global: &Global, cause: Cause) -> Error {
    Error::Operation {
        function: global.name.clone(),
        operation: 0,
        name: "global",
        span: global.span,
        cause: Box::new(cause),
    }
}

/// Refuses a module that imports a function which the host does not have.
fn check_imports(module: &Module, host: &Host) -> Result<(), Error> {
    let functions = module.functions.iter().map(|(_, function)| function);
    for (_, operation) in functions.flat_map(|function| function.operations.iter()) {
        if let Op::Import(import) = &operation.op
            && !host.imports.contains_key(&import.name)
        {
            return Err(Error::NoImport(import.name.clone()));
        }
    }
    Ok(())
}
