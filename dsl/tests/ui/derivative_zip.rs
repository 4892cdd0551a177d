use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: (Tensor<f32>, Tensor<f32>)) -> (Tensor<f32>, Tensor<f32>) {
            zip_tree(x, x.0, |a, b| a - b)
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
