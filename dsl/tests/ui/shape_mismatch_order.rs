use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn more(&self, x: Tensor<f32, 3>) -> (Tensor<f32, 4>, Tensor<i32, 4>) {
            x.top_k(4)
        }

        pub fn keys(&self, x: Tensor<f32, 3, 4>, keys: Tensor<i32, 3>) -> Tensor<f32, 3, 4> {
            x.sort_by_key(keys, 1)
        }

        pub fn complex(&self, x: Tensor<Complex<f32>, 3>) -> Tensor<Complex<f32>, 3> {
            x.sort(0)
        }

        pub fn truth(&self, x: Tensor<bool, 3>) -> Tensor<bool, 3> {
            x.cumsum(0)
        }

        pub fn integers(&self, x: Tensor<i32, 3>) -> Tensor<i32> {
            x.var()
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
