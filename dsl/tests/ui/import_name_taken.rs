use iree_dsl::prelude::*;

#[kernel]
mod layers {
    pub struct Params {
        pub x: Tensor<f32>,
    }
}

#[program]
pub mod m {
    #[kernel]
    use super::layers::Params;

    pub struct Params {
        pub y: Tensor<f32>,
    }

    pub struct Model;

    impl Model {
        pub fn run(&self, params: Params) -> Tensor<f32> {
            params.y
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
