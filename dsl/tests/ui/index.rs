use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, xs: [Tensor<f32>; 2]) -> Tensor<f32> {
            xs[2]
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
