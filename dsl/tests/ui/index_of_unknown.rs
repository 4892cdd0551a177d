//! A tensor whose shape nothing has told yet has no elements to assign.

use iree_dsl::prelude::*;

#[program]
mod m {
    pub struct Model;

    impl Model {
        pub fn squares(&self) -> Tensor<f32, 10> {
            let mut squares = zeros();
            for k in 0..10 {
                squares[k] = (k * k) as f32;
            }
            squares
        }
    }
}

fn main() {}
