use crate::{Device, Error, Result};
use iree_abi::{DType, Dim, FunctionSignature, TensorType};

/// What a function's arguments are checked against, prepared so that checking allocates nothing.
pub(crate) struct Plan {
    arguments: Box<[Expected]>,
    names: usize,
}

struct Expected {
    dtype: DType,
    sizes: Box<[Size]>,
}

#[derive(Clone, Copy)]
enum Size {
    Known(usize),
    /// The number of the dimension's name.
    Named(usize),
    Any,
}

/// The sizes that named dimensions have in a call: with each, the argument that had it first.
#[derive(Default)]
pub(crate) struct Bindings(Vec<Option<(usize, usize)>>);

/// An argument as it is given.
#[derive(Clone, Copy)]
pub(crate) struct Given<'a> {
    pub(crate) dtype: DType,
    pub(crate) shape: &'a [usize],
    pub(crate) device: Option<&'a Device>,
}

impl Plan {
    pub(crate) fn new(signature: &FunctionSignature) -> Self {
        let mut names: Vec<String> = Vec::new();
        let mut size = |dim: &Dim| match dim {
            Dim::Static(size) => Size::Known(*size),
            Dim::Dynamic(name) if name.is_empty() => Size::Any,
            Dim::Dynamic(name) => {
                let known = names.iter().position(|other| other == name);
                Size::Named(known.unwrap_or_else(|| {
                    names.push(name.clone());
                    names.len() - 1
                }))
            }
        };
        let arguments = signature
            .arguments()
            .map(|(_, ty)| Expected {
                dtype: ty.dtype,
                sizes: ty.shape.dims().iter().map(&mut size).collect(),
            })
            .collect();
        Self {
            arguments,
            names: names.len(),
        }
    }

    /// How many arguments there are.
    pub(crate) fn argument_count(&self) -> usize {
        self.arguments.len()
    }

    /// Starts a call.
    pub(crate) fn start(&self, bindings: &mut Bindings) {
        bindings.0.clear();
        bindings.0.resize(self.names, None);
    }

    /// Checks one argument; the signature is the one that the plan was made from.
    pub(crate) fn check(
        &self,
        signature: &FunctionSignature,
        index: usize,
        given: Given<'_>,
        device: &Device,
        bindings: &mut Bindings,
    ) -> Result<()> {
        let Some(expected) = self.arguments.get(index) else {
            return Err(self.count_error(signature, index + 1));
        };
        let fail = Failure { signature, index };
        if expected.dtype != given.dtype {
            return Err(fail.dtype(given));
        }
        if expected.sizes.len() != given.shape.len() {
            return Err(fail.shape(given));
        }
        for (axis, (expected, given_size)) in expected.sizes.iter().zip(given.shape).enumerate() {
            match *expected {
                Size::Any => {}
                Size::Known(size) if size == *given_size => {}
                Size::Known(_) => return Err(fail.shape(given)),
                Size::Named(name) => match bindings.0[name] {
                    None => bindings.0[name] = Some((*given_size, index)),
                    Some((size, _)) if size == *given_size => {}
                    Some(bound) => return Err(fail.dimension(axis, *given_size, bound)),
                },
            }
        }
        match given.device {
            Some(other) if other != device => Err(fail.device(device, other)),
            _ => Ok(()),
        }
    }

    /// That a call has another number of arguments than it should.
    #[cold]
    pub(crate) fn count_error(&self, signature: &FunctionSignature, given: usize) -> Error {
        Error::ArgumentCount {
            function: signature.name.clone(),
            expected: self.arguments.len(),
            given,
        }
    }
}

/// An argument that does not fit.
struct Failure<'a> {
    signature: &'a FunctionSignature,
    index: usize,
}

impl Failure<'_> {
    fn name_of(&self, index: usize) -> String {
        let argument = self.signature.arguments().nth(index);
        argument.map_or_else(String::new, |(name, _)| name)
    }

    /// Function, parameter, expected type and given type.
    fn parts(&self, given: Given<'_>) -> (String, String, Box<TensorType>, Box<TensorType>) {
        let given = TensorType::new(given.dtype, given.shape);
        let (parameter, expected) = self.signature.arguments().nth(self.index).map_or_else(
            || (String::new(), given.clone()),
            |(name, ty)| (name, ty.clone()),
        );
        let function = self.signature.name.clone();
        (function, parameter, Box::new(expected), Box::new(given))
    }

    #[cold]
    fn dtype(&self, given: Given<'_>) -> Error {
        let (function, parameter, expected, given) = self.parts(given);
        Error::ArgumentDType {
            function,
            parameter,
            expected,
            given,
        }
    }

    #[cold]
    fn shape(&self, given: Given<'_>) -> Error {
        let (function, parameter, expected, given) = self.parts(given);
        Error::ArgumentShape {
            function,
            parameter,
            expected,
            given,
        }
    }

    #[cold]
    fn dimension(&self, axis: usize, given: usize, (expected, first): (usize, usize)) -> Error {
        let argument = self.signature.arguments().nth(self.index);
        let dimension = argument.map_or_else(String::new, |(_, ty)| {
            ty.shape
                .dims()
                .get(axis)
                .map_or_else(String::new, Dim::to_string)
        });
        Error::ArgumentDimension {
            function: self.signature.name.clone(),
            dimension,
            first: self.name_of(first),
            expected,
            parameter: self.name_of(self.index),
            given,
        }
    }

    #[cold]
    fn device(&self, expected: &Device, given: &Device) -> Error {
        Error::ArgumentDevice {
            function: self.signature.name.clone(),
            parameter: self.name_of(self.index),
            expected: expected.name().to_owned(),
            given: given.name().to_owned(),
        }
    }
}
