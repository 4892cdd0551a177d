use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn near(&self, x: Tensor<f32, 3>) -> Tensor<f32, 5> {
            pad!(x, lows = [1], high = [1])
        }

        pub fn far(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            pad!(x, mode = "edge")
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
