//! A number of the program beside tensors, in a kernel of any element type and in a procedure.

use iree_dsl::prelude::*;

#[program]
mod numbers {
    pub struct Numbers;

    #[kernel]
    fn scaled<T: Float, const D: usize>(x: Tensor<T, D>) -> Tensor<T, D> {
        x / (D as f64).sqrt()
    }

    impl Numbers {
        pub fn kernel(&self, x: Tensor<f32, 4>) -> Tensor<f32, 4> {
            scaled(x)
        }

        pub fn procedure(&self, x: Tensor<f32, 4>) -> Tensor<f32, 4> {
            (4 as f64).sqrt() * x
        }
    }
}

fn main() {}
