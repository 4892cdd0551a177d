use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, a: Tensor<f32, 3, 4>, b: Tensor<f32, 5, 2>) -> Tensor<f32, 3, 2> {
            a.matmul(b)
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
