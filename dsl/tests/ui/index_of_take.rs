use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn outside(&self, x: Tensor<f32, 3, 4>) -> Tensor<f32, 2, 4> {
            x.take([0, 3], 0)
        }

        pub fn fraction(&self, x: Tensor<f32, 3, 4>, i: Tensor<f32, 2>) -> Tensor<f32, 2, 4> {
            x.take(i, 0)
        }

        pub fn rows(&self, x: Tensor<f32, 3, 4>, i: Tensor<i32, 2>) -> Tensor<f32, 3, 2> {
            x.take_along_axis(i, 1)
        }

        pub fn slice(&self, x: Tensor<f32, 3, 4>) -> Tensor<f32, 2, 4> {
            x.slice(1)
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
