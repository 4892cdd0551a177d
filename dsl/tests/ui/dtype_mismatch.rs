use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, a: Tensor<f32, 3>, b: Tensor<f64, 3>) -> Tensor<f32, 3> {
            a + b
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
