use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Layer<const I: usize, const O: usize> {
        pub w: Tensor<f32, I, O>,
    }

    pub struct Model;

    impl Model {
        pub fn run(&self, layer: Layer<I = 3, { O = 4 }>) -> Tensor<f32> {
            layer.w.sum()
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
