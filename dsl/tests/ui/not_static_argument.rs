use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3, 4>, n: Tensor<i32>) -> Tensor<f32, 3, 4> {
            scaled(x, n)
        }
    }

    #[kernel]
    fn scaled(x: Tensor<f32, 3, 4>, n: usize) -> Tensor<f32, 3, 4> {
        x * (n as f32)
    }
}

fn main() {
    let _ = m::Model::load;
}
