use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32>) -> Tensor<f32> {
            grad(|x| fori(9, x, checkpoint::<0>(|_, x| x.sin())))(x)
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
