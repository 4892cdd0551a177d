use crate::{Bound, Error, Interpreter, Tensor, frame::Follows};
use iree_dsl_ir::{ParameterName, Verified};
use std::{collections::BTreeMap, fmt, sync::Arc};

/// What a function of the host says when it fails.
pub type ImportError = Box<dyn std::error::Error + Send + Sync>;

type Import = Box<dyn FnMut(&[Tensor]) -> Result<Vec<Tensor>, ImportError> + Send>;

type Sink = Box<dyn FnMut(Trace<'_>) + Send>;

/// Tensors that a program shows.
#[derive(Clone, Copy, Debug)]
pub struct Trace<'a> {
    /// The key that the program gives them.
    pub key: &'a str,
    /// Which of the module's sites it is.
    pub site: usize,
    /// The tensors.
    pub tensors: &'a [Tensor],
    /// How far each of them may be off, where that is asked for.
    pub bounds: &'a [Bound],
}

/// What a module needs beside itself.
///
/// # Examples
///
/// ```
/// use iree_dsl_interpreter::{Host, Tensor};
/// use iree_dsl_ir::{text, verify};
///
/// let module = text::parse(
///     "module @m {
///        global @weight: Tensor<f32> parameter @model @weight
///        func public @ask(%0 x: Tensor<f32>) -> Tensor<f32> {
///          %1 = global_load @weight : Tensor<f32>
///          %2 = multiply %0, %1 : Tensor<f32>
///          %3 = import %2 name round parameters [x: Tensor<f32>] results [Tensor<f32>] : Tensor<f32>
///          return %3
///        }
///      }",
/// )?;
/// let mut host = Host::default();
/// host.parameter("model", "weight", 0.75_f32);
/// host.import("round", |arguments| match arguments {
///     [Tensor::F32(x)] => Ok(vec![Tensor::from(x.mapv(f32::round))]),
///     _ => Err("one number".into()),
/// });
/// let mut program = host.load(verify(module).expect("a sound module"))?;
/// assert_eq!(program.call("ask", &[2.0_f32.into()])?, [2.0_f32.into()]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Host {
    pub(crate) parameters: BTreeMap<ParameterName, Tensor>,
    pub(crate) imports: BTreeMap<String, Import>,
    pub(crate) sink: Option<Sink>,
    pub(crate) memory: usize,
}

/// 8 GiB.
const MEMORY: usize = 1 << 33;

impl Default for Host {
    fn default() -> Self {
        Self {
            parameters: BTreeMap::new(),
            imports: BTreeMap::new(),
            sink: None,
            memory: MEMORY,
        }
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Host")
            .field("parameters", &self.parameters.keys())
            .field("imports", &self.imports.keys())
            .field("traces", &self.sink.is_some())
            .field("memory", &self.memory)
            .finish()
    }
}

impl Host {
    /// Gives a tensor of an archive, for the global that is this parameter.
    pub fn parameter(
        &mut self,
        scope: impl Into<String>,
        key: impl Into<String>,
        tensor: impl Into<Tensor>,
    ) -> &mut Self {
        let name = ParameterName {
            scope: scope.into(),
            key: key.into(),
        };
        self.parameters.insert(name, tensor.into());
        self
    }

    /// Gives a function that the module imports.
    pub fn import(
        &mut self,
        name: impl Into<String>,
        function: impl FnMut(&[Tensor]) -> Result<Vec<Tensor>, ImportError> + Send + 'static,
    ) -> &mut Self {
        self.imports.insert(name.into(), Box::new(function));
        self
    }

    /// Says where traces go. Without it nobody sees them.
    pub fn trace(&mut self, sink: impl FnMut(Trace<'_>) + Send + 'static) -> &mut Self {
        self.sink = Some(Box::new(sink));
        self
    }

    /// Says how many bytes the values of running functions may take, 8 GiB if nothing is said. Each value counts by
    /// itself, also where some share memory.
    pub const fn memory(&mut self, bytes: usize) -> &mut Self {
        self.memory = bytes;
        self
    }

    /// Loads a module, which several may share: computes the first values of its globals.
    ///
    /// # Errors
    ///
    /// If a parameter or a function is missing or has another type, or the initialiser of a global fails.
    pub fn load(self, verified: impl Into<Arc<Verified>>) -> Result<Interpreter, Error> {
        Interpreter::load(verified.into(), self, Follows::Tensors)
    }

    /// The same, for calls that say how far results may be off: also of what globals have first.
    ///
    /// # Errors
    ///
    /// As [`load`](Self::load).
    pub fn load_within(self, verified: impl Into<Arc<Verified>>) -> Result<Interpreter, Error> {
        Interpreter::load(verified.into(), self, Follows::Bounds)
    }
}
