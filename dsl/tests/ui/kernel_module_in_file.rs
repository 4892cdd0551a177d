use iree_dsl::prelude::*;

#[kernel]
#[path = "kernel_module_in_file.rs"]
pub mod layers;

fn main() {}
