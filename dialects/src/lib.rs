//! Typed builders and accessors for MLIR dialects, generated from TableGen.
//!
//! Each dialect is a module. Each of its operations is a view such as
//! [`stablehlo::AddOperation`], with typed accessors, and a builder, with a method for each
//! operand, attribute, result type and region. The table `OPERATIONS` of a dialect describes them
//! as data, and the enum `AnyOperation` has a view of each to match on. Enumerations, attributes and types of a
//! dialect are values of Rust ([`AttributeValue`], [`TypeValue`]), and where an attribute stands, a builder or a setter
//! takes a number, a text or a slice too ([`IntoAttribute`]). Nothing here panics: what is missing or malformed is an [`Error`] that names it.
//!
//! `func`, `arith` and `tensor` are known to MLIR and verified by it. `stablehlo`, `chlo` and the dialects of IREE are not part of
//! LLVM: MLIR carries their operations unchecked, and the compiler that reads the printed module checks them.
//!
//! [`Builder`] inserts operations at a place of a module, [`traverse`] has iterators and walks, [`edit()`] erases and replaces, and
//! [`Pipeline`] runs passes of MLIR and closures, with what each of them did. [`ownership`] says what keeps references from dangling.
//! Most dialects are behind features of their names; `upstream` is all of MLIR, `iree` those of IREE and CHLO. Of `complex`, `flow`,
//! `iree_linalg_ext`, `linalg` and `util` some operations are there without their features too.
//!
//! A crate of one's own gets a dialect in the same way, from a build script with `iree_dialects_generator::build`:
//! [`include_dialect!`] includes it, and [`register`] has MLIR verify it. The example crate `ttx` shows each step.
//!
//! # Examples
//!
//! A function that adds its argument to a global:
//!
//! ```
//! use iree_dialects::{func, prelude::*, stablehlo, util};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let context = iree_dialects::context();
//! let location = Location::new(&context, "src/main.rs", 3, 5);
//! let tensor = types::tensor(&[Some(4)], Type::float32(&context), location)?;
//! let module = iree_dialects::module(location);
//!
//! util::GlobalOperation::builder(&context, location)
//!     .sym_name(StringAttribute::new(&context, "bias"))
//!     .sym_visibility(StringAttribute::new(&context, "private"))
//!     .r#type(TypeAttribute::new(tensor))
//!     .initial_value(attributes::splat(tensor, FloatAttribute::new(
//!         &context,
//!         Type::float32(&context),
//!         1.0,
//!     ))?)
//!     .append_to(&module.body())?;
//!
//! let block = Block::new(&[(tensor, location)]);
//! let bias = util::GlobalLoadOperation::builder(&context, location)
//!     .global(FlatSymbolRefAttribute::new(&context, "bias"))
//!     .result(tensor)
//!     .append_to(&block)?
//!     .result()?;
//! let sum = stablehlo::AddOperation::builder(&context, location)
//!     .lhs(block.argument(0)?)
//!     .rhs(bias)
//!     .append_to(&block)?
//!     .result()?;
//! func::ReturnOperation::builder(&context, location)
//!     .operands(&[sum])
//!     .append_to(&block)?;
//!
//! let body = Region::new();
//! body.append_block(block);
//! func::FuncOperation::builder(&context, location)
//!     .sym_name(StringAttribute::new(&context, "run"))
//!     .function_type(TypeAttribute::new(types::function(&context, &[tensor], &[tensor])))
//!     .body(body)
//!     .append_to(&module.body())?;
//!
//! iree_dialects::verify(&module)?;
//! let text = iree_dialects::print(&module, Form::Generic, Locations::Omit);
//! assert!(text.contains(r#""stablehlo.add"(%arg0, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>"#));
//! iree_dialects::parse(&context, &text)?;
//! # Ok(())
//! # }
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

// What is generated names this crate from outside, as in the crates of others.
extern crate self as iree_dialects;

mod affine_map;
pub mod arith;
pub mod attributes;
pub mod cf;
pub mod complex;
mod context;
mod diagnostic;
mod edit;
mod error;
pub mod flow;
pub mod func;
mod information;
mod insertion;
mod irdl;
pub mod iree_linalg_ext;
pub mod linalg;
pub mod math;
pub mod ownership;
mod pass;
mod pass_option;
mod patterns;
mod pipeline;
pub mod prelude;
mod raw;
pub mod spliced;
pub mod stablehlo;
#[doc(hidden)]
pub mod support;
pub mod symbols;
pub mod tensor;
pub mod testing;
mod text;
mod trace;
pub mod traverse;
mod tree;
pub mod types;
pub mod util;
mod view;

pub use affine_map::{AffineExpression, AffineMap, AffineOperator};
pub use context::context;
pub use diagnostic::{Diagnostic, Diagnostics, Severity, SourceLocation, verify};
pub use edit::{Editor, edit};
pub use error::{Error, Part};
pub use information::{
    Arity, AttributeInfo, Defined, DefinitionInfo, DefinitionKind, DialectInfo, EnumerationInfo,
    Number, OperationInfo, ParameterInfo, ParameterKind, Piece, RegionInfo, Segments, Storage,
    SuccessorInfo, TypeInference, ValueInfo,
};
pub use insertion::{Builder, InsertionPoint};
pub use irdl::register;
pub use iree_dialects_trace::{Lines, OPTIONS as PRINTING_OPTIONS, Step, Trace};
/// The bindings that this crate builds on, re-exported so that there is one version of them.
pub use melior;
pub use pass_option::PassOption;
pub use patterns::Patterns;
pub use pipeline::Pipeline;
pub use support::{AttributeValue, IntoAttribute, TypeValue};
pub use text::{Form, Locations, module, parse, print, read_bytecode, write_bytecode};
pub use view::OperationView;

/// Modules of dialects that are there if the feature of their name is.
macro_rules! features {
    ($($module:ident = $feature:literal: $documentation:literal;)*) => {
        $(
            #[cfg(feature = $feature)]
            #[doc = $documentation]
            pub mod $module {
                crate::include_dialect!($feature);
            }
        )*
    };
}

features! {
    acc = "acc": "OpenACC, directives for accelerators.";
    affine = "affine": "Loops and accesses whose bounds and indices are affine.";
    amdgpu = "amdgpu": "What GPUs of AMD have besides `gpu`.";
    r#async = "async": "Asynchronous execution.";
    bufferization = "bufferization": "From tensors to buffers.";
    chlo = "chlo": "Operations of client libraries that become several of StableHLO.";
    emitc = "emitc": "C and C++ as operations.";
    gpu = "gpu": "Kernels of GPUs and their launches.";
    hal = "hal": "IREE's devices, their memory, and what they are told to do.";
    index = "index": "Arithmetic on `index`.";
    iree_tensor_ext = "iree_tensor_ext": "Tensors at the borders of IREE's dispatches.";
    llvm = "llvm": "The representation of LLVM.";
    memref = "memref": "Buffers.";
    ml_program = "ml_program": "What machine learning frameworks hand over.";
    mpi = "mpi": "Messages between processes.";
    nvgpu = "nvgpu": "What GPUs of NVIDIA have besides `gpu`.";
    omp = "omp": "OpenMP.";
    pdl = "pdl": "Patterns for rewriting.";
    ptr = "ptr": "Pointers.";
    quant = "quant": "Quantized numbers.";
    scf = "scf": "Structured control flow: loops and branches with regions.";
    shape = "shape": "Computing with shapes.";
    shard = "shard": "Tensors that are divided among devices.";
    smt = "smt": "Satisfiability modulo theories.";
    sparse_tensor = "sparse_tensor": "Sparse tensors.";
    spirv = "spirv": "SPIR-V.";
    stream = "stream": "When IREE's programs compute what, and where it lies meanwhile.";
    tosa = "tosa": "The operator set of TOSA.";
    transform = "transform": "Scripts for transformations.";
    ub = "ub": "Undefined behaviour.";
    vector = "vector": "Vectors.";
}

/// Includes what `iree_dialects_generator::build` has made of a dialect in the build script of the crate.
///
/// ```ignore
/// /// Tiles and what is done with them.
/// pub mod ttx {
///     iree_dialects::include_dialect!("ttx");
/// }
/// ```
#[macro_export]
macro_rules! include_dialect {
    ($name:literal) => {
        include!(concat!(env!("OUT_DIR"), "/", $name, ".rs"));
    };
}

/// Includes the checks that `iree_dialects_generator::build` has made of the operations of a dialect, into a module of a test.
///
/// ```ignore
/// mod ttx {
///     iree_dialects::include_checks!("ttx", ttx::ttx);
///
///     #[test]
///     fn every_operation() {
///         let context = iree_dialects::melior::Context::new();
///         iree_dialects::testing::run(&context, CHECKS).into_result().unwrap();
///     }
/// }
/// ```
#[macro_export]
macro_rules! include_checks {
    ($name:literal, $dialect:path) => {
        use $dialect as dialect;

        include!(concat!(env!("OUT_DIR"), "/", $name, ".checks.rs"));
    };
}

/// The programs of the page that introduces this crate are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
