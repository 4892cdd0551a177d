use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Params {
        pub x: Tensor<f32, 3>,
    }

    impl Modle {
        pub fn run(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            x
        }
    }
}

fn main() {}
