use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32>) -> Tensor<f32> {
            let mut y = x;
            for i in 0..10_000_000 {
                y = y + x;
            }
            y
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
