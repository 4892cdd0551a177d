use iree_dsl::prelude::*;

#[kernel]
mod one {
    #[kernel]
    use super::two::{g, h};

    pub fn f(x: Tensor<f32>) -> Tensor<f32> {
        g(h(x))
    }
}

#[kernel]
mod two {
    #[kernel]
    use super::one::f;

    pub fn g(x: Tensor<f32>) -> Tensor<f32> {
        x
    }

    pub fn h(x: Tensor<f32>) -> Tensor<f32> {
        x
    }
}

#[program]
pub mod m {
    #[kernel]
    use super::one::f;

    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32>) -> Tensor<f32> {
            f(x)
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
