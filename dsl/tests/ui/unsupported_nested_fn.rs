use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3, 4>) -> Tensor<f32, 3, 4> {
            fn double(y: Tensor<f32, 3, 4>) -> Tensor<f32, 3, 4> {
                y * 2.0
            }
            double(x)
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
