use iree_dsl::prelude::*;

#[program]
pub mod m {
    const RATE: f32 = 0.5;

    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, RATE>) -> Tensor<f32> {
            x.sum()
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
