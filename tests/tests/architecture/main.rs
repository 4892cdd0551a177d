//! The invariants of ARCHITECTURE.md that can be read off the sources and the manifests.

mod classes;
mod dependencies;
mod environment;
mod locks;
mod order;
mod spans;
mod stages;
mod tokens;
mod unsafety;
mod workspace;
