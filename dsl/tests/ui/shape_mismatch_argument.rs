use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, weights: Tensor<f32, 3, 4>, bias: Tensor<f32, 4>) -> Tensor<f32, 3, 4> {
            let bias = halve(bias);
            halve(weights) + bias
        }
    }

    #[kernel]
    fn halve<T: Float, const M: usize, const N: usize>(x: Tensor<T, M, N>) -> Tensor<T, M, N> {
        x * 0.5
    }
}

fn main() {
    let _ = m::Model::load;
}
