use crate::{Device, DynamicArray, Error, Result, ffi};
use std::{fmt, sync::Arc};

/// A module whose functions are written in Rust, for modules that import them.
///
/// A module in MLIR imports a function by declaring it with the name of its module before it:
/// `func.func private @host.scale(tensor<4xf32>) -> tensor<4xf32>`.
///
/// # Examples
///
/// ```
/// use iree_runtime::{DynamicArray, HostModule};
///
/// let host = HostModule::new("host")
///     .function("swap", |[a, b]: [DynamicArray; 2]| Ok([b, a]));
/// ```
#[derive(Clone)]
pub struct HostModule {
    name: String,
    functions: Vec<HostFunction>,
}

#[derive(Clone)]
struct HostFunction {
    name: String,
    arguments: usize,
    results: usize,
    call: Arc<Call>,
}

/// What a function makes of its arguments.
type Call = dyn Fn(Vec<DynamicArray>) -> Result<Vec<DynamicArray>> + Send + Sync;

impl HostModule {
    /// A module without functions.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            functions: Vec::new(),
        }
    }

    /// Adds a function, in the place of another of that name. It runs while the module that calls it waits,
    /// so it cannot call the session. If it fails or panics, the call of that module fails.
    #[must_use]
    pub fn function<const A: usize, const R: usize>(
        mut self,
        name: impl Into<String>,
        call: impl Fn([DynamicArray; A]) -> Result<[DynamicArray; R]> + Send + Sync + 'static,
    ) -> Self {
        let name = name.into();
        self.functions.retain(|function| function.name != name);
        let counted = move |arguments: Vec<DynamicArray>| {
            let given = arguments.len();
            let arguments = arguments.try_into().map_err(|_| Error::ArgumentCount {
                function: "a function of the host".to_owned(),
                expected: A,
                given,
            })?;
            call(arguments).map(Vec::from)
        };
        self.functions.push(HostFunction {
            name,
            arguments: A,
            results: R,
            call: Arc::new(counted),
        });
        self
    }

    /// The module on a device.
    pub(crate) fn on(self, device: &Device) -> Result<ffi::NativeModule, ffi::IreeError> {
        let functions = self.functions.into_iter().map(|function| {
            let (device, name) = (device.clone(), function.name.clone());
            let call = function.call;
            ffi::Shared {
                name: function.name,
                arguments: function.arguments,
                results: function.results,
                call: Box::new(move |views| {
                    let arguments = views.into_iter();
                    let arguments = arguments.map(|view| DynamicArray::new(view, device.clone()));
                    let results =
                        call(arguments.collect()).map_err(|error| format!("{error:?}"))?;
                    match results.iter().all(|array| *array.device() == device) {
                        true => Ok(results.into_iter().map(DynamicArray::into_view).collect()),
                        false => Err(format!("`{name}` returned an array of another device")),
                    }
                }),
            }
        });
        ffi::shared_module(self.name, functions.collect())
    }
}

impl fmt::Debug for HostModule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.functions.iter().map(|function| &function.name);
        write!(formatter, "{} ", self.name)?;
        formatter.debug_set().entries(names).finish()
    }
}
