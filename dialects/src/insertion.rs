use melior::{
    Context,
    ir::{
        Block, BlockLike, BlockRef, Location, Operation, OperationRef, RegionLike, RegionRef, Type,
        operation::OperationLike,
    },
};

use crate::{
    Error, OperationView, raw,
    traverse::OperationExt,
    tree::{self, Root},
};

/// A place in a block, where operations are inserted.
///
/// It stays where it is: what is inserted there comes behind what was inserted there before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InsertionPoint<'c, 'a>(Place<'c, 'a>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place<'c, 'a> {
    Before(OperationRef<'c, 'a>),
    End(BlockRef<'c, 'a>),
}

impl<'c, 'a> InsertionPoint<'c, 'a> {
    /// In front of an operation.
    pub fn before(operation: OperationRef<'c, 'a>) -> Self {
        Self(Place::Before(operation))
    }

    /// Right behind an operation, in front of what follows it now.
    ///
    /// # Errors
    ///
    /// [`Error::Edit`] if the operation is in no block.
    pub fn after(operation: OperationRef<'c, 'a>) -> Result<Self, Error> {
        match (operation.next_in_block(), operation.block()) {
            (Some(next), _) => Ok(Self::before(next)),
            (None, Some(block)) => Ok(Self::at_end(block)),
            (None, None) => Err(tree::error(operation, "it is in no block")),
        }
    }

    /// At the start of a block, in front of what is its first operation now.
    pub fn at_start(block: BlockRef<'c, 'a>) -> Self {
        match block.first_operation() {
            Some(first) => Self::before(first),
            None => Self::at_end(block),
        }
    }

    /// At the end of a block.
    pub fn at_end(block: BlockRef<'c, 'a>) -> Self {
        Self(Place::End(block))
    }

    /// In front of the terminator of a block, or at its end if it has none.
    pub fn before_terminator(block: BlockRef<'c, 'a>) -> Self {
        match block.terminator() {
            Some(terminator) => Self::before(terminator),
            None => Self::at_end(block),
        }
    }

    /// The block, if there is one: an operation need not be in any.
    pub fn block(&self) -> Option<BlockRef<'c, 'a>> {
        match self.0 {
            Place::Before(operation) => operation.block(),
            Place::End(block) => Some(block),
        }
    }

    /// Inserts an operation.
    ///
    /// # Errors
    ///
    /// [`Error::Edit`] if the operation uses a value or a block of another module, or if the point is in no block.
    pub fn insert(&self, operation: Operation<'c>) -> Result<OperationRef<'c, 'a>, Error> {
        match self.0 {
            Place::End(block) => {
                expect_own(raw::borrow(&operation), block)?;
                Ok(block.append_operation(operation))
            }
            Place::Before(next) => {
                let block = next.block();
                let block = block.ok_or_else(|| tree::error(next, "it is in no block"))?;
                expect_own(raw::borrow(&operation), block)?;
                Ok(block.insert_operation_before(next, operation))
            }
        }
    }
}

/// Refuses what uses values or blocks that are neither in the tree of a block nor in the operation itself.
fn expect_own(operation: OperationRef<'_, '_>, block: BlockRef<'_, '_>) -> Result<(), Error> {
    // As a rule what an operation uses is in the same block, which is quickly said.
    if raw::uses_only(operation, block) {
        return Ok(());
    }
    let (root, itself) = (Root::of_block(block), Root::of_operation(operation));
    let is_own = |other: Root| other == root || other == itself;
    for one in std::iter::once(operation).chain(operation.descendants()) {
        if !one.operands().all(|value| is_own(Root::of_value(value))) {
            return Err(tree::error(one, "a value is of another module"));
        }
        if !one.successors().all(|block| is_own(Root::of_block(block))) {
            return Err(tree::error(one, "a successor is of another module"));
        }
    }
    Ok(())
}

/// Where operations are inserted, and the location that they get.
///
/// It is a value: a function that gives its callee another location or another place makes another builder of it, and goes on
/// with its own. So both are scoped as variables are.
///
/// # Examples
///
/// ```
/// use iree_dialects::{Builder, InsertionPoint, arith, func, prelude::*};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let context = iree_dialects::context();
/// let location = Location::new(&context, "triangle.calc", 1, 1);
/// let module = iree_dialects::module(location);
/// let builder = Builder::at_end(module.body(), location);
///
/// let f64 = Type::float64(&context);
/// let area = func::define(&builder, "area", [f64, f64], |builder, [base, height]| {
///     let product = builder
///         .insert::<arith::MulfOperation>(|mul| mul.lhs(base).rhs(height))?
///         .result()?;
///     // What follows stands at another place in the source.
///     let builder = builder.located(Location::new(&context, "triangle.calc", 2, 5));
///     let half = builder
///         .insert::<arith::ConstantOperation>(|constant| {
///             constant.value(FloatAttribute::new(&context, f64, 0.5)).result(f64)
///         })?
///         .result()?;
///     let area = builder.insert::<arith::MulfOperation>(|mul| mul.lhs(product).rhs(half))?;
///     Ok([area.result()?])
/// })?;
/// assert_eq!(area.function_type()?.value().to_string(), "(f64, f64) -> f64");
///
/// // Later, in front of everything.
/// let start = builder.with(InsertionPoint::at_start(area.body()?.blocks().next().unwrap()));
/// start.insert::<arith::ConstantOperation>(|constant| {
///     constant.value(FloatAttribute::new(&context, f64, 1.0)).result(f64)
/// })?;
/// iree_dialects::verify(&module)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Builder<'c, 'a> {
    context: &'c Context,
    point: InsertionPoint<'c, 'a>,
    location: Location<'c>,
}

impl<'c, 'a> Builder<'c, 'a> {
    /// A builder at a place.
    pub fn new(point: InsertionPoint<'c, 'a>, location: Location<'c>) -> Self {
        Self {
            context: raw::context_of(location.context()),
            point,
            location,
        }
    }

    /// A builder at the end of a block.
    pub fn at_end(block: BlockRef<'c, 'a>, location: Location<'c>) -> Self {
        Self::new(InsertionPoint::at_end(block), location)
    }

    /// A builder in front of an operation, with the location of that.
    pub fn before(operation: OperationRef<'c, 'a>) -> Self {
        Self::new(InsertionPoint::before(operation), operation.location())
    }

    /// The same location at another place.
    #[must_use]
    pub fn with(&self, point: InsertionPoint<'c, 'a>) -> Self {
        Self { point, ..*self }
    }

    /// The same place with another location.
    #[must_use]
    pub fn located(&self, location: Location<'c>) -> Self {
        Self { location, ..*self }
    }

    /// The same place with a name for the location, such as that of a layer.
    #[must_use]
    pub fn named(&self, name: &str) -> Self {
        self.located(Location::name(self.context(), name, self.location))
    }

    /// The context.
    pub fn context(&self) -> &'c Context {
        self.context
    }

    /// The location that operations get.
    pub fn location(&self) -> Location<'c> {
        self.location
    }

    /// Where operations are inserted.
    pub fn point(&self) -> InsertionPoint<'c, 'a> {
        self.point
    }

    /// Builds an operation and inserts it.
    ///
    /// # Errors
    ///
    /// Those of the builder of the operation, and those of [`InsertionPoint::insert`].
    pub fn insert<V: OperationView<'c, 'a>>(
        &self,
        complete: impl FnOnce(V::Builder) -> V::Builder,
    ) -> Result<V, Error> {
        let builder = complete(V::begin(self.context(), self.location));
        V::insert(builder, self.point)
    }

    /// Inserts an operation.
    ///
    /// # Errors
    ///
    /// Those of [`InsertionPoint::insert`].
    pub fn insert_operation(
        &self,
        operation: Operation<'c>,
    ) -> Result<OperationRef<'c, 'a>, Error> {
        self.point.insert(operation)
    }

    /// Appends a block with arguments to a region, and returns a builder at its end with it.
    pub fn append_block(
        &self,
        region: RegionRef<'c, 'a>,
        arguments: &[Type<'c>],
    ) -> (Self, BlockRef<'c, 'a>) {
        let arguments = arguments.iter().map(|r#type| (*r#type, self.location));
        let block = region.append_block(Block::new(&arguments.collect::<Vec<_>>()));
        (self.with(InsertionPoint::at_end(block)), block)
    }
}
