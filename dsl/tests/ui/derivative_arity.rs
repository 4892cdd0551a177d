//! What is made of a function takes as many arguments as that does.

use iree_dsl::prelude::*;

#[program]
mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32>) -> Tensor<f32> {
            let half = grad(|x: Tensor<f32>, y: Tensor<f32>| x * y)(x);
            half + (|x: Tensor<f32>| x)(x, x)
        }
    }
}

fn main() {}
