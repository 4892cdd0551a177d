//! Functions from the representation to itself: derivatives and batches.
//!
//! The unit is a [`Piece`]: the operations at the end of a block that is not finished. [`Piece::linearise`] leaves them where
//! they are, adds what derivatives need to know, and notes a tape of linear maps, which [`Linearised::pull_back`] transposes
//! from the last to the first. [`Piece::push_forward`] computes tangents along with the values. [`jvp`] and [`vjp`] do this
//! for whole functions, and add one to a module that computes what another does, and its derivative.
//!
//! The conventions are those of JAX: the derivative of `abs` at 0 is 0, extrema that are reached several times share
//! evenly, and cotangents of complex numbers are not conjugated: a cotangent *c* of *z* stands for the real part of *c·dz*.
//!
//! [`Batching`] applies a piece to a batch of elements at once, and [`vmap`] a whole function.
//!
//! Calls are followed. Loops have derivatives in forward mode, and in reverse mode if they count their iterations or keep
//! nothing.
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

mod batch;
mod builder;
mod checkpoint;
mod copy;
mod dead;
mod derive;
mod effect;
mod error;
mod flow;
mod linear;
mod linearity;
mod mark;
mod piece;
mod region;
mod ruled;
mod rules;
mod tape;
mod walk;

pub use batch::Batching;
pub use builder::Builder;
pub use dead::remove as remove_dead;
pub use derive::{Derived, is_differentiable, jvp, vjp, vmap};
pub use effect::has_effect;
pub use error::{Error, Reason};
pub use linearity::is_linear;
pub use mark::Checkpoints;
pub use piece::{Linearised, Names, Piece, Variable};
pub use region::TripCount;
pub use ruled::{Rule, RuleKind};
