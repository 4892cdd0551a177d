//! MLIR as text: its lines, and where in the source they come from.

mod dispatches;
mod locations;
mod module;
mod sources;

pub(crate) use dispatches::{Dispatch, dispatches};
pub(crate) use locations::{Line, Place, lines};
pub(crate) use module::{Block, Function, Operation, functions};
pub(crate) use sources::Sources;
