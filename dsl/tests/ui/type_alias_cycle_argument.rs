use iree_dsl::prelude::*;

#[program]
pub mod m {
    type A = B;
    type B = A;

    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32>) -> Tensor<f32> {
            negate(x)
        }
    }

    #[kernel]
    fn negate(x: A) -> Tensor<f32> {
        -x
    }
}

fn main() {
    let _ = m::Model::load;
}
