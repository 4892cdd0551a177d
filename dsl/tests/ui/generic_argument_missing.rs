use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Encoder<const WIDTH: usize, const INNER: usize, const LAYERS: usize = 6> {
        pub layers: [Tensor<f32, WIDTH, INNER>; LAYERS],
    }

    pub struct Model;

    impl Model {
        pub fn run(&self, encoder: Encoder<{ LAYERS = 2 }>) -> Tensor<f32> {
            encoder.layers[0].sum()
        }

        pub fn other(&self, encoder: Encoder<8>) -> Tensor<f32> {
            encoder.layers[0].sum()
        }

        pub fn many(&self, encoder: Encoder<8, 8, 8, 8>) -> Tensor<f32> {
            encoder.layers[0].sum()
        }

        pub fn blank(&self) -> Tensor<f32> {
            blank::<{ M = 3 }>().sum()
        }
    }

    #[kernel]
    fn blank<const M: usize, const N: usize>() -> Tensor<f32, M, N> {
        zeros()
    }
}

fn main() {
    let _ = m::Model::load;
}
