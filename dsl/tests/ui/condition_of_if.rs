use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            if x > 0.0 {
                x
            } else {
                -x
            }
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
