use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, a: Tensor<f32, 3, 4>, b: Tensor<f32, 3, 5>) -> Tensor<f32, 3, 4> {
            a + b
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
