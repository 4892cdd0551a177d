use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3, 4>, rate: f32) -> Tensor<f32, 3, 4> {
            x * rate
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
