use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            let loss = |x| x.sin() * 2.0;
            grad(loss)(x)
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
