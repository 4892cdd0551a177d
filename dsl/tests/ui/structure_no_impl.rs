use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model {
        #[global]
        x: Tensor<f32, 3>,
    }
}

fn main() {}
