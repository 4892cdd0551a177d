use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn count(&self, x: Tensor<f32, 3, 4>) -> Tensor<f32, 4, 4> {
            pad!(x, low = [1])
        }

        pub fn negative(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            pad!(x, interior = -1)
        }

        pub fn kind(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            pad!(x, high = "same")
        }

        pub fn dtype(&self, x: Tensor<f32, 3>, value: Tensor<i32>) -> Tensor<f32, 4> {
            pad!(x, low = 1, value = value)
        }

        pub fn much(&self, x: Tensor<f32, 3>) -> Tensor<f32, 0> {
            pad!(x, low = -4)
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
