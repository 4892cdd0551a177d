use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run<const B: usize>(&self, x: Tensor<f32, B>) -> Tensor<f32, B> {
            let z = zeros::<f32, _>();
            x + z
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
