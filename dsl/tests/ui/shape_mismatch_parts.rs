use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn split(&self, x: Tensor<f32, 3, 4>) -> [Tensor<f32, 3, 2>; 3] {
            x.split(3, 1)
        }

        pub fn repeat(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            x.repeat(-1, 0)
        }

        pub fn roll(&self, x: Tensor<f32, 3>, n: Tensor<i32>) -> Tensor<f32, 3> {
            x.roll(n, 0)
        }

        pub fn tile(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            x.tile([-2])
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
