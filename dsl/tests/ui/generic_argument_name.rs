use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Encoder<const WIDTH: usize, const LAYERS: usize> {
        pub layers: [Tensor<f32, WIDTH>; LAYERS],
    }

    pub struct Model;

    impl Model {
        pub fn run(&self, encoder: Encoder<{ WIDTH = 8 }, { LAYER = 2 }>) -> Tensor<f32> {
            encoder.layers[0].sum()
        }

        pub fn scaled(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            scale::<{ ROWS = 3 }>(x)
        }

        pub fn tensor(&self, x: Tensor<f32, { N = 3 }>) -> Tensor<f32> {
            x.sum()
        }

        pub fn built(&self) -> Tensor<f32, 3> {
            zeros::<f32, { N = 3 }>()
        }
    }

    #[kernel]
    fn scale<const M: usize>(x: Tensor<f32, M>) -> Tensor<f32, M> {
        x * 2.0
    }
}

fn main() {
    let _ = m::Model::load;
}
