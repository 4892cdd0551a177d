use melior::{
    Context,
    ir::{
        Attribute, BlockRef, Identifier, Location, Operation, Region, Type, Value, ValueLike,
        attribute::DenseI32ArrayAttribute, operation::OperationMutLike, r#type::IntegerType,
    },
};
use smallvec::SmallVec;

use super::{IntoAttribute, groups::Groups};
use crate::{
    Arity, Diagnostics, Error, OperationInfo, Segments, TypeInference, ValueInfo, error::Part, raw,
};

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
    operands: Groups<Value<'c, 'a>, 3>,
    /// With the index in the definition.
    attributes: SmallVec<[(usize, Attribute<'c>); 1]>,
    results: Groups<Type<'c>, 2>,
    /// Few operations have these, and what is moved at each step should be small.
    rare: Option<Box<Rare<'c, 'a>>>,
}

#[derive(Debug)]
struct Rare<'c, 'a> {
    discardable_attributes: Vec<(Identifier<'c>, Attribute<'c>)>,
    regions: Groups<Region<'c>, 1>,
    successors: Groups<BlockRef<'c, 'a>, 2>,
    /// The first value that has no attribute.
    error: Option<Error>,
}

impl<'c, 'a> OperationState<'c, 'a> {
    #[inline]
    pub fn new(info: &'static OperationInfo, context: &'c Context, location: Location<'c>) -> Self {
        Self {
            info,
            context,
            location,
            operands: Groups::new(),
            attributes: SmallVec::new(),
            results: Groups::new(),
            rare: None,
        }
    }

    fn rare(&mut self) -> &mut Rare<'c, 'a> {
        self.rare.get_or_insert_with(|| {
            Box::new(Rare {
                discardable_attributes: vec![],
                regions: Groups::new(),
                successors: Groups::new(),
                error: None,
            })
        })
    }

    #[inline]
    pub fn set_operand(&mut self, index: usize, value: Value<'c, 'a>) {
        self.operands.set(index, value);
    }

    #[inline]
    pub fn set_operands(&mut self, index: usize, values: &[Value<'c, 'a>]) {
        match values {
            // It needs no memory for sizes.
            [value] => self.operands.set(index, *value),
            _ => self.operands.replace(index, values.iter().copied()),
        }
    }

    pub fn set_attribute(&mut self, index: usize, attribute: Attribute<'c>) {
        self.remove_attribute(index);
        self.attributes.push((index, attribute));
    }

    fn remove_attribute(&mut self, index: usize) {
        self.attributes.retain(|(other, _)| *other != index);
    }

    /// Sets an attribute to a value, the errors of which are those of [`Self::build`].
    #[inline]
    pub fn set_value<T>(&mut self, index: usize, value: impl IntoAttribute<'c, T>) {
        let Some(attribute) = self.info.attributes.get(index) else {
            return;
        };
        match value.into_attribute(self.context, attribute) {
            Ok(attribute) => self.set_attribute(index, attribute),
            Err(error) => self.set_error(error),
        }
    }

    #[cold]
    fn set_error(&mut self, error: Error) {
        self.rare().error.get_or_insert(error);
    }

    pub fn set_unit_attribute(&mut self, index: usize, present: bool) {
        if present {
            self.set_attribute(index, Attribute::unit(self.context));
        } else {
            self.remove_attribute(index);
        }
    }

    pub fn set_discardable_attribute(&mut self, name: &str, attribute: Attribute<'c>) {
        let name = Identifier::new(self.context, name);
        self.rare().discardable_attributes.push((name, attribute));
    }

    #[inline]
    pub fn set_result(&mut self, index: usize, r#type: Type<'c>) {
        self.results.set(index, r#type);
    }

    #[inline]
    pub fn set_results(&mut self, index: usize, types: &[Type<'c>]) {
        match types {
            [r#type] => self.results.set(index, *r#type),
            _ => self.results.replace(index, types.iter().copied()),
        }
    }

    pub fn set_region(&mut self, index: usize, region: Region<'c>) {
        self.rare().regions.set(index, region);
    }

    pub fn set_regions(&mut self, index: usize, regions: Vec<Region<'c>>) {
        self.rare().regions.replace(index, regions);
    }

    pub fn set_successor(&mut self, index: usize, block: BlockRef<'c, 'a>) {
        self.rare().successors.set(index, block);
    }

    pub fn set_successors(&mut self, index: usize, blocks: &[BlockRef<'c, 'a>]) {
        self.rare()
            .successors
            .replace(index, blocks.iter().copied());
    }

    /// Builds the operation, after which nothing may be done with the state.
    pub fn build(&mut self) -> Result<Operation<'c>, Error> {
        if let Some(error) = self.rare.as_mut().and_then(|rare| rare.error.take()) {
            return Err(error);
        }
        self.check_operands()?;
        self.infer_results()?;
        self.check_attributes()?;
        self.check_regions_and_successors()?;
        let is_registered = self.is_registered()?;

        let mut attributes: SmallVec<[_; 4]> = SmallVec::new();
        if is_registered {
            let inherent = self.inherent_attributes();
            attributes.extend(
                inherent.map(|(name, attribute)| (Identifier::new(self.context, name), attribute)),
            );
        }
        let mut parts = raw::Parts {
            operands: self.operands.all(),
            results: self.results.all(),
            ..raw::Parts::default()
        };
        if let Some(rare) = &mut self.rare {
            attributes.extend(rare.discardable_attributes.drain(..));
            parts.regions = rare.regions.take();
            parts.successors = rare.successors.all();
        }
        parts.attributes = &attributes;
        // It fails only where MLIR is to infer types.
        let operation = raw::create(self.info.name, self.location, parts);
        let mut operation = operation.ok_or_else(|| Error::Build {
            operation: self.info.name,
            diagnostics: Diagnostics::default(),
        })?;

        // MLIR knows by itself which attributes of a registered operation are inherent, and ends the process if it is told of one that
        // was registered at run time. For others it must be told, or they are written in a form that not every reader accepts.
        if !is_registered && self.has_inherent_attributes() {
            for (name, attribute) in self.inherent_attributes() {
                operation.set_inherent_attribute(name, attribute);
            }
        }

        Ok(operation)
    }

    /// Whether MLIR knows the operation, which is not asked for where it makes no difference.
    fn is_registered(&self) -> Result<bool, Error> {
        let name = self.info.name;
        // MLIR aborts on an operation that it does not know and may not carry unchecked.
        if !self.context.allow_unregistered_dialects() {
            let is_registered = self.context.is_registered_operation(name);
            return if is_registered {
                Ok(true)
            } else {
                Err(Error::UnknownOperation(name))
            };
        }
        Ok(self.has_inherent_attributes() && self.context.is_registered_operation(name))
    }

    fn missing(&self, part: Part, name: &'static str) -> Error {
        Error::Missing {
            operation: self.info.name,
            part,
            name,
        }
    }

    fn check_operands(&self) -> Result<(), Error> {
        let info = self.info;
        let count = info.operands.len();
        if self.operands.is_complete(count) && info.operand_segments != Segments::Equal {
            return Ok(());
        }

        for (index, operand) in info.operands.iter().enumerate() {
            if operand.arity == Arity::Single && !self.operands.has(index) {
                return Err(self.missing(Part::Operand, operand.name));
            }
        }

        let size = |index| self.operands.size(index);
        self.check_sizes(info.operands, info.operand_segments, size)
    }

    /// Gives the results that have no types those that are known.
    fn infer_results(&mut self) -> Result<(), Error> {
        let info = self.info;
        let count = info.results.len();
        if self.results.is_complete(count) && info.result_segments != Segments::Equal {
            return Ok(());
        }

        for (index, result) in info.results.iter().enumerate() {
            if !self.results.has(index) {
                self.infer(index, result);
            }
            if result.arity == Arity::Single && !self.results.has(index) {
                return Err(self.missing(Part::Result, result.name));
            }
        }

        let size = |index| self.results.size(index);
        self.check_sizes(info.results, info.result_segments, size)
    }

    fn infer(&mut self, index: usize, result: &ValueInfo) {
        match result.inference {
            TypeInference::Explicit => {}
            TypeInference::Operand(operand) => match self.operands.get(operand) {
                [] if !self.operands.has(operand) => {}
                [value] => self.results.set(index, value.r#type()),
                values => {
                    let types = values.iter().map(|value| value.r#type());
                    self.results.replace(index, types);
                }
            },
            TypeInference::Index => self.results.set(index, Type::index(self.context)),
            TypeInference::Integer(width) => {
                let r#type = IntegerType::new(self.context, width);
                self.results.set(index, r#type.into());
            }
        }
    }

    fn check_sizes(
        &self,
        values: &'static [ValueInfo],
        segments: Segments,
        size: impl Fn(usize) -> usize,
    ) -> Result<(), Error> {
        if segments != Segments::Equal {
            return Ok(());
        }

        let mut open = (values.iter().enumerate())
            .filter(|(_, value)| value.arity != Arity::Single)
            .map(|(index, value)| (value, size(index)));
        let Some((first, expected)) = open.next() else {
            return Ok(());
        };

        match open.find(|(_, size)| *size != expected) {
            Some((other, _)) => Err(Error::SegmentSize {
                operation: self.info.name,
                name: other.name,
                other: first.name,
            }),
            None => Ok(()),
        }
    }

    fn check_attributes(&self) -> Result<(), Error> {
        for (index, attribute) in self.info.attributes.iter().enumerate() {
            if attribute.required && !self.attributes.iter().any(|(other, _)| *other == index) {
                return Err(self.missing(Part::Attribute, attribute.name));
            }
        }
        Ok(())
    }

    fn has_inherent_attributes(&self) -> bool {
        let segments = [self.info.operand_segments, self.info.result_segments];

        !self.attributes.is_empty() || segments.contains(&Segments::Sized)
    }

    /// Those that were given, and the sizes of lists.
    fn inherent_attributes(&self) -> impl Iterator<Item = (&'static str, Attribute<'c>)> {
        let info = self.info;
        let given = self.attributes.iter().filter_map(|(index, attribute)| {
            let definition = info.attributes.get(*index)?;
            Some((definition.name, *attribute))
        });
        let operands = (info.operand_segments == Segments::Sized).then(|| {
            let sizes = (0..info.operands.len()).map(|index| self.operands.size(index));
            (OPERAND_SIZES, self.sizes(sizes))
        });
        let results = (info.result_segments == Segments::Sized).then(|| {
            let sizes = (0..info.results.len()).map(|index| self.results.size(index));
            (RESULT_SIZES, self.sizes(sizes))
        });

        given.chain(operands).chain(results)
    }

    fn sizes(&self, sizes: impl Iterator<Item = usize>) -> Attribute<'c> {
        let sizes = sizes.map(|size| i32::try_from(size).unwrap_or(i32::MAX));

        DenseI32ArrayAttribute::new(self.context, &sizes.collect::<SmallVec<[_; 8]>>()).into()
    }

    fn check_regions_and_successors(&self) -> Result<(), Error> {
        let rare = self.rare.as_deref();
        for (index, region) in self.info.regions.iter().enumerate() {
            let is_there = rare.is_some_and(|rare| rare.regions.has(index));
            if region.arity != Arity::Variadic && !is_there {
                return Err(self.missing(Part::Region, region.name));
            }
        }
        for (index, successor) in self.info.successors.iter().enumerate() {
            let is_there = rare.is_some_and(|rare| rare.successors.has(index));
            if successor.arity != Arity::Variadic && !is_there {
                return Err(self.missing(Part::Successor, successor.name));
            }
        }
        Ok(())
    }
}
