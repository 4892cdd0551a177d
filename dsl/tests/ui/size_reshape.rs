use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run<const B: usize>(&self, x: Tensor<f32, B, 6>) -> Tensor<f32, B, 4> {
            x.reshape([B, 4])
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
