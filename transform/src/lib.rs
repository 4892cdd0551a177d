//! Functions from the representation to itself: derivatives.
//!
//! [`jvp`] and [`vjp`] add a function to a module that computes what another one does, and its derivative. Both go the
//! same way: they *linearise* the function, which runs it once and notes a tape of linear maps with the values that these
//! keep, and then replay the tape, or transpose each of its maps from the last to the first.
//!
//! The conventions are those of JAX: the derivative of `abs` at 0 is 0, extrema that are reached several times share
//! evenly, and cotangents of complex numbers are not conjugated: a cotangent *c* of *z* stands for the real part of *c·dz*.
//!
//! Functions are straight lines of operations so far; calls are followed.
//!
//! # Examples
//!
//! ```
//! use iree_dsl_interpreter::{Interpreter, Tensor};
//! use iree_dsl_ir::{text, verify};
//! use iree_dsl_transform::vjp;
//! use ndarray::{array, arr0};
//!
//! let module = text::parse(
//!     "module @m {
//!        func public @energy(%0 x: Tensor<f64, N>) -> Tensor<f64> {
//!          %1 = multiply %0, %0 : Tensor<f64, N>
//!          %2 = reduce_sum %1 axes [0] : Tensor<f64>
//!          return %2
//!        }
//!      }",
//! )?;
//! let module = verify(module).expect("a sound module");
//! let (energy, _) = module.module().functions.iter().next().expect("a function");
//! let derived = vjp(&module, energy, &[0])?;
//! let mut program = Interpreter::new(verify(derived.module).expect("a sound module"))?;
//! let arguments = [Tensor::from(array![1.0, 2.0]), Tensor::from(arr0(1.0))];
//! let results = program.call("energy_vjp", &arguments)?;
//! assert_eq!(results, [Tensor::from(arr0(5.0)), Tensor::from(array![2.0, 4.0])]);
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

mod builder;
mod copy;
mod dead;
mod derive;
mod effect;
mod error;
mod linear;
mod linearise;
mod rules;
mod tape;

pub use derive::{Derived, jvp, vjp};
pub use error::{Error, Reason};
