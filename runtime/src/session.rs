mod loader;

pub(crate) use loader::Prepared;
pub use loader::SessionLoader;

use crate::{
    Device, DynamicArray, Error, Input, Module, Result,
    check::{Bindings, Given},
    executor::Executor,
    ffi::{Estimate, IreeError},
    module::{Callable, Exported},
    parameters::Supplies,
    turns::{Turn, Turns},
};
use iree_abi::{FunctionSignature, INITIALIZE, Site, SuppliedParameter};
use std::{
    borrow::{Borrow, Cow},
    fmt,
    sync::Arc,
};

/// Modules linked on a device, with values for their globals.
///
/// A session makes one call at a time; a second thread waits. Many sessions run at the same time.
pub struct Session {
    // Dropped before the device.
    state: Turns<State>,
    modules: Vec<Module>,
    supplies: Arc<Supplies>,
    /// What the source says of the places where the modules are observed.
    sites: &'static [Site],
    device: Device,
}

/// What one call after the other uses.
pub(crate) struct State {
    pub(crate) executor: Executor,
    pub(crate) bindings: Bindings,
}

impl Session {
    /// Links modules on a device and initialises their globals. A module may use functions of those
    /// before it.
    ///
    /// # Errors
    ///
    /// [`Error::Load`] if a module needs something that is not there, such as code for this CPU.
    pub fn new<M: Borrow<Module>>(
        device: &Device,
        modules: impl IntoIterator<Item = M>,
    ) -> Result<Self> {
        Self::loader(device).load(modules)
    }

    /// Links modules with options.
    pub fn loader(device: &Device) -> SessionLoader<'_> {
        SessionLoader::new(device)
    }

    /// The device that the session is on.
    pub const fn device(&self) -> &Device {
        &self.device
    }

    /// The modules, in the order in which they were given.
    pub fn modules(&self) -> &[Module] {
        &self.modules
    }

    /// The exported function of this name: `run`, or `module.run` where two modules have a `run`.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownFunction`], or [`Error::UnsupportedFunction`] if it cannot be called from here.
    pub fn function(&self, name: &str) -> Result<Function<'_>> {
        let exported = self.find(name).ok_or_else(|| self.unknown(name))?;
        match &exported.callable {
            Ok(callable) => Ok(Function {
                session: self,
                callable,
            }),
            Err(reason) => Err(Error::UnsupportedFunction {
                function: name.to_owned(),
                reason: reason.clone(),
            }),
        }
    }

    fn find(&self, name: &str) -> Option<&Exported> {
        let all = || {
            self.modules
                .iter()
                .flat_map(|module| module.functions().iter().map(move |found| (module, found)))
                .filter(|(_, found)| !found.is_hidden())
        };
        all()
            .find(|(_, found)| found.name == name)
            .or_else(|| {
                all().find(|(module, found)| {
                    name.split_once('.') == Some((module.name(), found.name.as_str()))
                })
            })
            .map(|(_, found)| found)
    }

    fn unknown(&self, name: &str) -> Error {
        let names = self.modules.iter().flat_map(Module::functions);
        let names = names.filter(|function| !function.is_hidden());
        Error::UnknownFunction {
            name: name.to_owned(),
            available: names.map(|function| function.name.clone()).collect(),
        }
    }

    /// Waits until no other thread has a call running.
    ///
    /// # Errors
    ///
    /// [`Error::Reentered`] if this thread has.
    pub(crate) fn start(&self, function: &str) -> Result<Turn<'_, State>> {
        self.state.take().ok_or_else(|| Error::Reentered {
            function: function.to_owned(),
        })
    }
}

impl Session {
    /// That a call failed while it ran.
    #[cold]
    pub(crate) fn failed(&self, function: &str, source: IreeError) -> Error {
        match broken_assertion(self.sites, &source) {
            Some(site) => Error::Assertion {
                function: function.to_owned(),
                message: site.text.clone(),
                place: site.place.clone(),
            },
            None => Error::Call {
                function: function.to_owned(),
                source,
            },
        }
    }

    /// Stores the first values that the modules compute when they are called for it.
    fn initialize(&self) -> Result<()> {
        let exported = self.modules.iter().flat_map(Module::functions);
        let first = exported.filter(|function| function.name == INITIALIZE);
        for Callable { entry, .. } in first.filter_map(|function| function.callable.as_ref().ok()) {
            let mut state = self.start(INITIALIZE)?;
            state.executor.clear();
            let failed = |source| failed_load(self.sites, source);
            if let Some(pending) = state.executor.invoke(entry, None).map_err(failed)? {
                pending.wait().map_err(|error| match error {
                    Error::Call { source, .. } => failed(source),
                    other => other,
                })?;
            }
        }
        Ok(())
    }

    /// The bytes of a tensor that an archive supplied.
    pub(crate) fn supplied(&self, parameter: &SuppliedParameter) -> Result<Cow<'_, [u8]>> {
        self.supplies.bytes(parameter)
    }
}

/// The assertion of the program that a failure comes from.
fn broken_assertion<'s>(sites: &'s [Site], source: &IreeError) -> Option<&'s Site> {
    let message = source.message();
    let number = Site::number(message)?;
    let site = sites.get(number)?;
    message
        .starts_with(&Site::marked(number, &site.text))
        .then_some(site)
}

fn failed_load(sites: &[Site], source: IreeError) -> Error {
    match broken_assertion(sites, &source) {
        Some(site) => Error::Assertion {
            function: "load".to_owned(),
            message: site.text.clone(),
            place: site.place.clone(),
        },
        None => Error::Load { source },
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Session")
            .field("modules", &self.modules)
            .field("device", &self.device)
            .finish_non_exhaustive()
    }
}

/// An exported function of a [`Session`], found once and called often.
#[derive(Clone, Copy)]
pub struct Function<'a> {
    session: &'a Session,
    callable: &'a Callable,
}

impl Function<'_> {
    /// The types of parameters and results.
    pub const fn signature(&self) -> &FunctionSignature {
        &self.callable.signature
    }

    /// Calls the function. Arguments on the host are copied to the device.
    ///
    /// What is checked is what reflection knows. It does not know which of the sizes that are open
    /// until run time must be equal: a module that depends on that must check it.
    ///
    /// # Errors
    ///
    /// If number, element type, shape or device of the arguments are wrong, before anything runs; or
    /// [`Error::Call`] if the function fails.
    pub fn call(&self, arguments: &[&dyn Input]) -> Result<Vec<DynamicArray>> {
        let Callable {
            entry,
            signature,
            plan,
        } = self.callable;
        if arguments.len() != plan.argument_count() {
            return Err(plan.count_error(signature, arguments.len()));
        }
        let (placed, estimate) = self.place(arguments)?;
        let mut state = self.session.start(&signature.name)?;
        let _span = tracing::debug_span!("call", function = signature.name).entered();
        state.executor.clear();
        for (position, argument) in placed.into_iter().enumerate() {
            state.executor.pass(entry, position, argument)?;
        }
        let failed = |source: IreeError| self.session.failed(&signature.name, source);
        let pending = state.executor.invoke(entry, estimate).map_err(failed)?;
        (0..entry.result_count())
            .map(|index| {
                let view = state.executor.take(index).map_err(failed)?;
                let array = DynamicArray::new(view, self.session.device.clone());
                Ok(array.after(pending.clone()))
            })
            .collect()
    }

    /// Checks all arguments, then moves those to the device that are not there. Says how much work the call is, if that can
    /// be told.
    fn place<'a>(
        &self,
        arguments: &[&'a dyn Input],
    ) -> Result<(Vec<Cow<'a, DynamicArray>>, Option<Estimate>)> {
        let Callable {
            signature,
            plan,
            entry,
        } = self.callable;
        let device = &self.session.device;
        let mut bindings = Bindings::default();
        plan.start(&mut bindings);
        for (index, argument) in arguments.iter().enumerate() {
            let given = Given {
                dtype: argument.dtype()?,
                shape: &argument.shape(),
                device: argument.device(),
            };
            plan.check(signature, index, given, device, &mut bindings)?;
        }
        plan.finish(signature, &mut bindings)?;
        let estimate = plan.estimate(entry.work(), &bindings);
        let placed = arguments.iter().map(|argument| argument.place(device));
        Ok((placed.collect::<Result<_>>()?, estimate))
    }
}

impl fmt::Debug for Function<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.signature())
    }
}
