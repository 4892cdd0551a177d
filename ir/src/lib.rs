//! The intermediate representation: what a program means, without a trace of how it was written.
//!
//! A [`Module`] has globals and functions. A [`Function`] owns every [`Value`] and [`Operation`] inside
//! it and refers to them by index. Values are in static single assignment form: each is the parameter
//! of a [`Region`] or the result of one operation, and is defined before it is used, in the same region
//! or one around it. A region is a straight line of operations and hands its results to whatever owns
//! it; control flow is operations with regions.
//!
//! All values are tensors; trees, closures and everything else that is known while tracing are gone.
//! Operations have no effects, except that loads and stores of globals happen in program order.
//!
//! A dimension is a number, or an [`Extent`](iree_abi::Extent): arithmetic with names. A name stands for
//! the size of a parameter of the function along the axis that has nothing but that name for a dimension,
//! so that the type of a value says how large it is, wherever in the function it is.
//!
//! Equality compares the meaning, not the places: two modules that differ in spans only are equal.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::unreachable,
        clippy::todo
    )
)]

mod arena;
mod constant;
mod function;
pub mod limits;
mod module;
pub mod op;
mod span;
pub mod text;
pub mod verify;

pub use arena::{Arena, Id};
pub use constant::{Constant, ConstantData, OutOfRange, Scalar};
pub use function::{Function, Linkage, Operation, OperationId, Region, Value, ValueId};
pub use module::{FunctionId, Global, GlobalId, GlobalInit, Module, ParameterName};
pub use span::SpanId;
pub use verify::{Verified, verify};
