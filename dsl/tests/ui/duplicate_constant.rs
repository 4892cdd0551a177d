use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, A>) -> Tensor<f32, A> {
            x
        }
    }

    const A: usize = 1;
    const A: usize = 2;
}

fn main() {
    let _ = m::Model::load;
}
