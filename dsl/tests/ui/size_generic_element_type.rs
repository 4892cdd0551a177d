use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run<T: Float, const B: usize>(&self, x: Tensor<T, B>) -> Tensor<T, B> {
            x
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
