//! Runs programs on the interpreter, from what they were before they were compiled. Their arrays are where those of
//! `local-sync` are; here they become the interpreter's tensors, and its results arrays.

use crate::{
    Code, Device, Error, HostModule, Result,
    element::{code_of, stored_dtype},
    executor::Surroundings,
    ffi::{BufferView, IreeError, Sink},
    host::HostFunction,
    parameters::Supplies,
};
use iree_abi::{DType, FunctionSignature, HOST, Leaf, Parameter, Site, TensorType};
use iree_dsl_interpreter::{Cause, Host, ImportError, Interpreter, Tensor, Trace};
use iree_dsl_ir::{
    Function, Global, GlobalInit, Linkage, Module, Operation, ParameterName,
    op::{Import, Op},
    text, verify,
};
use std::{
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
    str,
    sync::Arc,
};

/// A module in the text form of the representation, read and verified.
#[derive(Clone)]
pub(crate) struct Text(Arc<verify::Verified>);

impl Text {
    /// Reads a module.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`].
    pub(crate) fn read(bytes: &[u8]) -> Result<Self> {
        let verified = str::from_utf8(bytes)
            .map_err(|error| error.to_string())
            .and_then(|text| text::parse(text).map_err(|error| error.to_string()))
            .and_then(|module| {
                verify::verify(module).map_err(|errors| {
                    let first = errors.first();
                    first.map_or_else(String::new, ToString::to_string)
                })
            });
        match verified {
            Ok(verified) => Ok(Self(Arc::new(verified))),
            Err(reason) => Err(Error::Damaged { reason }),
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.module().name
    }

    /// The functions that the host can call.
    pub(crate) fn functions(&self) -> Vec<(FunctionSignature, Entry)> {
        let functions = self.module().functions.iter();
        let functions = functions.filter(|(_, function)| function.linkage == Linkage::Public);
        let functions = functions.map(|(_, function)| {
            let signature = signature(function);
            let entry = Entry {
                text: self.clone(),
                arguments: signature.arguments().map(|(_, ty)| ty.dtype).collect(),
                results: signature.results.len(),
                name: function.name.as_str().into(),
            };
            (signature, entry)
        });
        functions.collect()
    }

    pub(crate) fn module(&self) -> &Module {
        self.0.module()
    }

    #[cfg(feature = "check")]
    pub(crate) const fn verified(&self) -> &Arc<verify::Verified> {
        &self.0
    }
}

fn signature(function: &Function) -> FunctionSignature {
    let leaf = |ty| Leaf {
        path: String::new(),
        ty,
    };
    let types = |values| function.types(values).unwrap_or_default().into_iter();
    let parameters = types(&function.body.parameters).zip(&function.parameter_names);
    FunctionSignature {
        name: function.name.clone(),
        parameters: parameters
            .map(|(ty, name)| Parameter {
                name: name.clone(),
                leaves: vec![leaf(ty)],
            })
            .collect(),
        results: types(&function.body.results).map(leaf).collect(),
        requirements: Vec::new(),
    }
}

/// A function of a module.
#[derive(Clone)]
pub(crate) struct Entry {
    text: Text,
    name: Arc<str>,
    /// The element types.
    arguments: Arc<[DType]>,
    results: usize,
}

impl Entry {
    pub(crate) fn argument_count(&self) -> usize {
        self.arguments.len()
    }

    pub(crate) const fn result_count(&self) -> usize {
        self.results
    }
}

/// Modules, and what all sessions of them share.
pub(crate) struct Linked {
    texts: Vec<(Text, Vec<(ParameterName, Tensor)>)>,
    hosts: Vec<HostModule>,
    sink: Arc<Sink>,
    device: Device,
}

impl Linked {
    pub(crate) fn new(texts: Vec<Text>, surroundings: Surroundings<'_>) -> Result<Self, IreeError> {
        let supplies = &*surroundings.supplies;
        let texts = texts.into_iter().map(|text| {
            let parameters = parameters(&text, supplies).collect::<Result<_, _>>()?;
            Ok((text, parameters))
        });
        Ok(Self {
            texts: texts.collect::<Result<_, IreeError>>()?,
            hosts: surroundings.hosts,
            sink: surroundings.sink,
            device: surroundings.device.clone(),
        })
    }

    /// Initialises the globals of one more session.
    pub(crate) fn interpreted(&self) -> Result<Interpreted, IreeError> {
        let programs = self.texts.iter().map(|(text, parameters)| {
            let host = self.host(text.module(), parameters);
            Ok((text.clone(), caught(|| host.load(text.0.clone()))?))
        });
        Ok(Interpreted {
            programs: programs.collect::<Result<_, IreeError>>()?,
            arguments: Vec::new(),
            results: Vec::new(),
            device: self.device.clone(),
        })
    }

    fn host(&self, module: &Module, parameters: &[(ParameterName, Tensor)]) -> Host {
        let mut host = Host::default();
        if let Some(limit) = self.device.memory_limit() {
            host.memory(limit);
        }
        for (ParameterName { scope, key }, tensor) in parameters {
            host.parameter(scope, key, tensor.clone());
        }
        for import in imports(module) {
            let mut hosts = self.hosts.iter();
            if let Some(function) = hosts.find_map(|host| host.find(HOST, &import.name)) {
                let (function, device) = (function.clone(), self.device.clone());
                let results = import.results.clone();
                host.import(&import.name, move |arguments| {
                    call(&function, arguments, &results, &device)
                });
            }
        }
        let (sink, device) = (self.sink.clone(), self.device.clone());
        host.trace(move |trace| show(&*sink, trace, &device));
        host
    }
}

/// The values of the globals that are parameters.
pub(crate) fn parameters(
    text: &Text,
    supplies: &Supplies,
) -> impl Iterator<Item = Result<(ParameterName, Tensor), IreeError>> {
    let globals = text.module().globals.iter();
    globals.filter_map(|(_, global)| parameter(global, supplies))
}

/// The value of a global that is a parameter.
fn parameter(
    global: &Global,
    supplies: &Supplies,
) -> Option<Result<(ParameterName, Tensor), IreeError>> {
    let GlobalInit::Parameter(name) = &global.init else {
        return None;
    };
    let supply = supplies.find(&name.scope, &name.key);
    let tensor = supply.and_then(|supply| {
        let bytes = supply.contents.bytes();
        Tensor::from_bytes(&global.ty, &bytes).map_err(|error| error.to_string())
    });
    let missing = |reason| IreeError::of_interpreter(Code::NotFound, reason);
    Some(tensor.map(|tensor| (name.clone(), tensor)).map_err(missing))
}

pub(crate) fn imports(module: &Module) -> impl Iterator<Item = &Import> {
    let functions = module.functions.iter().map(|(_, function)| function);
    let operations = functions.flat_map(|function| function.operations.iter());
    operations.filter_map(|(_, Operation { op, .. })| match op {
        Op::Import(import) => Some(import),
        _ => None,
    })
}

/// Calls a function of the host.
fn call(
    function: &HostFunction,
    arguments: &[Tensor],
    types: &[TensorType],
    device: &Device,
) -> Result<Vec<Tensor>, ImportError> {
    let views = arguments.iter().map(|tensor| view(tensor, device));
    let views = views.collect::<Result<_, _>>()?;
    let run = AssertUnwindSafe(|| function.run(device, views));
    let panicked = |_| format!("the host's function `{}` panicked", function.name());
    let results = catch_unwind(run).map_err(panicked)??;
    let results = results.iter().zip(types);
    let results = results.map(|(view, ty)| Ok(tensor(view, ty.dtype)?));
    results.collect()
}

/// Shows what a program traces. What cannot be shown is lost, as there is nobody to tell.
fn show(sink: &Sink, trace: Trace<'_>, device: &Device) {
    let views = trace.tensors.iter().map(|tensor| view(tensor, device));
    if let Ok(views) = views.collect::<Result<Vec<_>, _>>() {
        let _ = sink(&Site::marked(trace.site, trace.key), &views);
    }
}

/// The globals of a session, and what one call after the other uses.
pub(crate) struct Interpreted {
    programs: Vec<(Text, Interpreter)>,
    arguments: Vec<BufferView>,
    /// Those that were not taken.
    results: Vec<Option<BufferView>>,
    device: Device,
}

impl Interpreted {
    pub(crate) fn clear(&mut self) {
        self.arguments.clear();
        self.results.clear();
    }

    /// Adds an argument.
    pub(crate) fn push(&mut self, argument: BufferView) {
        self.arguments.push(argument);
    }

    /// Calls a function with the arguments that were added.
    pub(crate) fn invoke(&mut self, entry: &Entry) -> Result<(), IreeError> {
        let arguments = mem::take(&mut self.arguments);
        let arguments = arguments.iter().zip(&*entry.arguments);
        let arguments = arguments.map(|(view, dtype)| tensor(view, *dtype));
        let arguments = arguments.collect::<Result<Vec<_>, _>>()?;
        let mut programs = self.programs.iter_mut();
        let (_, program) = programs
            .find(|(text, _)| Arc::ptr_eq(&text.0, &entry.text.0))
            .ok_or_else(|| failed(Code::NotFound, "the function is of another session"))?;
        // It works on a copy of the globals, so what panics changes none of them.
        let results = caught(|| program.call(&entry.name, &arguments))?;
        let results = results.iter().map(|tensor| view(tensor, &self.device));
        self.results = results
            .map(|view| view.map(Some))
            .collect::<Result<_, _>>()?;
        Ok(())
    }

    /// Takes a result of the last call.
    pub(crate) fn take(&mut self, index: usize) -> Result<BufferView, IreeError> {
        let result = self.results.get_mut(index).and_then(Option::take);
        result.ok_or_else(|| failed(Code::NotFound, &format!("there is no result {index}")))
    }
}

/// Runs a program. Of what it calls on the host, only the sink may still panic.
pub(crate) fn caught<R>(
    run: impl FnOnce() -> Result<R, iree_dsl_interpreter::Error>,
) -> Result<R, IreeError> {
    let outcome = catch_unwind(AssertUnwindSafe(run));
    let outcome = outcome.map_err(|_| failed(Code::Internal, "the sink panicked"))?;
    outcome.map_err(|error| describe(&error))
}

/// The tensor of an array that holds elements of a type.
pub(crate) fn tensor(view: &BufferView, dtype: DType) -> Result<Tensor, IreeError> {
    let (ty, mapping) = (TensorType::new(dtype, view.shape()), view.map()?);
    let tensor = Tensor::from_bytes(&ty, mapping.bytes());
    tensor.map_err(|error| failed(Code::InvalidArgument, &error.to_string()))
}

/// The array of a tensor, as a compiled program would return it.
fn view(tensor: &Tensor, device: &Device) -> Result<BufferView, IreeError> {
    let code = code_of(stored_dtype(tensor.dtype()));
    BufferView::create(device.handle(), tensor.shape(), code, &tensor.to_bytes())
}

fn failed(code: Code, reason: &str) -> IreeError {
    IreeError::of_interpreter(code, reason)
}

/// What goes wrong in the words that IREE has for it, as far as somebody looks for these.
fn describe(error: &iree_dsl_interpreter::Error) -> IreeError {
    use iree_dsl_interpreter::Error::Operation;
    let Operation { cause, .. } = error else {
        return failed(Code::FailedPrecondition, &error.to_string());
    };
    let code = match &**cause {
        Cause::Assertion { message, site } => {
            return failed(Code::FailedPrecondition, &Site::marked(*site, message));
        }
        Cause::Import { .. } | Cause::ImportResults { .. } => Code::Aborted,
        Cause::Memory { .. } | Cause::Depth(_) => Code::ResourceExhausted,
        Cause::Mlir => Code::Unimplemented,
        Cause::DType(_) | Cause::Lost(_) => Code::Internal,
        _ => Code::FailedPrecondition,
    };
    failed(code, &error.to_string())
}
