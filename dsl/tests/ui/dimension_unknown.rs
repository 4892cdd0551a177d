use iree_dsl::prelude::*;

#[program]
pub mod m {
    const BATCHES: usize = 3;

    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, BATCH>) -> Tensor<f32> {
            x.sum()
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
