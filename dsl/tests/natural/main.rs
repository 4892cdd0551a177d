//! Whole programs from different fields, each in the form that its field writes, next to the same in plain Rust:
//! loops over `f64` and integers that know nothing of tensors.
//!
//! Each runs on the devices of the CPU, at several sizes, more than once, and in memory that was used before.

mod common;

mod clustering;
mod codes;
mod decoders;
mod encoders;
mod features;
mod finance;
mod graphs;
mod integers;
mod layers;
mod learners;
mod linear;
mod physics;
mod polynomials;
mod recurrent;
mod signals;
mod simulation;
mod sparse;
mod states;
mod statistics;
mod text;
mod training;
mod truths;
mod vision;
