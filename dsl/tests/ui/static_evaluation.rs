use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, N>) -> Tensor<f32, N> {
            x
        }
    }

    const N: usize = 3 / 0;
}

fn main() {
    let _ = m::Model::load;
}
