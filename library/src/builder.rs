use iree_abi::{DType, Extent, TensorType};
use iree_dsl_ir::{
    Scalar,
    op::{InferError, Op},
};

/// Writes what is made of the values that an iteration takes.
pub type Write<'w, V, R> = &'w mut dyn FnMut(&[V]) -> Result<R, Error>;

/// Where the operations of composites go.
///
/// It is borrowed for as long as there are terms, so it changes what it builds behind a shared reference.
pub trait Builder {
    /// What operations take and give.
    type Value: Clone;

    /// The type of a value.
    fn ty(&self, value: &Self::Value) -> TensorType;

    /// The result of an operation that has one.
    ///
    /// # Errors
    ///
    /// If it refuses its operands.
    fn emit(&self, op: Op, operands: &[&Self::Value]) -> Result<Self::Value, Error>;

    /// The values that are handed on after the last iteration: as long as the condition holds for them, the body makes the next
    /// ones, of the same types.
    ///
    /// # Errors
    ///
    /// What the condition or the body say.
    fn repeat(
        &self,
        first: &[Self::Value],
        condition: Write<'_, Self::Value, Self::Value>,
        body: Write<'_, Self::Value, Vec<Self::Value>>,
    ) -> Result<Vec<Self::Value>, Error>;

    /// The same number everywhere.
    ///
    /// # Errors
    ///
    /// If the element type has no such number.
    fn splat(&self, number: Scalar, ty: &TensorType) -> Result<Self::Value, Error>;

    /// Whether one number is at most another, as far as that is known; what only calls tell is required of them.
    fn require_order(&self, least: &Extent, most: &Extent) -> bool;

    /// Whether what is built is differentiated, so that composites say what has no part in their derivative.
    fn is_derived(&self) -> bool;
}

/// Why a composite has no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// An operation of it, or the composite itself, refuses its operands.
    #[error(transparent)]
    Refused(#[from] InferError),
    /// An element type does not have a number of the formula.
    #[error("`{0}` does not have a number of the formula")]
    OutOfRange(DType),
    /// Random numbers depend on an index of 32 bits.
    #[error("makes at most {} numbers at once", u32::MAX)]
    TooManyNumbers,
    /// What the composite was given to call has no value, and has said why.
    #[error("calls what has no value")]
    Called,
    /// Something is missing that every sound module has: a mistake of ours.
    #[error("internal error: {0} is missing")]
    Lost(&'static str),
}
