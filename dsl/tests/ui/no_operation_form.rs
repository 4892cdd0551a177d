use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn function(&self, x: Tensor<f32, 3>) -> Tensor<f32, 4> {
            pad(x, 1)
        }

        pub fn method(&self, x: Tensor<f32, 3>) -> Tensor<f32, 4> {
            x.pad(1)
        }

        pub fn step(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            pad!(x; 2)
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
