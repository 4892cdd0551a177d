//! Builds, reads and checks modules through the public interface.
//!
//! One binary, since each one links MLIR.

mod accepted;
mod affine_maps;
mod attributes;
mod builders;
mod edits;
mod erasing;
mod generated;
mod information;
mod insertion;
mod modules;
mod passes;
mod patterns;
mod samples;
mod scene;
mod symbols;
mod traverse;
mod upstream;
mod views;
