use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 8, 3, 32, 32>, w: Tensor<f32, 16, 3, 5, 5>) -> Tensor<f32> {
            conv!(x, w, padding = "same").sum()
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
