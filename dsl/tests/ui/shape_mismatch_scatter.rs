use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn updates(&self, x: Tensor<f32, 3>, i: Tensor<i32, 2>, u: Tensor<f32, 3>) -> Tensor<f32, 3> {
            x.scatter_add(i, u, 0)
        }

        pub fn dtype(&self, x: Tensor<f32, 3>, i: Tensor<i32, 2>, u: Tensor<i32, 2>) -> Tensor<f32, 3> {
            x.scatter(i, u, 0)
        }

        pub fn truth(&self, x: Tensor<bool, 3>, i: Tensor<i32, 2>, u: Tensor<bool, 2>) -> Tensor<bool, 3> {
            x.scatter_add(i, u, 0)
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
