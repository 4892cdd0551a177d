use melior::{
    Context,
    ir::{
        Attribute, BlockRef, Identifier, Location, Operation, Region, Type, Value, ValueLike,
        attribute::DenseI32ArrayAttribute,
        operation::{OperationBuilder, OperationMutLike},
        r#type::IntegerType,
    },
};

use super::IntoAttribute;
use crate::{Arity, Error, OperationInfo, Segments, TypeInference, ValueInfo, error::Part, raw};

/// The attributes that hold the sizes of variadic operands and results.
pub(super) const OPERAND_SIZES: &str = "operandSegmentSizes";
pub(super) const RESULT_SIZES: &str = "resultSegmentSizes";

/// What the builder of an operation has been given.
#[derive(Debug)]
#[must_use]
pub struct OperationState<'c, 'a> {
    info: &'static OperationInfo,
    context: &'c Context,
    location: Location<'c>,
    operands: Slots<Vec<Value<'c, 'a>>>,
    attributes: Slots<Attribute<'c>>,
    discardable_attributes: Vec<(Identifier<'c>, Attribute<'c>)>,
    results: Slots<Vec<Type<'c>>>,
    regions: Slots<Vec<Region<'c>>>,
    successors: Slots<Vec<BlockRef<'c, 'a>>>,
    /// The first value that has no attribute.
    error: Option<Error>,
}

/// A value for each definition in a list, where one was given.
#[derive(Debug)]
struct Slots<T>(Vec<Option<T>>);

impl<T> Slots<T> {
    fn new(length: usize) -> Self {
        Self((0..length).map(|_| None).collect())
    }

    fn set(&mut self, index: usize, value: Option<T>) {
        if let Some(slot) = self.0.get_mut(index) {
            *slot = value;
        }
    }

    fn get(&self, index: usize) -> Option<&T> {
        self.0.get(index).and_then(Option::as_ref)
    }
}

impl<'c, 'a> OperationState<'c, 'a> {
    pub fn new(info: &'static OperationInfo, context: &'c Context, location: Location<'c>) -> Self {
        Self {
            info,
            context,
            location,
            operands: Slots::new(info.operands.len()),
            attributes: Slots::new(info.attributes.len()),
            discardable_attributes: vec![],
            results: Slots::new(info.results.len()),
            regions: Slots::new(info.regions.len()),
            successors: Slots::new(info.successors.len()),
            error: None,
        }
    }

    pub fn set_operand(&mut self, index: usize, value: Value<'c, 'a>) {
        self.operands.set(index, Some(vec![value]));
    }

    pub fn set_operands(&mut self, index: usize, values: &[Value<'c, 'a>]) {
        self.operands.set(index, Some(values.to_vec()));
    }

    pub fn set_attribute(&mut self, index: usize, attribute: Attribute<'c>) {
        self.attributes.set(index, Some(attribute));
    }

    /// Sets an attribute to a value, the errors of which are those of [`Self::build`].
    pub fn set_value<T>(&mut self, index: usize, value: impl IntoAttribute<'c, T>) {
        let Some(attribute) = self.info.attributes.get(index) else {
            return;
        };
        match value.into_attribute(self.context, attribute) {
            Ok(attribute) => self.set_attribute(index, attribute),
            Err(error) => _ = self.error.get_or_insert(error),
        }
    }

    pub fn set_unit_attribute(&mut self, index: usize, present: bool) {
        self.attributes
            .set(index, present.then(|| Attribute::unit(self.context)));
    }

    pub fn set_discardable_attribute(&mut self, name: &str, attribute: Attribute<'c>) {
        self.discardable_attributes
            .push((Identifier::new(self.context, name), attribute));
    }

    pub fn set_result(&mut self, index: usize, r#type: Type<'c>) {
        self.results.set(index, Some(vec![r#type]));
    }

    pub fn set_results(&mut self, index: usize, types: &[Type<'c>]) {
        self.results.set(index, Some(types.to_vec()));
    }

    pub fn set_regions(&mut self, index: usize, regions: Vec<Region<'c>>) {
        self.regions.set(index, Some(regions));
    }

    pub fn set_successors(&mut self, index: usize, blocks: &[BlockRef<'c, 'a>]) {
        self.successors.set(index, Some(blocks.to_vec()));
    }

    pub fn build(mut self) -> Result<Operation<'c>, Error> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let info = self.info;
        let registered = self.context.is_registered_operation(info.name);

        // MLIR aborts on an operation that it does not know and may not carry unchecked.
        if !registered && !self.context.allow_unregistered_dialects() {
            return Err(Error::UnknownOperation(info.name));
        }

        let operands = self.take_operands()?;
        let results = self.take_results(&operands)?;
        let attributes = self.take_attributes(&operands, &results)?;
        let regions = self.take_regions()?;
        let successors = self.take_successors()?;
        let successors = successors.iter().map(|block| &**block).collect::<Vec<_>>();

        let builder = OperationBuilder::new(info.name, self.location)
            .add_operands(&operands.concat())
            .add_results(&results.concat())
            .add_attributes(&self.identified(if registered { &attributes } else { &[] }))
            .add_attributes(&self.discardable_attributes)
            .add_regions_vec(regions)
            .add_successors(&successors);
        let (operation, diagnostics) = raw::capture(self.context.to_raw(), || builder.build());
        let mut operation = operation.map_err(|_| Error::Build {
            operation: info.name,
            diagnostics,
        })?;

        // MLIR knows by itself which attributes of a registered operation are inherent. For others
        // it must be told, or they are written in a form that not every reader accepts.
        if !registered {
            for (name, attribute) in attributes {
                operation.set_inherent_attribute(name, attribute);
            }
        }

        Ok(operation)
    }

    fn missing(&self, part: Part, name: &'static str) -> Error {
        Error::Missing {
            operation: self.info.name,
            part,
            name,
        }
    }

    fn take_operands(&mut self) -> Result<Vec<Vec<Value<'c, 'a>>>, Error> {
        let info = self.info;
        let mut groups = Vec::with_capacity(info.operands.len());

        for (index, operand) in info.operands.iter().enumerate() {
            groups.push(match (self.operands.get(index), operand.arity) {
                (Some(values), _) => values.clone(),
                (None, Arity::Optional | Arity::Variadic) => vec![],
                (None, Arity::Single) => return Err(self.missing(Part::Operand, operand.name)),
            });
        }

        self.check_sizes(info.operands, info.operand_segments, &groups)?;

        Ok(groups)
    }

    fn take_results(
        &mut self,
        operands: &[Vec<Value<'c, 'a>>],
    ) -> Result<Vec<Vec<Type<'c>>>, Error> {
        let info = self.info;
        let mut groups = Vec::with_capacity(info.results.len());

        for (index, result) in info.results.iter().enumerate() {
            let given = self.results.get(index).cloned();

            groups.push(match given.or_else(|| self.infer(result, operands)) {
                Some(types) => types,
                None if result.arity != Arity::Single => vec![],
                None => return Err(self.missing(Part::Result, result.name)),
            });
        }

        self.check_sizes(info.results, info.result_segments, &groups)?;

        Ok(groups)
    }

    fn infer(&self, result: &ValueInfo, operands: &[Vec<Value<'c, 'a>>]) -> Option<Vec<Type<'c>>> {
        match result.inference {
            TypeInference::Explicit => None,
            TypeInference::Operand(index) => Some(
                operands
                    .get(index)?
                    .iter()
                    .map(|value| value.r#type())
                    .collect(),
            ),
            TypeInference::Index => Some(vec![Type::index(self.context)]),
            TypeInference::Integer(width) => {
                Some(vec![IntegerType::new(self.context, width).into()])
            }
        }
    }

    fn check_sizes<T>(
        &self,
        values: &'static [ValueInfo],
        segments: Segments,
        groups: &[Vec<T>],
    ) -> Result<(), Error> {
        if segments != Segments::Equal {
            return Ok(());
        }

        let mut open = values
            .iter()
            .zip(groups)
            .filter(|(value, _)| value.arity != Arity::Single);
        let Some((first, size)) = open.next().map(|(value, group)| (value, group.len())) else {
            return Ok(());
        };

        match open.find(|(_, group)| group.len() != size) {
            Some((other, _)) => Err(Error::SegmentSize {
                operation: self.info.name,
                name: other.name,
                other: first.name,
            }),
            None => Ok(()),
        }
    }

    fn take_attributes(
        &mut self,
        operands: &[Vec<Value<'c, 'a>>],
        results: &[Vec<Type<'c>>],
    ) -> Result<Vec<(&'static str, Attribute<'c>)>, Error> {
        let info = self.info;
        let mut attributes = Vec::with_capacity(info.attributes.len());

        for (index, attribute) in info.attributes.iter().enumerate() {
            match self.attributes.get(index) {
                Some(value) => {
                    attributes.push((attribute.name, *value));
                }
                None if attribute.required => {
                    return Err(self.missing(Part::Attribute, attribute.name));
                }
                None => {}
            }
        }

        if info.operand_segments == Segments::Sized {
            attributes.push(self.sizes(OPERAND_SIZES, operands));
        }
        if info.result_segments == Segments::Sized {
            attributes.push(self.sizes(RESULT_SIZES, results));
        }

        Ok(attributes)
    }

    fn identified(
        &self,
        attributes: &[(&str, Attribute<'c>)],
    ) -> Vec<(Identifier<'c>, Attribute<'c>)> {
        attributes
            .iter()
            .map(|(name, attribute)| (Identifier::new(self.context, name), *attribute))
            .collect()
    }

    fn sizes<T>(&self, name: &'static str, groups: &[Vec<T>]) -> (&'static str, Attribute<'c>) {
        let sizes = groups
            .iter()
            .map(|group| i32::try_from(group.len()).unwrap_or(i32::MAX))
            .collect::<Vec<_>>();

        (
            name,
            DenseI32ArrayAttribute::new(self.context, &sizes).into(),
        )
    }

    fn take_regions(&mut self) -> Result<Vec<Region<'c>>, Error> {
        let info = self.info;
        let slots = std::mem::take(&mut self.regions.0);
        let mut regions = Vec::new();

        for (region, slot) in info.regions.iter().zip(slots) {
            match slot {
                Some(given) => regions.extend(given),
                None if region.arity == Arity::Variadic => {}
                None => return Err(self.missing(Part::Region, region.name)),
            }
        }

        Ok(regions)
    }

    fn take_successors(&mut self) -> Result<Vec<BlockRef<'c, 'a>>, Error> {
        let info = self.info;
        let slots = std::mem::take(&mut self.successors.0);
        let mut successors = Vec::new();

        for (successor, slot) in info.successors.iter().zip(slots) {
            match slot {
                Some(given) => successors.extend(given),
                None if successor.arity == Arity::Variadic => {}
                None => return Err(self.missing(Part::Successor, successor.name)),
            }
        }

        Ok(successors)
    }
}
