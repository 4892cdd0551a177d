//! The check mode: the interpreter runs each call too, and what differs by more than rounding explains is an error.
//!
//! A program on a device has a [`Shadow`]: the same program on the interpreter. Before a call it gets the globals of the
//! device, so that it never drifts away from it, and copies of the arguments, some of which the device may overwrite.
//! After the call, results and globals are compared within the bounds that the interpreter computes along with its
//! results. Functions of the host run once: the interpreter is told what they returned. Traces are shown once.

mod difference;
mod replies;

pub use difference::{Difference, DifferenceKind, Subject};
pub(crate) use replies::Replies;

use crate::{
    Device, DynamicArray, Error, HostModule, Pending, Result,
    device::Runs,
    executor::{Entry, Executor},
    ffi::{BufferView, IreeError},
    interpreter::{self, Text, tensor},
    parameters::Supplies,
};
use iree_abi::{Artifact, FunctionSignature, INTERPRETER, Leaf, RESTORE, SAVE, Signature};
use iree_dsl_interpreter::{Cause, Comparison, Host, Interpreter, Tensor, Value};
use std::{
    collections::BTreeSet,
    env,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Asks for the check mode: anything but nothing and `0`.
const VARIABLE: &str = "IREE_DSL_CHECK";

/// What all sessions of a program need to be checked.
#[derive(Clone)]
pub(crate) struct Checks {
    text: Text,
    signature: &'static Signature,
    device: Device,
    replies: Replies,
    /// Sessions that are checked take turns, so that replies are those to one call.
    turn: Arc<Mutex<()>>,
}

impl Checks {
    /// What a program on a device needs to be checked, if that is wanted and the device is another one than the
    /// interpreter.
    pub(crate) fn of(
        device: &Device,
        artifacts: &'static [Artifact],
        signature: &'static Signature,
    ) -> Result<Option<Self>> {
        let variable = env::var_os(VARIABLE);
        let is_wanted = variable.is_some_and(|value| !value.is_empty() && value != "0");
        let text = artifacts
            .iter()
            .find(|artifact| artifact.target == INTERPRETER);
        let text = text.filter(|_| is_wanted && device.runs() != Runs::Interpreter);
        let checks = text.map(|artifact| {
            Ok(Self {
                text: Text::read(artifact.bytes)?,
                signature,
                device: device.clone(),
                replies: Replies::default(),
                turn: Arc::default(),
            })
        });
        checks.transpose()
    }

    /// The functions of the host, of which is noted what they return.
    pub(crate) fn note(&self, hosts: HostModule) -> HostModule {
        hosts.noted(&self.replies)
    }

    /// The program on the interpreter, for a session. `save` is the function of the device's module that returns the
    /// globals which the program changes. Says it if the interpreter cannot have the program.
    pub(crate) fn shadow(&self, supplies: &Arc<Supplies>, save: Option<&Entry>) -> Option<Shadow> {
        let loaded = self.load(supplies);
        let loaded = loaded.map_err(|error| not_checked(&self.signature.name, error.message()));
        Some(Shadow {
            checks: self.clone(),
            save: save.cloned(),
            state: Mutex::new(State {
                interpreter: loaded.ok()?,
                told: BTreeSet::new(),
                counts: Counts::default(),
            }),
        })
    }

    fn load(&self, supplies: &Supplies) -> Result<Interpreter, IreeError> {
        let mut host = Host::default();
        for parameter in interpreter::parameters(&self.text, supplies) {
            let (name, tensor) = parameter?;
            host.parameter(name.scope, name.key, tensor);
        }
        for import in interpreter::imports(self.text.module()) {
            let (replies, name) = (self.replies.clone(), import.name.clone());
            let types = import.results.clone();
            host.import(&import.name, move |_| replies.next(&name, &types));
        }
        interpreter::caught(|| host.load_within(self.text.verified().clone()))
    }
}

/// Says on standard error that something is not checked.
fn not_checked(what: &str, reason: &str) {
    eprintln!("[check] `{what}` is not checked: {reason}");
}

/// A program on the interpreter, beside the one on the device.
pub(crate) struct Shadow {
    checks: Checks,
    save: Option<Entry>,
    state: Mutex<State>,
}

struct State {
    interpreter: Interpreter,
    /// What was said of procedures that are not checked.
    told: BTreeSet<String>,
    counts: Counts,
}

#[derive(Default)]
struct Counts {
    calls: usize,
    compared: usize,
    undecided: usize,
}

impl Shadow {
    /// Starts a call of the device, before it is given arguments.
    pub(crate) fn begin<'s>(
        &'s self,
        executor: &mut Executor,
        signature: &'s FunctionSignature,
    ) -> Result<Checking<'s>> {
        let turn = self
            .checks
            .turn
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let before = self.saved(executor)?;
        executor.clear();
        self.checks.replies.clear();
        Ok(Checking {
            shadow: self,
            signature,
            before,
            arguments: Vec::new(),
            _turn: turn,
        })
    }

    /// The globals of the device that the program changes, on the host.
    fn saved(&self, executor: &mut Executor) -> Result<Vec<Tensor>> {
        let Some(save) = &self.save else {
            return Ok(Vec::new());
        };
        executor.clear();
        let failed = |source| Error::Call {
            function: SAVE.to_owned(),
            source,
        };
        let pending = executor.invoke(save, None).map_err(failed)?;
        pending.as_ref().map_or(Ok(()), Pending::wait)?;
        let leaves = self.checks.signature.state.iter().enumerate();
        let tensors = leaves.map(|(index, leaf)| {
            let view = executor.take(index)?;
            tensor(&view, leaf.ty.dtype)
        });
        tensors.collect::<Result<_, _>>().map_err(failed)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Shadow {
    /// Says how much was not compared.
    fn drop(&mut self) {
        let Counts {
            calls,
            compared,
            undecided,
        } = self.state().counts;
        if undecided > 0 {
            eprintln!(
                "[check] `{}`: {compared} numbers of {calls} calls were compared; {undecided} are decided by how \
                 others are rounded, and were not",
                self.checks.signature.name
            );
        }
    }
}

/// A call that is checked.
pub(crate) struct Checking<'s> {
    shadow: &'s Shadow,
    signature: &'s FunctionSignature,
    before: Vec<Tensor>,
    arguments: Vec<Tensor>,
    _turn: MutexGuard<'s, ()>,
}

impl Checking<'_> {
    /// Copies the next argument, which the device may change.
    pub(crate) fn argument(&mut self, array: &DynamicArray) -> Result<()> {
        array.wait()?;
        let leaf = self.signature.arguments().nth(self.arguments.len());
        if let Some((_, ty)) = leaf {
            let read = tensor(array.buffer_view(), ty.dtype);
            self.arguments.push(read.map_err(|source| Error::Transfer {
                action: "read",
                source,
            })?);
        }
        Ok(())
    }

    /// Waits for the call, and compares it with that of the interpreter. Returns the results.
    pub(crate) fn finish(
        self,
        executor: &mut Executor,
        entry: &Entry,
        pending: Option<Pending>,
    ) -> Result<Vec<Option<BufferView>>> {
        pending.as_ref().map_or(Ok(()), Pending::wait)?;
        let failed = |source| Error::Call {
            function: self.signature.name.clone(),
            source,
        };
        let views = (0..entry.result_count()).map(|index| executor.take(index));
        let views = views.collect::<Result<Vec<_>, _>>().map_err(failed)?;
        let leaves = self.signature.results.iter();
        let results = views.iter().zip(leaves);
        let results = results.map(|(view, leaf)| tensor(view, leaf.ty.dtype));
        let results = results.collect::<Result<Vec<_>, _>>().map_err(failed)?;
        let after = self.shadow.saved(executor)?;
        executor.clear();
        self.compare(&results, &after)?;
        Ok(views.into_iter().map(Some).collect())
    }

    fn compare(&self, results: &[Tensor], after: &[Tensor]) -> Result<()> {
        let mut state = self.shadow.state();
        let (expected, globals) = match self.interpret(&mut state.interpreter) {
            Ok(values) => values,
            Err(error) => return self.not_interpreted(&mut state, &error),
        };
        state.counts.calls += 1;
        let signature = self.shadow.checks.signature;
        let results = results.iter().zip(&expected).zip(&self.signature.results);
        let results = results.map(|(both, leaf)| (both, Subject::Result, leaf));
        let globals = after.iter().zip(&globals).zip(&signature.state);
        let globals = globals.map(|(both, leaf)| (both, Subject::Global, leaf));
        for (both, of, leaf) in results.chain(globals) {
            self.compare_one(&mut state.counts, both, (of, path(of, leaf)))?;
        }
        Ok(())
    }

    /// What the interpreter makes of the call: results, and globals after it.
    fn interpret(
        &self,
        interpreter: &mut Interpreter,
    ) -> Result<(Vec<Value>, Vec<Value>), iree_dsl_interpreter::Error> {
        let has_state = self.shadow.save.is_some();
        if has_state {
            interpreter.call(RESTORE, &self.before)?;
        }
        let results = interpreter.call_within(&self.signature.name, &self.arguments)?;
        let globals = match has_state {
            true => interpreter.call_within(SAVE, &[])?,
            false => Vec::new(),
        };
        Ok((results, globals))
    }

    /// What only the interpreter found to be wrong is a difference; what it cannot run is told once.
    fn not_interpreted(
        &self,
        state: &mut State,
        error: &iree_dsl_interpreter::Error,
    ) -> Result<()> {
        if let iree_dsl_interpreter::Error::Operation { cause, .. } = error
            && let Cause::Assertion { message, site } = &**cause
        {
            let site = self.shadow.checks.signature.sites.get(*site);
            return Err(self.differs(DifferenceKind::Assertion {
                message: message.clone(),
                place: site.map(|site| site.place.clone()),
            }));
        }
        if state.told.insert(self.signature.name.clone()) {
            not_checked(&self.signature.name, &error.to_string());
        }
        Ok(())
    }

    fn compare_one(
        &self,
        counts: &mut Counts,
        (found, expected): (&Tensor, &Value),
        (of, path): (Subject, String),
    ) -> Result<()> {
        let compared = Comparison::of(&expected.tensor, &expected.bound, found);
        let Ok(compared) = compared else {
            return Err(self.differs(DifferenceKind::Sizes {
                of,
                path,
                found: found.shape().to_vec(),
                expected: expected.tensor.shape().to_vec(),
            }));
        };
        counts.compared += compared.compared;
        counts.undecided += compared.undecided;
        match compared.mismatch {
            None => Ok(()),
            Some(mismatch) => Err(self.differs(DifferenceKind::element(of, path, mismatch))),
        }
    }

    fn differs(&self, kind: DifferenceKind) -> Error {
        Error::Difference(Box::new(Difference {
            procedure: self.signature.name.clone(),
            device: self.shadow.checks.device.name().to_owned(),
            kind,
        }))
    }
}

/// The path to a result, as one writes it behind a call, or to a global.
fn path(of: Subject, leaf: &Leaf) -> String {
    match of {
        Subject::Result if !leaf.path.is_empty() => format!(".{}", leaf.path),
        Subject::Result | Subject::Global => leaf.path.clone(),
    }
}
