//! What compiler passes of MLIR did, as texts.
//!
//! `iree-dialects` records it of its pipelines. Of other compilers, such as `mlir-opt` and `iree-compile`, [`Trace::read`] reads what they print
//! when they are asked for each pass.
//!
//! # Examples
//!
//! ```
//! # fn main() -> std::io::Result<()> {
//! let printed = "\
//! // -----// IR Dump Before CSEPass: cse //----- //
//! func.func @f(%arg0: i32) -> i32 {
//!   %0 = arith.addi %arg0, %arg0 : i32
//!   %1 = arith.addi %arg0, %arg0 : i32
//!   return %1 : i32
//! }
//! // -----// IR Dump After CSEPass: cse //----- //
//! func.func @f(%arg0: i32) -> i32 {
//!   %0 = arith.addi %arg0, %arg0 : i32
//!   return %0 : i32
//! }
//! ";
//! let trace = iree_dialects_trace::Trace::read(printed.as_bytes(), |_| true)?;
//! let step = &trace.steps()[0];
//! assert_eq!((step.pass(), step.operation()), ("cse", "func.func @f"));
//! assert_eq!((step.lines().removed, step.lines().added), (2, 1));
//! assert!(step.difference().contains("-  %1 = arith.addi %arg0, %arg0 : i32\n"));
//! # Ok(())
//! # }
//! ```

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod read;
mod step;

pub use read::OPTIONS;
pub use step::{Lines, Step};

/// What passes did, in the order in which they began.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    steps: Vec<Step>,
    messages: String,
}

impl Trace {
    /// Each run of a pass on an operation.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Those that changed something.
    pub fn changed(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(|step| step.is_change())
    }

    /// The step that failed, if one did: the innermost one, as a pass that runs others fails with them.
    pub fn failed(&self) -> Option<&Step> {
        self.steps.iter().rfind(|step| step.after().is_none())
    }

    /// What the compiler said besides, such as diagnostics; empty unless it was [read](Self::read).
    pub fn messages(&self) -> &str {
        &self.messages
    }
}

impl From<Vec<Step>> for Trace {
    fn from(steps: Vec<Step>) -> Self {
        Self {
            steps,
            messages: String::new(),
        }
    }
}
