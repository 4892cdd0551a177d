use iree_dsl::prelude::*;

#[program]
pub mod private {
    pub struct Model;

    impl Model {
        fn run(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            x
        }
    }
}

#[program]
pub mod empty {
    pub struct Model;

    impl Model {}
}

fn main() {}
