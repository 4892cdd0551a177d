//! The stages that turn a program of the language into MLIR, artifacts and host code.
