//! Runs the checks that the generator writes for the operations of a dialect.
//!
//! A check builds an operation with everything that it may have, reads its text back, compares what accessors say with what was put in, and
//! changes each part by its setter. It knows nothing of what an operation means, so types and attributes are made up: a context that does not know
//! the dialect takes them all. In one that knows it they are those that the constraints of the definition name, as far as these are common ones.
//! [`include_checks!`](crate::include_checks) has an example.
//!
//! With the feature `filecheck` there is `check` for tests of passes and verifiers, which compares what becomes of a module with comments in it.

#[cfg(feature = "filecheck")]
mod check;

#[cfg(feature = "filecheck")]
pub use check::check;

use std::{cell::Cell, error::Error, fmt};

use melior::{
    Context,
    ir::{
        Attribute, Block, BlockLike, BlockRef, Location, Module, OperationRef, Region, RegionLike,
        Type, Value,
        attribute::{
            ArrayAttribute, BoolAttribute, DenseElementsAttribute, DenseI32ArrayAttribute,
            DenseI64ArrayAttribute, DictionaryAttribute, FlatSymbolRefAttribute, FloatAttribute,
            IntegerAttribute, StringAttribute, TypeAttribute,
        },
        operation::{OperationBuilder, OperationLike},
        r#type::{IntegerType, RankedTensorType},
    },
};

use crate::{
    AttributeInfo, Builder, Form, IntoAttribute, Locations, OperationInfo, ValueInfo, attributes,
    parse, print,
    support::{Arguments, Enumeration, Parametric, name},
    traverse::{BlockExt, OperationExt, RegionExt},
    verify,
};

/// What a check says.
pub type Outcome = Result<(), Box<dyn Error>>;

/// The parts of an operation by name, as texts.
pub type Parts = Vec<(&'static str, String)>;

/// A check of an operation.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// The name of the operation.
    pub operation: &'static str,
    /// Builds it in a scene.
    pub run: fn(&Scene<'_>) -> Outcome,
}

/// What checks of a dialect found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// How many operations were checked.
    pub operations: usize,
    /// How many of them the context knows.
    pub known: usize,
    /// How many of those were right for MLIR, too.
    pub verified: usize,
    /// The operations of which a check failed, with the reason.
    pub failures: Vec<(&'static str, String)>,
}

/// Runs checks in a context.
pub fn run(context: &Context, checks: &[Check]) -> Report {
    let mut report = Report::default();
    for check in checks {
        let scene = Scene::new(context, check.operation);
        report.operations += 1;
        report.known += usize::from(scene.known);
        match (check.run)(&scene) {
            Ok(()) => report.verified += usize::from(scene.verified.get()),
            Err(error) => report.failures.push((check.operation, error.to_string())),
        }
    }
    report
}

impl Report {
    /// Checks that no check failed.
    ///
    /// # Errors
    ///
    /// The report, if one did.
    pub fn into_result(self) -> Result<Self, Self> {
        if self.failures.is_empty() {
            Ok(self)
        } else {
            Err(self)
        }
    }
}

impl Error for Report {}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            operations,
            known,
            verified,
            failures,
        } = self;
        write!(
            formatter,
            "{} of {operations} operations, {known} known to MLIR, {verified} verified by it",
            operations - failures.len(),
        )?;
        for (operation, reason) in failures {
            write!(formatter, "\n`{operation}`: {reason}")?;
        }
        Ok(())
    }
}

/// A module in which an operation is built.
#[derive(Debug)]
pub struct Scene<'c> {
    context: &'c Context,
    module: Module<'c>,
    known: bool,
    /// How many types were made up.
    types: Cell<u64>,
    verified: Cell<bool>,
}

/// The operation that the other is in.
const OUTER: &str = "testing.scene";
/// The operation that regions have inside.
const MARKER: &str = "testing.marker_";

impl<'c> Scene<'c> {
    fn new(context: &'c Context, operation: &str) -> Self {
        context.set_allow_unregistered_dialects(true);
        let location = Location::unknown(context);
        let module = crate::module(location);
        let region = Region::new();
        region.append_block(Block::new(&[]));
        let outer = OperationBuilder::new(OUTER, location)
            .add_regions([region])
            .build();
        if let Ok(outer) = outer {
            module.body().append_operation(outer);
        }
        Self {
            context,
            module,
            known: context.is_registered_operation(operation),
            types: Cell::new(0),
            verified: Cell::new(false),
        }
    }

    fn block(&self) -> BlockRef<'c, '_> {
        let outer = self.module.body().operations().next();
        let region = outer.and_then(|outer| outer.region(0).ok());
        let block = region.and_then(|region| region.blocks().next());
        block.unwrap_or(self.module.body())
    }

    /// A builder at the end of the scene.
    pub fn builder(&self) -> Builder<'c, '_> {
        Builder::at_end(self.block(), Location::unknown(self.context))
    }

    /// Whether MLIR knows the operation.
    pub fn is_known(&self) -> bool {
        self.known
    }

    /// A type: of an operation that MLIR knows one that its constraint allows, else one that no other value has.
    pub fn r#type(&self, place: &ValueInfo) -> Type<'c> {
        let float = Type::float32(self.context);
        let integer = |width| IntegerType::new(self.context, width).into();
        if self.known {
            return match place.constraint {
                "SignlessIntegerOrIndexLike" | "SignlessFixedWidthIntegerLike" => integer(32),
                "BoolLike" | "I1" => integer(1),
                "Index" | "IndexCastTypeConstraint" => Type::index(self.context),
                "FloatLike" | "AnyType" | "BitcastTypeConstraint" => float,
                _ => RankedTensorType::new(&[4], float, None).into(),
            };
        }
        self.types.set(self.types.get() + 1);
        RankedTensorType::new(&[self.types.get()], float, None).into()
    }

    /// Several of them.
    pub fn types(&self, place: &ValueInfo, count: usize) -> Vec<Type<'c>> {
        (0..count).map(|_| self.r#type(place)).collect()
    }

    /// A value that no other operation has.
    pub fn value(&self, place: &ValueInfo) -> Value<'c, '_> {
        self.block()
            .add_argument(self.r#type(place), Location::unknown(self.context))
    }

    /// Several of them.
    pub fn values(&self, place: &ValueInfo, count: usize) -> Vec<Value<'c, '_>> {
        (0..count).map(|_| self.value(place)).collect()
    }

    /// The value that there is, or another.
    pub fn given<'a>(&'a self, place: &ValueInfo, value: Option<Value<'c, 'a>>) -> Value<'c, 'a> {
        value.unwrap_or_else(|| self.value(place))
    }

    /// A region that is told apart by a number.
    ///
    /// # Errors
    ///
    /// If MLIR does not make what is inside of it.
    pub fn region(&self, number: usize) -> Result<Region<'c>, Box<dyn Error>> {
        let name = format!("{MARKER}{number}");
        let marker = OperationBuilder::new(&name, Location::unknown(self.context)).build()?;
        let block = Block::new(&[]);
        block.append_operation(marker);
        let region = Region::new();
        region.append_block(block);
        Ok(region)
    }

    /// A new block, for an operation to go on with.
    ///
    /// # Errors
    ///
    /// If MLIR does not make what is inside of it.
    pub fn successor(&self) -> Result<BlockRef<'c, '_>, Box<dyn Error>> {
        let region = self
            .block()
            .parent_region()
            .ok_or("the scene has no region")?;
        let marker = OperationBuilder::new(MARKER, Location::unknown(self.context)).build()?;
        let block = region.append_block(Block::new(&[]));
        block.append_operation(marker);
        Ok(block)
    }

    /// Compares parts.
    ///
    /// # Errors
    ///
    /// What differs.
    pub fn expect(&self, expected: &Parts, found: Parts) -> Outcome {
        for ((name, expected), (_, found)) in expected.iter().zip(&found) {
            if expected != found {
                return Err(format!("`{name}` should be {expected} and is {found}").into());
            }
        }
        Ok(())
    }

    /// Compares parts after one was changed.
    ///
    /// # Errors
    ///
    /// What differs.
    pub fn expect_change(
        &self,
        parts: &mut Parts,
        index: usize,
        expected: String,
        found: Parts,
    ) -> Outcome {
        let changed = parts.get_mut(index).ok_or("there is no such part")?;
        changed.1 = expected;
        let name = changed.0;
        self.expect(parts, found)
            .map_err(|error| format!("after `{name}` was changed {error}").into())
    }

    /// Checks that an attribute was there.
    ///
    /// # Errors
    ///
    /// If it was not.
    pub fn expect_removal(&self, was_there: bool) -> Outcome {
        was_there
            .then_some(())
            .ok_or_else(|| "an attribute is not there".into())
    }

    /// Reads the text of the scene, and calls a function with the operation in it.
    ///
    /// Operations that MLIR knows are read only if they are right, as it refuses them otherwise.
    ///
    /// # Errors
    ///
    /// What MLIR says of the text, and the error of the function.
    pub fn read_back(
        &self,
        info: &OperationInfo,
        check: impl FnOnce(OperationRef<'c, '_>) -> Outcome,
    ) -> Outcome {
        self.verified
            .set(self.known && verify(&self.module).is_ok());
        if self.known && !self.verified.get() {
            return Ok(());
        }
        let text = print(&self.module, Form::Generic, Locations::Omit);
        let module = parse(self.context, &text)?;
        let mut all = module.as_operation().descendants();
        check(
            all.find(|one| name(*one) == info.name)
                .ok_or("the operation is lost")?,
        )
    }

    /// A value of an enumeration.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn case<T: Enumeration>(&self, variant: usize) -> Result<T, Box<dyn Error>> {
        let case = T::INFO.cases.get(variant).or(T::INFO.cases.first());
        let number = case.map(|(_, number)| *number);
        Ok(number
            .and_then(T::of_number)
            .ok_or("an enumeration without cases")?)
    }

    /// A value of a dialect's attribute.
    ///
    /// # Errors
    ///
    /// If its parameters are not read.
    pub fn definition<T: Parametric<'c>>(&self, variant: usize) -> Result<T, Box<dyn Error>> {
        Ok(T::read(Arguments::sample(self.context, T::INFO, variant)?)?)
    }

    /// An integer for an attribute.
    ///
    /// # Errors
    ///
    /// If the attribute is not one.
    pub fn integer(
        &self,
        place: &AttributeInfo,
        variant: usize,
    ) -> Result<IntegerAttribute<'c>, Box<dyn Error>> {
        let value = i64::try_from(variant)?;
        if place.number.is_none() {
            let r#type = IntegerType::new(self.context, 64).into();
            return Ok(IntegerAttribute::new(r#type, value));
        }
        Ok(IntegerAttribute::try_from(
            value.into_attribute(self.context, place)?,
        )?)
    }

    /// A floating-point number for an attribute.
    ///
    /// # Errors
    ///
    /// If the attribute is not one.
    pub fn float(
        &self,
        place: &AttributeInfo,
        variant: usize,
    ) -> Result<FloatAttribute<'c>, Box<dyn Error>> {
        let value = if variant == 0 { 0.5 } else { 2.0 };
        if place.number.is_none() {
            let r#type = Type::float64(self.context);
            return Ok(FloatAttribute::new(self.context, r#type, value));
        }
        Ok(FloatAttribute::try_from(
            value.into_attribute(self.context, place)?,
        )?)
    }
}

/// Attributes of two variants.
macro_rules! samples {
    ($($method:ident: $type:ty = |$scene:ident, $variant:ident| $value:expr;)*) => {
        impl<'c> Scene<'c> {
            $(
                /// An attribute.
                ///
                /// # Errors
                ///
                /// If MLIR does not make it.
                pub fn $method(&self, variant: usize) -> Result<$type, Box<dyn Error>> {
                    let ($scene, $variant) = (self.context, variant);
                    Ok($value)
                }
            )*
        }
    };
}

samples! {
    any: Attribute<'c> = |context, variant| StringAttribute::new(context, &format!("any {variant}")).into();
    array: ArrayAttribute<'c> = |context, variant| {
        let one = StringAttribute::new(context, &format!("element {variant}")).into();
        ArrayAttribute::new(context, &vec![one; variant + 1])
    };
    bool: BoolAttribute<'c> = |context, variant| BoolAttribute::new(context, variant == 0);
    dictionary: DictionaryAttribute<'c> = |context, variant| {
        attributes::parse(context, &format!("{{key_{variant} = {variant} : i64}}"))?.try_into()?
    };
    elements: DenseElementsAttribute<'c> = |context, variant| {
        attributes::parse(context, &format!("dense<[{variant}, 2]> : tensor<2xi64>"))?.try_into()?
    };
    i32_array: DenseI32ArrayAttribute<'c> = |context, variant| DenseI32ArrayAttribute::new(context, &[variant as i32, 7]);
    i64_array: DenseI64ArrayAttribute<'c> = |context, variant| DenseI64ArrayAttribute::new(context, &[variant as i64, 7]);
    symbol: FlatSymbolRefAttribute<'c> = |context, variant| FlatSymbolRefAttribute::new(context, &format!("symbol_{variant}"));
    string: StringAttribute<'c> = |context, variant| StringAttribute::new(context, &format!("text {variant}"));
    type_attribute: TypeAttribute<'c> = |context, variant| {
        let results = vec![Type::index(context); variant];
        TypeAttribute::new(crate::types::function(context, &[], &results))
    };
}

/// The texts of parts.
pub mod show {
    use std::fmt::Debug;

    use melior::ir::{
        Attribute, BlockLike, BlockRef, RegionRef, Type, Value, ValueLike, block::BlockArgument,
    };

    use super::MARKER;
    use crate::{
        support::name,
        traverse::{BlockExt, RegionExt},
    };

    /// What is not there.
    pub fn nothing() -> String {
        "nothing".to_owned()
    }

    fn optional<T>(value: Option<T>, show: impl FnOnce(T) -> String) -> String {
        value.map_or_else(nothing, show)
    }

    fn list(texts: impl Iterator<Item = String>) -> String {
        format!("[{}]", texts.collect::<Vec<_>>().join(", "))
    }

    /// Whether something is there.
    pub fn present(present: bool) -> String {
        if present {
            "present".to_owned()
        } else {
            nothing()
        }
    }

    /// An argument, which has the same number in a copy.
    pub fn value(value: Value<'_, '_>) -> String {
        match BlockArgument::try_from(value) {
            Ok(argument) => format!("argument {}", argument.argument_number()),
            Err(_) => value.to_string(),
        }
    }

    /// An argument, if it is there.
    pub fn optional_value(value: Option<Value<'_, '_>>) -> String {
        optional(value, self::value)
    }

    /// Arguments.
    pub fn values(values: &[Value<'_, '_>]) -> String {
        list(values.iter().map(|one| value(*one)))
    }

    /// The type of a value.
    pub fn of_type(value: Value<'_, '_>) -> String {
        value.r#type().to_string()
    }

    /// The type of a value, if it is there.
    pub fn optional_of_type(value: Option<Value<'_, '_>>) -> String {
        optional(value, of_type)
    }

    /// The types of values.
    pub fn of_types(values: &[Value<'_, '_>]) -> String {
        list(values.iter().map(|one| of_type(*one)))
    }

    /// Types.
    pub fn types(types: &[Type<'_>]) -> String {
        list(types.iter().map(Type::to_string))
    }

    /// An attribute.
    pub fn attribute<'c>(attribute: impl Into<Attribute<'c>>) -> String {
        attribute.into().to_string()
    }

    /// An attribute, if it is there.
    pub fn optional_attribute<'c>(attribute: Option<impl Into<Attribute<'c>>>) -> String {
        optional(attribute, self::attribute)
    }

    /// A generated value.
    pub fn debug(value: impl Debug) -> String {
        format!("{value:?}")
    }

    /// A generated value, if it is there.
    pub fn optional_debug(value: Option<impl Debug>) -> String {
        optional(value, debug)
    }

    /// Blocks by their places in their region.
    pub fn blocks(blocks: &[BlockRef<'_, '_>]) -> String {
        list(blocks.iter().map(|block| {
            let region = block.parent_region();
            let place = region.and_then(|region| region.blocks().position(|one| one == *block));
            optional(place, |place| format!("block {place}"))
        }))
    }

    /// Regions by their numbers.
    pub fn markers(numbers: &[usize]) -> String {
        list(numbers.iter().map(|number| format!("{MARKER}{number}")))
    }

    /// Regions by what is inside of them.
    pub fn regions(regions: &[RegionRef<'_, '_>]) -> String {
        list(regions.iter().map(|region| {
            let operation = region
                .blocks()
                .next()
                .and_then(|block| block.operations().next());
            optional(operation, name)
        }))
    }
}
