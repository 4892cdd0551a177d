use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3, 4>) -> Tensor<f32, 3, 4> {
            let (last, all) = scan(0.0, x.sum_axis(1), |sum, y| sum + y);
            x * last
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
