use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32>) -> Tensor<f32> {
            add(x)
        }
    }

    #[kernel]
    fn add(a: Tensor<f32>, b: Tensor<f32>) -> Tensor<f32> {
        a + b
    }
}

fn main() {
    let _ = m::Model::load;
}
