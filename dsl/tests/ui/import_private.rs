use iree_dsl::prelude::*;

#[kernel]
mod layers {
    pub fn linear(x: Tensor<f32>) -> Tensor<f32> {
        helper(x)
    }

    fn helper(x: Tensor<f32>) -> Tensor<f32> {
        x
    }
}

#[program]
pub mod m {
    #[kernel]
    use super::layers::{helper, linear};

    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32>) -> Tensor<f32> {
            linear(helper(x))
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
