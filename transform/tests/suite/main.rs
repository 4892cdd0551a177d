//! Derivatives of functions of every family, in the text form, evaluated by the interpreter.

mod batch;
mod check;
mod control;
mod errors;
mod families;
mod points;
mod random;
mod text;
