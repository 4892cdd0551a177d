use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3, 4>, y: Tensor<f32, 3, 5>) -> Tensor<f32, 3, 4> {
            concatenate([x, y], 0).sum() * x
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
