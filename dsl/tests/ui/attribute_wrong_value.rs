use iree_dsl::prelude::*;

#[program(name = 3)]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32>) -> Tensor<f32> {
            x
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
