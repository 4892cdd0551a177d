use crate::{Device, Error, Result, ffi::Estimate};
use iree_abi::{DType, Dim, Extent, FunctionSignature, Requirement, TensorType, Told, Work};

/// What a function's arguments are checked against, prepared so that checking allocates nothing.
pub(crate) struct Plan {
    arguments: Box<[Expected]>,
    /// Where the sizes with names come from.
    told: Box<[Told]>,
    /// Of these, those that computed sizes tell, with the numbers of both; each after those that it needs.
    solved: Box<[(usize, usize)]>,
    computed: Box<[Computed]>,
}

struct Expected {
    dtype: DType,
    sizes: Box<[Size]>,
}

enum Size {
    Known(usize),
    /// The number of the dimension's name.
    Named(usize),
    /// The number of a size that is computed from names.
    Computed(usize),
    Any,
}

/// A size that is computed from those with names, and where it is one.
struct Computed {
    extent: Extent,
    argument: usize,
    axis: usize,
}

/// The sizes that dimensions have in a call.
#[derive(Default)]
pub(crate) struct Bindings {
    /// Those of the named dimensions: with each, the argument that had it first.
    named: Vec<Option<(usize, usize)>>,
    /// Those that should be computed from names.
    computed: Vec<usize>,
}

/// An argument as it is given.
#[derive(Clone, Copy)]
pub(crate) struct Given<'a> {
    pub(crate) dtype: DType,
    pub(crate) shape: &'a [usize],
    pub(crate) device: Option<&'a Device>,
}

impl Plan {
    pub(crate) fn new(signature: &FunctionSignature) -> Self {
        let told = Told::of(signature.arguments().map(|(_, ty)| ty));
        let mut computed = Vec::new();
        let mut size = |argument: usize, axis: usize, dim: &Dim| match dim {
            Dim::Static(size) => Size::Known(*size),
            Dim::Any => Size::Any,
            Dim::Dynamic(extent) => {
                let name = extent.as_name();
                match told
                    .iter()
                    .position(|told| Some(told.name.as_str()) == name)
                {
                    Some(named) => Size::Named(named),
                    None => {
                        computed.push(Computed {
                            extent: extent.clone(),
                            argument,
                            axis,
                        });
                        Size::Computed(computed.len() - 1)
                    }
                }
            }
        };
        let arguments = signature.arguments().enumerate();
        let arguments = arguments.map(|(argument, (_, ty))| {
            let dims = ty.shape.dims().iter().enumerate();
            Expected {
                dtype: ty.dtype,
                sizes: dims.map(|(axis, dim)| size(argument, axis, dim)).collect(),
            }
        });
        let arguments = arguments.collect();
        let solved = told.iter().enumerate().filter_map(|(named, told)| {
            let is_place = |it: &Computed| (it.argument, it.axis) == (told.argument, told.axis);
            Some((named, computed.iter().position(is_place)?))
        });
        Self {
            arguments,
            solved: solved.collect(),
            told: told.into(),
            computed: computed.into(),
        }
    }

    /// How many arguments there are.
    pub(crate) fn argument_count(&self) -> usize {
        self.arguments.len()
    }

    /// Starts a call.
    pub(crate) fn start(&self, bindings: &mut Bindings) {
        bindings.named.clear();
        bindings.named.resize(self.told.len(), None);
        bindings.computed.clear();
        bindings.computed.resize(self.computed.len(), 0);
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
                Size::Computed(number) => bindings.computed[number] = *given_size,
                Size::Named(name) => match bindings.named[name] {
                    None => bindings.named[name] = Some((*given_size, index)),
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

    /// Checks what depends on several arguments, once all were checked on their own.
    pub(crate) fn finish(
        &self,
        signature: &FunctionSignature,
        bindings: &mut Bindings,
    ) -> Result<()> {
        self.solve(bindings);
        let bindings = &*bindings;
        let value = |name: &str| self.size(name, bindings);
        for (computed, given) in self.computed.iter().zip(&bindings.computed) {
            if computed.extent.evaluate(&value) != Some(*given as i128) {
                return Err(self.computed_error(signature, bindings, computed, *given));
            }
        }
        for requirement in &signature.requirements {
            let numbers = [&requirement.least, &requirement.most];
            let [least, most] = numbers.map(|number| number.evaluate(&value));
            // What overflows is more than any memory has.
            if least.zip(most).is_none_or(|(least, most)| least > most) {
                return Err(self.requirement_error(signature, bindings, requirement));
            }
        }
        Ok(())
    }

    /// The sizes that computed ones tell. What is no multiple differs when it is compared.
    fn solve(&self, bindings: &mut Bindings) {
        for (named, computed) in &self.solved {
            let told = &self.told[*named];
            let dimension = bindings.computed[*computed];
            let size = told.value(dimension, &|name| self.size(name, bindings));
            bindings.named[*named] = Some((size.unwrap_or(0), told.argument));
        }
    }

    /// The size that a name has in a call.
    fn size(&self, name: &str, bindings: &Bindings) -> Option<usize> {
        let index = self.told.iter().position(|told| told.name == name)?;
        bindings.named[index].map(|(size, _)| size)
    }

    /// How much work a call is whose arguments were checked, if sizes tell.
    pub(crate) fn estimate(&self, work: Option<&Work>, bindings: &Bindings) -> Option<Estimate> {
        let work = work?;
        let evaluate = |extent: &Extent| {
            let value = extent.evaluate(&|name| self.size(name, bindings))?;
            u64::try_from(value).ok()
        };
        Some(Estimate {
            picoseconds: evaluate(&work.picoseconds)?,
            launches: evaluate(&work.launches)?,
        })
    }

    #[cold]
    fn computed_error(
        &self,
        signature: &FunctionSignature,
        bindings: &Bindings,
        computed: &Computed,
        given: usize,
    ) -> Error {
        let argument = signature.arguments().nth(computed.argument);
        let place = (computed.argument, computed.axis);
        let names = computed.extent.names();
        let is_other = |told: &Told| {
            (told.argument, told.axis) != place && names.contains(&told.name.as_str())
        };
        Error::ArgumentExtent {
            function: signature.name.clone(),
            parameter: argument.map_or_else(String::new, |(name, _)| name),
            axis: computed.axis,
            expected: computed.extent.to_string(),
            sizes: self.sizes_of(is_other, bindings),
            given,
        }
    }

    #[cold]
    fn requirement_error(
        &self,
        signature: &FunctionSignature,
        bindings: &Bindings,
        requirement: &Requirement,
    ) -> Error {
        let function = signature.name.clone();
        let names = [requirement.least.names(), requirement.most.names()].concat();
        let sizes = self.sizes_of(|told| names.contains(&told.name.as_str()), bindings);
        if requirement.is_of_memory() {
            return Error::Memory { function, sizes };
        }
        Error::Requirement {
            function,
            requirement: requirement.to_string(),
            sizes,
        }
    }

    /// The sizes of some names: `A is 3, B is 5`.
    fn sizes_of(&self, is_meant: impl Fn(&Told) -> bool, bindings: &Bindings) -> String {
        let names = self.told.iter().zip(&bindings.named);
        let sizes = names.filter_map(|(told, bound)| {
            let (size, _) = (*bound)?;
            is_meant(told).then(|| format!("{} is {size}", told.name))
        });
        sizes.collect::<Vec<_>>().join(", ")
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
