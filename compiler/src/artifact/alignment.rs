//! The alignment of what a dispatch reads and writes in the middle of a buffer.
//!
//! Where dispatches are alike, IREE 3.13 compiles one for all. If one of them begins in its buffer at a place that IREE chose,
//! which is a multiple of 64 bytes, and another one at a place that the program computes, the code of both uses instructions
//! that fail for anything but such multiples. So it is told, before it makes the code, that any offset is possible.
//! Defect `offset-is-taken-for-aligned`.

use iree_dsl_ir::{
    Function,
    op::{Op, Structure},
    verify::Verified,
};

/// What has IREE change the code of dispatches before it compiles them.
pub(super) const FLAG: &str = concat!(
    "--iree-hal-preprocess-executables-with=builtin.module(iree-transform-dialect-interpreter{",
    "entry-point=offsets_of_any_alignment library-file-name=offsets_of_any_alignment.mlir})"
);

/// The file that [`FLAG`] names, next to the module. What the cache has was made with this text: another one gets another name.
pub(super) const FILE: &str = "offsets_of_any_alignment.mlir";

/// What is in the file.
pub(super) const TEXT: &str = include_str!("alignment.mlir");

/// Whether flags name the file.
pub(super) fn is_named_in(flags: &[String]) -> bool {
    flags.iter().any(|flag| flag == FLAG)
}

/// Whether a program may compute where in a buffer something begins: it has sizes that are known at the call only, or parts
/// that begin where tensors say.
pub(super) fn computes_offsets(module: &Verified) -> bool {
    let mut functions = module.module().functions.iter();
    functions.any(|(_, function)| {
        let mut operations = function.operations.iter();
        has_unknown_sizes(function)
            || operations.any(|(_, operation)| begins_anywhere(&operation.op))
    })
}

fn has_unknown_sizes(function: &Function) -> bool {
    let mut values = function.values.iter();
    values.any(|(_, value)| value.ty.shape.known().is_none())
}

fn begins_anywhere(op: &Op) -> bool {
    matches!(op.structure(), Structure::Window(_) | Structure::Update)
}
