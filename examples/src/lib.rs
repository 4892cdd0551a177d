//! Complete programs written with iree-dsl.
