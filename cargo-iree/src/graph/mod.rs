//! Programs as drawings: what becomes of what, in the words of the source.

mod branch;
mod ends;
mod expand;
mod fold;
mod label;
mod layout;
mod model;
mod svg;

pub(crate) use expand::{Program, procedures};
pub(crate) use svg::draw;
