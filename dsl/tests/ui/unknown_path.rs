use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3, 4>) -> Tensor<f32, 3, 4> {
            x * Self::SCALE + random::poisson::<f32, 3, 4>(x)
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
