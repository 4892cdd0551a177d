use iree_dsl::prelude::*;

pub mod library {
    use iree_dsl::prelude::*;

    #[kernel]
    mod layers {
        pub fn linear(x: Tensor<f32>) -> Tensor<f32> {
            x
        }
    }
}

#[program]
pub mod m {
    #[kernel]
    use super::library::layers::linear;

    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32>) -> Tensor<f32> {
            linear(x)
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
