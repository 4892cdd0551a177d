#![deny(deprecated)]

use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run<const B: usize>(&self, x: Tensor<f32, B, 3>, y: Tensor<i8>) -> Tensor<f32, 3> {
            debug_shape!(x, (y, 2));
            for _ in range(0, 3) {
                debug_shape!(x.dim(0), 1.5, "text");
            }
            column_sum(x) + column_sum(x.t())[0]
        }
    }

    #[kernel]
    fn column_sum<const N: usize, const M: usize>(x: Tensor<f32, N, M>) -> Tensor<f32, M> {
        debug_shape!(x);
        x.sum_axis(0)
    }
}

fn main() {
    let _ = m::Model::load;
}
