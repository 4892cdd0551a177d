use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Layer<B: Dims, const N: usize> {
        pub w: Tensor<f32, B, N>,
    }

    pub struct Model;

    impl Model {
        pub fn run<B: Dims>(&self, x: Tensor<f32, B>) -> Tensor<f32> {
            x.sum()
        }

        pub fn few(&self, x: Tensor<f32, 3>) -> Tensor<f32> {
            last(x).sum()
        }

        pub fn given(&self, x: Tensor<f32, 3, 4, 5>) -> Tensor<f32> {
            last::<{ B = 3 }>(x).sum()
        }

        pub fn differ(&self, x: Tensor<f32, 3, 4>, y: Tensor<f32, 5, 4>) -> Tensor<f32> {
            added(x, y).sum()
        }
    }

    #[kernel]
    fn last<B: Dims, const M: usize, const N: usize>(x: Tensor<f32, B, M, N>) -> Tensor<f32, B, M> {
        x.sum_axis(-1)
    }

    #[kernel]
    fn added<B: Dims, const N: usize>(
        x: Tensor<f32, B, N>,
        y: Tensor<f32, B, N>,
    ) -> Tensor<f32, B, N> {
        x + y
    }
}

fn main() {
    let _ = m::Model::load;
}
