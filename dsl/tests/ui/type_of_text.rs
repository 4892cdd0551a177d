use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3, 4>, name: &str) -> Tensor<f32, 3, 4> {
            x * name
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
