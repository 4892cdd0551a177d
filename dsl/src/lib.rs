//! An embedded language in Rust for numerical programs.
//!
//! A program is a module with an attribute. While your crate is compiled it is traced to
//! [MLIR](https://mlir.llvm.org), compiled with [IREE](https://iree.dev) and embedded; your code calls
//! its procedures with arrays of [`ndarray`]. Types, shapes and dimensions are checked while building.
//! The binary contains no compiler.
//!
//! ```
//! use iree_dsl::prelude::*;
//! use ndarray::Array2;
//!
//! #[program]
//! pub mod trivial {
//!     /// A struct of tensors is a tree. It crosses the program boundary as one value.
//!     pub struct Params {
//!         pub x: Tensor<f32, 3, 4>,
//!         pub b: Tensor<f32, 3, 4>,
//!     }
//!
//!     /// The program: the struct that has the `impl`. Its fields are globals.
//!     pub struct TrivialKernel {
//!         #[global(init = Params { x: full(4.0), b: ones() })]
//!         params: Params,
//!         #[global(alias = params.x)]
//!         x: Tensor<f32, 3, 4>,
//!     }
//!
//!     impl TrivialKernel {
//!         pub fn get_params(&self) -> Params {
//!             self.params
//!         }
//!
//!         pub fn run(&mut self, multiplier: Tensor<f32, 3, 4>) -> Tensor<f32, 3, 4> {
//!             let result = linear(multiplier, self.params.x, self.params.b);
//!             self.x = result;
//!             result
//!         }
//!     }
//!
//!     #[kernel]
//!     fn linear<const M: usize, const N: usize>(
//!         m: Tensor<f32, M, N>,
//!         x: Tensor<f32, M, N>,
//!         b: Tensor<f32, M, N>,
//!     ) -> Tensor<f32, M, N> {
//!         m * x + b
//!     }
//! }
//!
//! fn main() -> iree_dsl::Result<()> {
//!     let device = Device::open("local-sync")?;
//!     let mut program = trivial::TrivialKernel::load(&device)?;
//!     let y = program.run(&Array2::<f32>::ones((3, 4)))?;
//!     assert_eq!(y.to_array()?, Array2::from_elem((3, 4), 5.0));
//!     assert_eq!(program.get_params()?.x.to_array()?, y.to_array()?);
//!     Ok(())
//! }
//! ```
//!
//! # What stands in the module's place
//!
//! The macro leaves a module of the same name with the host side of the program:
//!
//! - The program's struct, with `NAME`, `MLIR`, `ARTIFACTS` and `signature()`, which describe it, and
//!   [`load`](Loader::load) and `loader`, which put it on a [`Device`].
//! - A method for each `pub fn`, with the same name, receiver, documentation and parameter names. A
//!   parameter of type `Tensor<f32, 3, 4>` accepts what converts into an
//!   [`Argument<f32, Ix2>`](Argument): `&Array2<f32>`, a view, a [`DeviceArray`] or a reference to
//!   one, nested arrays, and for scalars a number. Results are [`DeviceArray`]s.
//! - The trees, with [`DeviceArray`]s for leaves, `Clone` and `Debug`. A parameter accepts one or a
//!   reference to one; `Params::upload(&device, &x, &b)` makes one from arrays of the host.
//! - Constants and type aliases that are `pub`: those of numbers, truth values and texts, and those of
//!   element types, tensors and trees.
//!
//! A call checks the shape, the element type and the device of each argument before anything runs.
//! `DeviceArray::to_array` copies a result to the host.
//!
//! # Sharing kernels
//!
//! A kernel module holds kernels and trees, and the constants and type aliases that these use. Programs
//! and other kernel modules import what is `pub`, also from another crate; what an item needs of its own
//! module comes with it. On the host a tree is a struct of its kernel module, the same for all programs.
//!
//! ```
//! use iree_dsl::prelude::*;
//!
//! #[kernel]
//! pub mod layers {
//!     #[derive(Clone)]
//!     pub struct Linear<const I: usize, const O: usize> {
//!         pub weights: Tensor<f32, I, O>,
//!         pub bias: Tensor<f32, O>,
//!     }
//!
//!     pub fn linear<const I: usize, const O: usize>(
//!         layer: Linear<I, O>,
//!         x: Tensor<f32, I>,
//!     ) -> Tensor<f32, O> {
//!         x.dot(layer.weights) + layer.bias
//!     }
//! }
//!
//! #[program]
//! pub mod model {
//!     #[kernel]
//!     use super::layers::{Linear, linear};
//!
//!     pub struct Model;
//!
//!     impl Model {
//!         pub fn run(&self, layer: Linear<3, 2>, x: Tensor<f32, 3>) -> Tensor<f32, 2> {
//!             linear(layer, x)
//!         }
//!     }
//! }
//! # fn main() {}
//! ```
//!
//! In a kernel module every function is a kernel. A module is named by the path that Rust finds it by, also
//! through `pub use`; `#[kernel] pub use` in a kernel module hands on what it imports. Modules cannot
//! import from each other in a circle, and a module that is a file of its own cannot have the attribute:
//! write `#[kernel] pub mod name { … }` inside the file.
//!
//! # Building
//!
//! `cargo build` leaves the module and the artifacts in `target/iree/<package>/`, where IREE's own tools
//! can read them. A debug build compiles for the machine that it runs on; a release build for every
//! machine of the architecture, and [`Loader::load`] takes the best variant that the processor has.
//! `cargo check` finds all mistakes without compiling.
//!
//! | variable | meaning |
//! |---|---|
//! | `IREE_COMPILE` | the IREE compiler, if it is not where `./x setup` puts it |
//! | `IREE_DSL_COMPILE_TIMEOUT` | how long one compilation may take, in seconds; where it takes longer, other ways have as long again |
//! | `IREE_DSL_BACKEND` | `interpreter`, with the feature of that name: programs run on the interpreter, whatever device they open |
//! | `IREE_DSL_EXPAND` | `1`, or the name of a module: print what stands in the module's place |
//!
//! # Without macros
//!
//! Modules that were compiled elsewhere are loaded with [`Module`] and called through a [`Session`].

extern crate self as iree_dsl;

#[cfg(doctest)]
mod guide;
pub mod prelude;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

/// The generic argument of the host form of a tree for a dimension that is known at the call only, what
/// `Batch<B>` is `Batch<RUN_TIME>` for, or that is computed from a generic one, as in `Layer<{ 4 * WIDTH }>`. Values
/// need not name it, `Batch { … }` suffices.
pub const RUN_TIME: usize = usize::MAX;

pub use half;
pub use ndarray;
pub use num_complex;

pub use iree_abi::{
    Artifact, DType, Dim, Extent, FunctionSignature, Leaf, Parameter, Requirement, SaveError,
    Shape, Signature, Site, SuppliedParameter, TensorType,
};
pub use iree_dsl_macros::{global, kernel, program};
pub use iree_runtime::{
    Argument, Code, Device, DeviceArray, DeviceBuilder, DeviceInfo, DeviceMemory, DynamicArray,
    Element, Error, Function, HostArray, HostModule, Input, IreeError, Module, Parameters, Profile,
    ProfiledSpan, Profiler, Ready, Result, Session, SessionLoader, Trace, View, Wait, Work,
    program::{Loader, Pool, Pooled, TreeArgument},
    trace_to_files,
};
#[cfg(feature = "check")]
pub use iree_runtime::{Difference, DifferenceKind, Subject};
