use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32>) -> Tensor<f32> {
            assert!(x > 0.0, "x is {x}");
            x
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
