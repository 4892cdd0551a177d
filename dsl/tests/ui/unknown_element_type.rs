use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f23, 3>) -> Tensor<f23, 3> {
            x
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
