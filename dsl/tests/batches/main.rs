//! Functions of one element applied to a batch: against JAX, whose numbers lie in a file that `tests/oracle/batches.py` writes,
//! and against loops over the elements.

#[path = "../oracle/check.rs"]
mod check;
#[path = "../oracle/compare.rs"]
mod compare;
#[expect(dead_code, reason = "each test reads a part of the file")]
#[path = "../oracle/data.rs"]
mod data;

mod control;
mod effects;
mod elements;
mod nested;
mod operations;
mod rules;
