use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3, 4>) -> Tensor<f32, 3, 4> {
            if x.sum() > 0.0 { x * 2.0 }
            x
        }

        pub fn result(&self, x: Tensor<f32>) -> Tensor<f32> {
            if x > 0.0 { 1.0 }
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
