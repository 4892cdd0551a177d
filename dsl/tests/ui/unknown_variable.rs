use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, input: Tensor<f32>) -> Tensor<f32> {
            inptu + 1.0
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
