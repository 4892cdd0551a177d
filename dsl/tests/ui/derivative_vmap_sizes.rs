use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3>, y: Tensor<f32, 4>) -> Tensor<f32, 3> {
            vmap(|x, y| x * y)(x, y)
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
