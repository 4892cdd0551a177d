use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run<const R: usize, const C: usize>(&self, x: Tensor<f32, R, C>) -> Tensor<f32, R, C> {
            x / x.sum_axis(1)
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
