use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32>, i: Tensor<i32>) -> Tensor<f32> {
            x[i]
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
