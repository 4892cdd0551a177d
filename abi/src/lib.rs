//! What build time and run time of iree-dsl agree on: element types, shapes, signatures and artifacts.
//!
//! The compiler writes these values into the user's crate, the runtime reads them back. Neither side
//! depends on the other; both depend on this crate, which depends on nothing.
//!
//! The feature `build` is for tools that work with what a build leaves: it adds [`build`].

mod artifact;
#[cfg(feature = "build")]
pub mod build;
mod dtype;
mod extent;
mod foreign;
mod list;
mod npy;
mod requirement;
mod round;
mod shape;
mod signature;
mod told;
mod work;

pub use artifact::{Artifact, CUDA_CHIPS, CpuLevel, INTERPRETER, SaveError};
pub use dtype::{DType, DTypeClass, ParseDTypeError};
pub use extent::{Extent, ExtentArithmetic, ParseExtentError};
pub use foreign::foreign_file;
pub use list::split_list;
pub use npy::{NpyFile, ParseNpyError, npy_header};
pub use requirement::Requirement;
pub use round::{to_odd_f32, to_odd_f64};
pub use shape::{Dim, ParseTensorTypeError, Shape, TensorType};
pub use signature::{
    FunctionSignature, HOST, INITIALIZE, Leaf, Parameter, RESTORE, SAVE, Signature, Site,
    SuppliedParameter, UPDATES, join_path,
};
pub use told::Told;
pub use work::{WORK, Work};
