use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3, 4>) -> Tensor<f32, 3, 4> {
            select(x.sum_axis(1) > 0.0, x, 0.0)
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
