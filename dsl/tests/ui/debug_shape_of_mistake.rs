use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 2, 3>, y: Tensor<f32, 2>) -> Tensor<f32, 2, 3> {
            debug_shape!(x, y);
            debug_shape!();
            x + y
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
