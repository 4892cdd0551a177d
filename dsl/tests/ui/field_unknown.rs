use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, params: Params) -> Tensor<f32, 3> {
            params.c
        }
    }

    pub struct Params {
        pub w: Tensor<f32, 3>,
        pub b: Tensor<f32, 3>,
    }
}

fn main() {
    let _ = m::Model::load;
}
