use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    pub struct Unused<T, const N: usize> {
        pub a: Tensor<T, N>,
        pub b: (Tensor<f32>, Missing),
    }

    type Row = Tensor<f31, 4>;
    type Column<const N: usize> = Tensor<f32, N, M>;

    impl Model {
        pub fn run(&self, x: Tensor<f32>) -> Tensor<f32> {
            x
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
