use iree_dsl::prelude::*;

#[program]
struct Model {
    x: Tensor<f32, 3>,
}

fn main() {}
