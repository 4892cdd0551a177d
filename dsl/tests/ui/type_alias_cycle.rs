use iree_dsl::prelude::*;

#[program]
pub mod m {
    type A = B;
    type B = A;

    pub struct Model {
        #[global]
        x: A,
    }

    impl Model {
        pub fn run(&self) -> Tensor<f32> {
            1.0
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
