use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            grad(double)(x)
        }
    }

    #[kernel]
    fn double(x: Tensor<f32, 3>) -> Tensor<f32, 3> {
        x * 2.0
    }
}

fn main() {
    let _ = m::Model::load;
}
