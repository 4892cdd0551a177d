use iree_dsl::prelude::*;

#[program]
mod meeting {
    pub struct Meeting;

    impl Meeting {
        pub fn before(&self, last: Tensor<i32>) -> Tensor<bool, 5> {
            iota() > last
        }

        pub fn share(&self, x: Tensor<f32, 5>) -> Tensor<f32> {
            1.0 / x.len()
        }

        pub fn scaled(&self, x: Tensor<f32, 5>) -> Tensor<f32> {
            x.sum() * (2.0_f32 * 3_i32)
        }

        pub fn turned(&self, x: Tensor<f32, 5>, places: Tensor<i32>) -> Tensor<f32, 5> {
            x.roll(places, 0)
        }
    }
}

fn main() {}
