//! What runs the functions of modules: IREE those that were compiled, and the interpreter those that are text. What is
//! beyond this file is the same for both.

use crate::{
    Device, DynamicArray, HostModule, Module, Pending, Result,
    device::Runs,
    ffi::{
        self, BufferView, Estimate, Find, Invocation, IreeError, NativeModule, Rules, Sink,
        io_parameters,
    },
    interpreter::{self, Interpreted, Text},
    parameters::Supplies,
};
use iree_abi::Work;
use std::{borrow::Cow, sync::Arc};

/// What a module holds.
pub(crate) enum Code {
    Compiled(ffi::Module),
    Text(Text),
}

/// A function of a module.
#[derive(Clone)]
pub(crate) enum Entry {
    Compiled(ffi::Entry),
    Text(interpreter::Entry),
}

impl Entry {
    /// How much work a call is, if that can be told.
    pub(crate) fn work(&self) -> Option<&Work> {
        match self {
            Self::Compiled(entry) => entry.work(),
            Self::Text(_) => None,
        }
    }

    /// How many arguments the function takes.
    pub(crate) fn argument_count(&self) -> usize {
        match self {
            Self::Compiled(entry) => entry.argument_count(),
            Self::Text(entry) => entry.argument_count(),
        }
    }

    /// How many results the function returns.
    pub(crate) fn result_count(&self) -> usize {
        match self {
            Self::Compiled(entry) => entry.result_count(),
            Self::Text(entry) => entry.result_count(),
        }
    }
}

/// What modules are linked with.
pub(crate) struct Surroundings<'a> {
    pub(crate) device: &'a Device,
    pub(crate) supplies: Arc<Supplies>,
    pub(crate) hosts: Vec<HostModule>,
    pub(crate) sink: Arc<Sink>,
    pub(crate) rules: Rules,
}

/// Modules, and what all sessions of them share.
pub(crate) enum Linked {
    Compiled {
        modules: Vec<ffi::Module>,
        natives: Vec<NativeModule>,
        sink: Arc<Sink>,
        rules: Rules,
    },
    Text(interpreter::Linked),
}

impl Linked {
    pub(crate) fn new(
        modules: &[Module],
        surroundings: Surroundings<'_>,
    ) -> Result<Self, IreeError> {
        if surroundings.device.runs() == Runs::Interpreter {
            let texts = modules.iter().map(|module| match module.code() {
                Code::Text(text) => Ok(text.clone()),
                Code::Compiled(_) => Err(unsuitable("the interpreter runs no compiled modules")),
            });
            let texts = texts.collect::<Result<Vec<_>, _>>()?;
            return interpreter::Linked::new(texts, surroundings).map(Self::Text);
        }
        let modules = modules.iter().map(|module| match module.code() {
            Code::Compiled(module) => Ok(module.clone()),
            Code::Text(_) => Err(unsuitable(
                "only the interpreter runs modules that are text",
            )),
        });
        let Surroundings {
            device,
            supplies,
            hosts,
            sink,
            rules,
        } = surroundings;
        let find: Arc<Find> = Arc::new(move |scope: &str, key: &str| supplies.find(scope, key));
        let parameters = io_parameters(find, device.handle());
        let hosts = hosts.into_iter().map(|host| host.on(device));
        let natives = std::iter::once(parameters).chain(hosts);
        Ok(Self::Compiled {
            modules: modules.collect::<Result<_, _>>()?,
            natives: natives.collect::<Result<_, _>>()?,
            sink,
            rules,
        })
    }

    /// Initialises the globals of one more session.
    pub(crate) fn executor(&self, device: &Device) -> Result<Executor, IreeError> {
        match self {
            Self::Compiled {
                modules,
                natives,
                sink,
                rules,
            } => Invocation::new(device.lane()?, rules, sink.clone(), natives, modules)
                .map(Executor::Compiled),
            Self::Text(linked) => linked.interpreted().map(Executor::Text),
        }
    }
}

fn unsuitable(reason: &str) -> IreeError {
    IreeError::new(ffi::Code::Incompatible, reason)
}

/// The globals of a session, and what one call after the other uses. The functions that it is given are those of its
/// modules.
pub(crate) enum Executor {
    Compiled(Invocation),
    Text(Interpreted),
}

impl Executor {
    /// Forgets the arguments and results of earlier calls.
    pub(crate) fn clear(&mut self) {
        match self {
            Self::Compiled(invocation) => invocation.clear(),
            Self::Text(interpreted) => interpreted.clear(),
        }
    }

    /// Adds the argument at a position. What the function writes to is made to be nobody else's.
    pub(crate) fn pass(
        &mut self,
        entry: &Entry,
        position: usize,
        array: Cow<'_, DynamicArray>,
    ) -> Result<()> {
        match (self, entry) {
            (Self::Compiled(invocation), Entry::Compiled(entry)) => {
                pass(invocation, entry, position, array)
            }
            (Self::Text(interpreted), _) => {
                array.wait()?;
                interpreted.push(array.into_owned().into_view());
                Ok(())
            }
            // Which cannot be called.
            (Self::Compiled(_), Entry::Text(_)) => Ok(()),
        }
    }

    /// Calls a function with the arguments that were added, which is so much work, if that is known. Returns what its
    /// results wait for, if they are not there yet.
    ///
    /// # Errors
    ///
    /// If the number of arguments is wrong, or the function fails.
    pub(crate) fn invoke(
        &mut self,
        entry: &Entry,
        estimate: Option<Estimate>,
    ) -> Result<Option<Pending>, IreeError> {
        match (self, entry) {
            (Self::Compiled(invocation), Entry::Compiled(entry)) => {
                let queued = invocation.invoke(entry, estimate)?;
                Ok(queued.map(|queued| Pending::new(queued, entry.name().clone())))
            }
            (Self::Text(interpreted), Entry::Text(entry)) => {
                interpreted.invoke(entry).map(|()| None)
            }
            _ => Err(unsuitable("the function is of another session")),
        }
    }

    /// Takes a result of the last call.
    ///
    /// # Errors
    ///
    /// If the result is not there, was taken, or is not an array.
    pub(crate) fn take(&mut self, index: usize) -> Result<BufferView, IreeError> {
        match self {
            Self::Compiled(invocation) => invocation.take(index),
            Self::Text(interpreted) => interpreted.take(index),
        }
    }
}

fn pass(
    invocation: &mut Invocation,
    entry: &ffi::Entry,
    position: usize,
    array: Cow<'_, DynamicArray>,
) -> Result<()> {
    match array.pending() {
        Some(pending) if entry.is_queued() && !array.buffer_view().is_part() => {
            invocation.wait_for(pending.fence().clone());
        }
        _ => array.wait()?,
    }
    match array {
        Cow::Borrowed(lent) if !entry.updates(position) => invocation.push(lent.buffer_view()),
        Cow::Borrowed(lent) => invocation.give(lent.copy()?.into_view()),
        Cow::Owned(given) if !entry.updates(position) => invocation.give(given.into_view()),
        Cow::Owned(given) => invocation.give(given.into_exclusive()?.into_view()),
    }
    Ok(())
}
