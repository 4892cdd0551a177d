//! A reference interpreter: evaluates a verified module operation by operation, as the definitions of the operations
//! say.
//!
//! It is written for clarity, from the documentation of [`iree_dsl_ir::op`], and shares nothing with the stages that
//! compile. So it is a second opinion on what those make of a program, and runs where there is no compiler.
//!
//! # Arithmetic
//!
//! - Integers wrap, and divide and shift as [`BinaryOp`](iree_dsl_ir::op::BinaryOp) says.
//! - A function of real or complex numbers is computed in `f64` and rounded to its type once.
//! - Sums and products of many numbers are kept as `f64` in the same way, in the order of the elements.
//!
//! # Bounds
//!
//! [`Interpreter::call_within`] also says how far each result may be from that of another device, which rounds elsewhere:
//! see [`Bound`].
//!
//! # Examples
//!
//! ```
//! use iree_dsl_interpreter::{Interpreter, Tensor};
//! use iree_dsl_ir::{text, verify};
//! use ndarray::array;
//!
//! let module = text::parse(
//!     "module @m {
//!        func public @double(%0 x: Tensor<f32, N>) -> Tensor<f32, N> {
//!          %1 = add %0, %0 : Tensor<f32, N>
//!          return %1
//!        }
//!      }",
//! )?;
//! let mut program = Interpreter::new(verify(module).expect("a sound module"))?;
//! let results = program.call("double", &[Tensor::from(array![1.0_f32, 2.5])])?;
//! assert_eq!(results, [Tensor::from(array![2.0_f32, 5.0])]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::unreachable,
        clippy::todo
    )
)]

mod arithmetic;
mod bounds;
mod control;
mod element;
mod error;
mod frame;
mod host;
mod interpreter;
mod memory;
mod number;
mod op;
mod sizes;
mod special;
mod tensor;
mod value;

pub use bounds::{Bound, Comparison, Mismatch};
pub use element::Element;
pub use error::{Cause, Error, SizeConflict};
pub use host::{Host, ImportError, Trace};
pub use interpreter::Interpreter;
pub use tensor::{Array, Tensor, TensorError};
pub use value::Value;
