use crate::{
    Device, DynamicArray, Error, Result,
    element::{code_of, is_stored_as, stored_dtype},
    ffi,
};
use iree_abi::{FunctionSignature, Leaf, TensorType};
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

/// A function that is written in Rust.
#[derive(Clone)]
pub(crate) struct HostFunction {
    name: String,
    arguments: usize,
    results: usize,
    /// What a program says of it.
    signature: Option<&'static FunctionSignature>,
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
            signature: None,
            call: Arc::new(counted),
        });
        self
    }

    /// Checks that a program finds what it imports, and lets it check what it is given.
    ///
    /// # Errors
    ///
    /// [`Error::Imports`] with everything that is missing or different.
    pub(crate) fn check(
        &mut self,
        program: &str,
        imports: &'static [FunctionSignature],
    ) -> Result<()> {
        let mut problems = Vec::new();
        for import in imports {
            let mut functions = self.functions.iter_mut();
            let found = functions.find(|function| function.name == import.name);
            let (arguments, results) = (import.arguments().count(), import.results.len());
            match found {
                None => problems.push(format!("{import}: it was not given")),
                Some(function)
                    if (function.arguments, function.results) != (arguments, results) =>
                {
                    problems.push(format!(
                        "{import}: it was given with {} arguments and {} results",
                        function.arguments, function.results
                    ));
                }
                Some(function) => function.signature = Some(import),
            }
        }
        match problems.is_empty() {
            true => Ok(()),
            false => Err(Error::Imports {
                program: program.to_owned(),
                problems,
            }),
        }
    }

    /// What a module imports from the module of a name.
    #[cfg(feature = "interpreter")]
    pub(crate) fn find(&self, module: &str, name: &str) -> Option<&HostFunction> {
        let mut functions = self.functions.iter().filter(|_| self.name == module);
        functions.find(|function| function.name == name)
    }

    /// The same functions, of which is noted what they return.
    #[cfg(feature = "check")]
    pub(crate) fn noted(mut self, replies: &crate::shadow::Replies) -> Self {
        for function in &mut self.functions {
            let (name, replies) = (function.name.clone(), replies.clone());
            let call = function.call.clone();
            function.call = Arc::new(move |arguments| {
                let results = call(arguments)?;
                replies.note(&name, &results);
                Ok(results)
            });
        }
        self
    }

    /// The module on a device.
    pub(crate) fn on(self, device: &Device) -> Result<ffi::NativeModule, ffi::IreeError> {
        let functions = self.functions.into_iter().map(|function| {
            let device = device.clone();
            ffi::Shared {
                name: function.name.clone(),
                arguments: function.arguments,
                results: function.results,
                call: Box::new(move |views| function.run(&device, views)),
            }
        });
        ffi::shared_module(self.name, device.handle(), functions.collect())
    }

    /// Whether it has no functions.
    pub(crate) const fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }
}

impl HostFunction {
    #[cfg(feature = "interpreter")]
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Calls the function with arrays of a device.
    pub(crate) fn run(
        &self,
        device: &Device,
        views: Vec<ffi::BufferView>,
    ) -> Result<Vec<ffi::BufferView>, String> {
        let views = views.into_iter().enumerate();
        let arguments = views.map(|(index, view)| {
            let expected = self
                .signature
                .and_then(|known| known.arguments().nth(index));
            // A program has its own words for types of which IREE knows the bits alone.
            let view = match expected {
                Some((_, ty)) => view.with_element_type(code_of(ty.dtype)),
                None => Ok(view),
            };
            let view = view.map_err(|error| error.to_string())?;
            Ok(DynamicArray::new(view, device.clone()))
        });
        let arguments = arguments.collect::<Result<Vec<_>, String>>()?;
        let results = (self.call)(arguments).map_err(|error| format!("{error:?}"))?;
        let results = results.into_iter().enumerate();
        results
            .map(|(index, array)| self.result(device, index, array))
            .collect()
    }

    fn result(
        &self,
        device: &Device,
        index: usize,
        array: DynamicArray,
    ) -> Result<ffi::BufferView, String> {
        let name = &self.name;
        if array.device() != device {
            return Err(format!("`{name}` returned an array of another device"));
        }
        // The program may write to it.
        let array = array
            .into_exclusive()
            .map_err(|error| format!("{error:?}"))?;
        let expected = self.signature.and_then(|known| known.results.get(index));
        let Some(Leaf { ty: expected, .. }) = expected else {
            return Ok(array.into_view());
        };
        let is_of_type = is_stored_as(expected.dtype, array.buffer_view().element_type());
        if !is_of_type || !expected.shape.accepts(array.shape()) {
            let found = array.dtype().map_err(|error| error.to_string())?;
            let found = TensorType::new(found, array.shape());
            return Err(format!(
                "`{name}` returned a `{found}` instead of a `{expected}`"
            ));
        }
        let code = code_of(stored_dtype(expected.dtype));
        let view = array.into_view().with_element_type(code);
        view.map_err(|error| error.to_string())
    }
}

impl fmt::Debug for HostModule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.functions.iter().map(|function| &function.name);
        write!(formatter, "{} ", self.name)?;
        formatter.debug_set().entries(names).finish()
    }
}
