use iree_dsl::prelude::*;

#[kernel]
mod layers {
    pub struct Params {
        pub w: Tensor<f32, 3, 4>,
        pub b: Tensor<f32, 5>,
    }

    pub fn linear(params: Params, x: Tensor<f32, 2, 3>) -> Tensor<f32, 2, 4> {
        x.dot(params.w) + params.b
    }
}

#[program]
pub mod first {
    #[kernel]
    use super::layers::{Params, linear};

    pub struct First;

    impl First {
        pub fn run(&self, params: Params, x: Tensor<f32, 2, 3>) -> Tensor<f32, 2, 4> {
            linear(params, x)
        }
    }
}

#[program]
pub mod second {
    #[kernel]
    use super::layers::{Params, linear};

    pub struct Second;

    impl Second {
        pub fn run(&self, params: Params, x: Tensor<f32, 2, 3>) -> Tensor<f32, 2, 4> {
            linear(params, x + 1.0)
        }
    }
}

fn main() {
    let _ = first::First::load;
    let _ = second::Second::load;
}
