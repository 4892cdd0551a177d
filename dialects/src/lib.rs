//! Typed builders and accessors for MLIR dialects, generated from TableGen.
