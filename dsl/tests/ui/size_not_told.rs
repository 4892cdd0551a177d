use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run<const A: usize, const B: usize>(&self, x: Tensor<f32, { A * B }>) -> Tensor<f32, A> {
            zeros()
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
