use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    pub struct Pair<const N: usize, const N: usize> {
        pub a: Tensor<f32, N>,
    }

    impl Model {
        pub fn run(&self, x: Pair<3, 3>) -> Tensor<f32, 3> {
            x.a
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
