//! What a file with a program needs: `use iree_dsl::prelude::*;`.

pub use crate::{
    Argument, Artifact, Device, DeviceArray, Signature, TreeArgument, Wait, global, kernel, program,
};

pub use half::{bf16, f16};
pub use num_complex::Complex;
