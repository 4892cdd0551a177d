//! The sizes that are known at the call.

use crate::{Cause, Error, SizeConflict, Tensor};
use iree_abi::{Dim, Extent, Shape, TensorType, Told};
use iree_dsl_ir::Function;
use std::collections::BTreeMap;

/// The names of a function's sizes, with their values in a call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sizes(BTreeMap<String, usize>);

impl Sizes {
    /// Takes the sizes of the arguments, and compares them with what the parameters say.
    pub(crate) fn bind(function: &Function, arguments: &[Tensor]) -> Result<Self, Error> {
        let parameters = &function.body.parameters;
        if parameters.len() != arguments.len() {
            return Err(Error::ArgumentCount {
                function: function.name.clone(),
                expected: parameters.len(),
                found: arguments.len(),
            });
        }
        let types = function.types(parameters).unwrap_or_default();
        let names = &function.parameter_names;
        let parameters: Vec<_> = types
            .iter()
            .zip(names)
            .zip(arguments)
            .map(|((ty, name), argument)| Parameter { name, ty, argument })
            .collect();
        let mut sizes = Self::default();
        let mut first: BTreeMap<&str, &Parameter<'_>> = BTreeMap::new();
        for parameter in &parameters {
            parameter.check_type(function)?;
        }
        let told = Told::of(&types);
        for told in &told {
            let Some(parameter) = parameters.get(told.argument) else {
                continue;
            };
            // What is no multiple is told where the dimension is compared.
            let dimension = parameter.argument.shape().get(told.axis).copied();
            let size = told.value(dimension.unwrap_or_default(), &|name| sizes.get(name));
            sizes.0.insert(told.name.clone(), size.unwrap_or_default());
            first.insert(&told.name, parameter);
        }
        for parameter in &parameters {
            sizes.check(function, parameter, &first)?;
        }
        Ok(sizes)
    }

    fn get(&self, name: &str) -> Option<usize> {
        self.0.get(name).copied()
    }

    fn check(
        &self,
        function: &Function,
        parameter: &Parameter<'_>,
        first: &BTreeMap<&str, &Parameter<'_>>,
    ) -> Result<(), Error> {
        for (dim, &size) in parameter.dims() {
            let value = dim.extent().map(|extent| self.value(&extent));
            // What cannot be counted is no size of an argument.
            let Some(value) = value.map(|value| value.unwrap_or(i128::MAX)) else {
                continue;
            };
            if value != size as i128 {
                let names = dim.extent();
                let names = names.iter().flat_map(Extent::names);
                let earlier = names.filter_map(|name| first.get(name)).next();
                return Err(Error::SizeConflict(Box::new(SizeConflict {
                    function: function.name.clone(),
                    dim: dim.clone(),
                    first: value,
                    first_parameter: earlier.map_or(parameter.name, |p| p.name).to_owned(),
                    second: size,
                    second_parameter: parameter.name.to_owned(),
                })));
            }
        }
        Ok(())
    }

    /// The number, all names of which a verified function has.
    pub(crate) fn value(&self, extent: &Extent) -> Result<i128, Cause> {
        let value = extent.evaluate(&|name| self.get(name));
        value.ok_or_else(|| Cause::Uncountable(extent.clone()))
    }

    /// The sizes of a tensor of a type.
    pub(crate) fn shape(&self, ty: &TensorType) -> Result<Vec<usize>, Cause> {
        let size = |dim: &Dim| {
            let extent = dim.extent().ok_or(Cause::Lost("a size"))?;
            let value = self.value(&extent)?;
            usize::try_from(value).map_err(|_| Cause::Size {
                dim: dim.clone(),
                ty: ty.clone(),
                value,
            })
        };
        ty.shape.dims().iter().map(size).collect()
    }
}

/// A parameter and its argument.
struct Parameter<'a> {
    name: &'a str,
    ty: &'a TensorType,
    argument: &'a Tensor,
}

impl<'a> Parameter<'a> {
    /// Compares all but sizes with names.
    fn check_type(&self, function: &Function) -> Result<(), Error> {
        let found = self.argument.ty();
        let known = |(dim, size): (&Dim, &usize)| dim.known().is_none_or(|known| known == *size);
        let fits = self.ty.dtype == found.dtype
            && self.ty.shape.rank() == found.shape.rank()
            && self.dims().all(known);
        match fits {
            true => Ok(()),
            false => Err(Error::ArgumentType {
                function: function.name.clone(),
                parameter: self.name.to_owned(),
                expected: self.ty.clone(),
                found,
            }),
        }
    }

    fn dims(&self) -> impl Iterator<Item = (&'a Dim, &'a usize)> + use<'a> {
        self.ty.shape.dims().iter().zip(self.argument.shape())
    }
}

/// The type with sizes that are known.
pub(crate) fn known_type(ty: &TensorType, shape: &[usize]) -> TensorType {
    let dims = shape.iter().copied().map(Dim::Static);
    TensorType::new(ty.dtype, Shape::new(dims.collect()))
}
