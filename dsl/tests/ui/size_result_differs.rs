use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run<const B: usize>(&self, x: Tensor<f32, B>) -> Tensor<f32, B> {
            concatenate([x, x], 0)
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
