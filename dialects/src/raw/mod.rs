//! The calls into MLIR that melior does not offer, or offers in a form that can panic.

#![allow(unsafe_code)]

mod affine;
mod attribute;
mod context;
mod diagnostic;
mod operation;
mod pass;
mod text;
mod types;
mod uses;

pub(crate) use affine::affine_map;
pub(crate) use attribute::{
    remove_attribute, replace_symbol, set_attribute, set_inherent_attribute, string_attribute,
    symbol_attribute,
};
pub(crate) use context::{context, context_of, knows_dialect, load_dialects, load_irdl};
pub(crate) use diagnostic::{capture, emit_error};
pub(crate) use operation::{
    Parts, borrow, create, erase, is_named, move_after, move_before, set_operands, set_successor,
};
pub(crate) use pass::{add_passes, pass_manager, pattern, run_passes};
pub(crate) use text::{bytecode, parse, print, text};
pub(crate) use types::{complex, complex_element, dynamic_size, tensor};
pub(crate) use uses::{replace_uses, source, uses, uses_only};
