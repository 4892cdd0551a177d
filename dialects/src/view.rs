use melior::{
    Context,
    ir::{Location, OperationRef},
};

use crate::{Error, InsertionPoint, OperationInfo};

/// The view of an operation of some dialect, such as [`func::CallOperation`](crate::func::CallOperation).
///
/// # Examples
///
/// A function for views of any operation:
///
/// ```
/// use iree_dialects::{OperationView, func, prelude::*};
///
/// fn count<'c: 'a, 'a, V: OperationView<'c, 'a>>(operation: OperationRef<'c, 'a>) -> usize {
///     operation.descendants().filter(|one| one.cast::<V>().is_some()).count()
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let context = iree_dialects::context();
/// let module = iree_dialects::parse(&context, "func.func @f() { return }")?;
/// assert_eq!(count::<func::ReturnOperation>(module.as_operation()), 1);
/// # Ok(())
/// # }
/// ```
pub trait OperationView<'c: 'a, 'a>:
    Copy + TryFrom<OperationRef<'c, 'a>, Error = Error> + Into<OperationRef<'c, 'a>>
{
    /// What builds the operation.
    type Builder;

    /// What the definition says about the operation.
    const INFO: &'static OperationInfo;

    /// Starts building the operation.
    fn begin(context: &'c Context, location: Location<'c>) -> Self::Builder;

    /// Builds the operation and inserts it at a place.
    ///
    /// # Errors
    ///
    /// If a required operand, attribute, result type or region is missing, if MLIR refuses the operation, and those of
    /// [`InsertionPoint::insert`].
    fn insert(builder: Self::Builder, point: InsertionPoint<'c, 'a>) -> Result<Self, Error>;
}
