//! Derivatives against those of JAX, which lie in a file that `tests/oracle/derivatives.py` writes.

#[path = "../oracle/check.rs"]
mod check;
#[path = "../oracle/compare.rs"]
mod compare;
#[expect(dead_code, reason = "each test reads a part of the file")]
#[path = "../oracle/data.rs"]
mod data;

mod batches;
mod bounded;
mod checkpoints;
mod control;
mod corners;
mod determinant;
mod jacobian;
mod linear;
mod lists;
mod operations;
mod pools;
mod programs;
mod rules;
mod straight;
