use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3, 4>) -> Tensor<f32, 3, 4> {
            stack(vec![x, x], 0).sum_axis(0)
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
