use iree_dsl::prelude::*;

#[kernel]
fn double(x: Tensor<f32, 3>) -> Tensor<f32, 3> {
    x + x
}

fn main() {}
