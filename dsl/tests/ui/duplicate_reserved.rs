use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn load(&self, x: Tensor<f32>) -> Tensor<f32> {
            x
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
