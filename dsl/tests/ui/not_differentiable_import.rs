use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32>) -> Tensor<f32> {
            grad(|x| rate(x) * x)(x)
        }
    }

    #[import]
    fn rate(x: Tensor<f32>) -> Tensor<f32>;
}

fn main() {
    let _ = m::Model::load;
}
