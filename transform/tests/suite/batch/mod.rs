//! Functions of a batch against the same functions of one element after the other: every operation, with each choice of
//! operands that differ from element to element, and sizes of the batch that are known and of the call.

mod check;
mod control;
mod operations;
mod slopes;
