use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32>, layers: [Layer; 2]) -> Tensor<f32> {
            grad(|layers| x * layers[1].w)(layers)[0].w
        }
    }

    pub struct Layer {
        w: Tensor<f32>,
        count: Tensor<i32>,
    }
}

fn main() {
    let _ = m::Model::load;
}
