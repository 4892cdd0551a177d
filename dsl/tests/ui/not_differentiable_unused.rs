use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32>, y: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>) {
            grad::<0, 1>(|a, b| a.sin())(x, y)
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
