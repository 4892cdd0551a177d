use super::{Blueprint, Choices, Pool, Program};
use crate::{Device, DynamicArray, Parameters, Result, Session, SessionLoader, Trace};
use iree_abi::{Artifact, Signature};
use std::time::Duration;

/// Loads a program step by step.
///
/// `P` is the generated struct around the [`Program`].
pub struct Loader<'d, P> {
    session: SessionLoader<'d>,
    artifacts: &'static [Artifact],
    signature: &'static Signature,
    target: Option<String>,
    converts: bool,
    wrap: fn(Program) -> P,
}

impl<'d, P> Loader<'d, P> {
    #[doc(hidden)]
    pub fn new(
        device: &'d Device,
        artifacts: &'static [Artifact],
        signature: &'static Signature,
        wrap: fn(Program) -> P,
    ) -> Self {
        Self {
            session: Session::loader(device),
            artifacts,
            signature,
            target: None,
            converts: false,
            wrap,
        }
    }

    /// Supplies the globals with `#[global(parameter = "scope")]`. Several archives may have one scope;
    /// what they have beside the parameters of the program is ignored.
    #[must_use]
    pub fn parameters(self, scope: &str, parameters: impl Into<Parameters>) -> Self {
        let session = self.session.parameters(scope, parameters);
        Self { session, ..self }
    }

    /// Converts parameters that archives have as floating-point numbers of another type: `f16`, `bf16`, `f32` and `f64`, and
    /// `Complex<f32>` and `Complex<f64>`, each to each. They are rounded to the nearest number, and what a type has no room
    /// for is an error. Without this, every other type is an error. It also goes for
    /// [`load_parameters`](Program::load_parameters) of the program.
    ///
    /// What is converted is not used in place: it is copied, once for all programs that are loaded with the archive.
    #[must_use]
    pub fn convert_parameters(self) -> Self {
        Self {
            converts: true,
            ..self
        }
    }

    /// Gives the program a function that it imports: `#[import] fn name(…) -> …;`. It takes and returns the
    /// tensors of the declaration, in order, as arrays on the device, which know their types as the program
    /// declares them. It runs while the program waits, so it cannot call the program. If it fails or panics,
    /// the call of the program fails.
    #[must_use]
    pub fn import<const A: usize, const R: usize>(
        mut self,
        name: &str,
        call: impl Fn([DynamicArray; A]) -> Result<[DynamicArray; R]> + Send + Sync + 'static,
    ) -> Self {
        self.session.imports = self.session.imports.function(name, call);
        self
    }

    /// Sends what the program traces to a function instead of to standard error. It runs while the program
    /// waits, so it cannot call the program.
    #[must_use]
    pub fn trace(self, sink: impl Fn(&Trace) + Send + Sync + 'static) -> Self {
        let session = self.session.trace(sink);
        Self { session, ..self }
    }

    /// Has calls that take longer fail, with the code [`DeadlineExceeded`](crate::Code::DeadlineExceeded), where they wait
    /// for the device or somebody waits for their results. What the device has to do it does nevertheless, and the
    /// next call waits for that; globals are stored as far as the call got. On `local-sync`, which works while it is
    /// told to, no call fails so.
    #[must_use]
    pub fn time_limit(self, limit: Duration) -> Self {
        let session = self.session.time_limit(limit);
        Self { session, ..self }
    }

    /// Takes the artifact for this target instead of the best one: `cpu-x86-64`, or by the names that programs are compiled
    /// for, `cpu:x86-64`, or the best of a kind, `cpu`.
    #[must_use]
    pub fn target(self, target: &str) -> Self {
        let target = Some(target.to_owned());
        Self { target, ..self }
    }

    /// Loads the best artifact that runs on the device, or the one of the target that was named.
    ///
    /// # Errors
    ///
    /// As [`Program::load`]; also [`Error::Parameters`](crate::Error::Parameters) if parameters are missing or differ, and
    /// [`Error::Imports`](crate::Error::Imports) if functions are.
    pub fn load(self) -> Result<P> {
        let wrap = self.wrap;
        self.blueprint()?.program().map(wrap)
    }

    /// Loads so many sessions of the program, for threads that call it at the same time. They share the
    /// artifact and the archives, in memory too what no session changes; each has its own globals.
    ///
    /// # Errors
    ///
    /// As [`load`](Self::load).
    ///
    /// # Panics
    ///
    /// If there are to be no sessions.
    pub fn pool(self, sessions: usize) -> Result<Pool<P>> {
        assert_ne!(sessions, 0, "a pool has at least one session");
        let wrap = self.wrap;
        let blueprint = self.blueprint()?;
        let sessions = (0..sessions).map(|_| blueprint.program().map(wrap));
        sessions.collect::<Result<_>>().map(Pool::new)
    }

    fn blueprint(self) -> Result<Blueprint> {
        let choices = Choices {
            target: self.target.as_deref(),
            converts: self.converts,
        };
        Blueprint::new(self.session, self.artifacts, self.signature, choices)
    }
}
