use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32>) -> Tensor<f32> {
            let (a, b, c) = (x, x);
            a + b + c
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
