//! What generated code is made of.
//!
//! A generated program is a struct around a [`Program`]. Each of its methods starts a [`Call`], adds
//! the arguments, and takes the results:
//!
//! ```
//! use iree_runtime::{Argument, DeviceArray, Result, program::Program};
//! use ndarray::Ix2;
//!
//! struct Kernel(Program);
//!
//! impl Kernel {
//!     fn run<'a>(&mut self, x: impl Into<Argument<'a, f32, Ix2>>) -> Result<DeviceArray<f32, Ix2>> {
//!         let mut call = self.0.call(0)?;
//!         call.argument(x.into())?;
//!         call.invoke()?.next()
//!     }
//! }
//! ```

mod call;
mod choice;
mod load;
mod pool;
mod save;
mod tree;

pub use call::{Call, Results};
pub use load::Loader;
pub use pool::{Pool, Pooled};
use save::State;
pub use tree::{Tree, TreeArgument, each};

use crate::{
    Device, Error, Module, Result, Session, SessionLoader,
    check::Plan,
    executor::Entry,
    module::{Callable, Exported},
    session::Prepared,
    shadow::{Checks, Shadow},
};
use iree_abi::{Artifact, FunctionSignature, Signature};
use std::fmt;

/// A compiled program on a device, with values for its globals.
pub struct Program {
    session: Session,
    procedures: Vec<Procedure>,
    state: Option<State>,
    /// What checks its calls.
    shadow: Option<Shadow>,
    /// Whether parameters of other types are converted.
    converts: bool,
    signature: &'static Signature,
}

struct Procedure {
    entry: Entry,
    plan: Plan,
}

impl Program {
    /// Loads the best artifact that runs on the device.
    ///
    /// # Errors
    ///
    /// [`Error::NoArtifact`] if none does; [`Error::Signature`] if the artifact is of another program.
    pub fn load(
        device: &Device,
        artifacts: &'static [Artifact],
        signature: &'static Signature,
    ) -> Result<Self> {
        let loader = Session::loader(device);
        Blueprint::new(loader, artifacts, signature, Choices::default())?.program()
    }

    /// The device that the program is on.
    pub const fn device(&self) -> &Device {
        self.session.device()
    }

    /// Starts a call of the procedure with this index in the signature. Calls of the program by other
    /// threads wait until this one, or its results, are dropped.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownFunction`] if there is no such procedure, [`Error::Reentered`] if this thread has
    /// another call of the program.
    pub fn call(&self, function: usize) -> Result<Call<'_>> {
        let found = self.procedures.get(function);
        match found.zip(self.signature.functions.get(function)) {
            Some((procedure, signature)) => {
                let shadow = self.shadow.as_ref();
                Call::checked(&self.session, procedure, signature, shadow)
            }
            None => Err(Error::UnknownFunction {
                name: format!("#{function}"),
                available: self
                    .signature
                    .functions
                    .iter()
                    .map(|f| f.name.clone())
                    .collect(),
            }),
        }
    }
}

/// What whoever loads a program asks for.
#[derive(Clone, Copy, Default)]
struct Choices<'t> {
    /// The target whose artifact is taken.
    target: Option<&'t str>,
    /// Whether parameters of other types are converted.
    converts: bool,
}

/// What all sessions of a program are made from.
struct Blueprint {
    prepared: Prepared,
    module: Module,
    checks: Option<Checks>,
    converts: bool,
    signature: &'static Signature,
}

impl Blueprint {
    fn new(
        mut loader: SessionLoader<'_>,
        artifacts: &'static [Artifact],
        signature: &'static Signature,
        choices: Choices<'_>,
    ) -> Result<Self> {
        let artifact = choice::choose(loader.device(), artifacts, choices.target)?;
        if choices.converts {
            loader.supplies_mut().convert(signature);
        }
        loader.supplies().check(signature)?;
        loader.imports.check(&signature.name, &signature.imports)?;
        let checks = Checks::of(loader.device(), artifacts, signature)?;
        if let Some(checks) = &checks {
            loader.imports = checks.note(loader.imports);
        }
        let module = Module::of_artifact(artifact)?;
        let loader = loader.has_state(!signature.state.is_empty());
        Ok(Self {
            prepared: loader.sites(&signature.sites).prepare([&module])?,
            module,
            checks,
            converts: choices.converts,
            signature,
        })
    }

    fn program(&self) -> Result<Program> {
        let functions = self.signature.functions.iter();
        let procedures = functions.map(|function| procedure(&self.module, function));
        let state = State::of(&self.module, self.signature)?;
        let save = state.as_ref().map(State::save);
        let checks = self.checks.as_ref();
        Ok(Program {
            procedures: procedures.collect::<Result<_>>()?,
            shadow: checks.and_then(|checks| checks.shadow(self.prepared.supplies(), save)),
            state,
            session: self.prepared.session()?,
            converts: self.converts,
            signature: self.signature,
        })
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} on {}",
            self.signature.name,
            self.device().name()
        )
    }
}

/// The procedure of the module that a signature describes.
fn procedure(module: &Module, signature: &FunctionSignature) -> Result<Procedure> {
    let differ = |reason| Error::Signature {
        module: module.name().to_owned(),
        reason,
    };
    let name = &signature.name;
    let exported = module.functions().iter().find(|found| found.name == *name);
    let callable = match exported {
        Some(Exported { callable, .. }) => callable.as_ref(),
        None => return Err(differ(format!("it has no procedure `{name}`"))),
    };
    let Callable { entry, .. } =
        callable.map_err(|reason| differ(format!("`{name}` cannot be called: {reason}")))?;
    let expected = (signature.arguments().count(), signature.results.len());
    let found = (entry.argument_count(), entry.result_count());
    if expected != found {
        return Err(differ(format!(
            "`{name}` has {} arguments and {} results instead of {} and {}",
            found.0, found.1, expected.0, expected.1
        )));
    }
    Ok(Procedure {
        entry: entry.clone(),
        plan: Plan::new(signature),
    })
}
