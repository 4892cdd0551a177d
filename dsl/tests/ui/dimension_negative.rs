use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3, -1>) -> Tensor<f32> {
            x.sum()
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
