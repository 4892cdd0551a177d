use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3, 4>) -> Tensor<f64, 4, 3> {
            x.transpose(0, 1).astype::<f64>()
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
