use iree_dsl::prelude::*;

#[kernel]
pub mod layers {
    pub struct Attention<const WIDTH: usize, const HEADS: usize> {
        pub weight: Tensor<f32, WIDTH, WIDTH>,
    }

    pub fn attend<const WIDTH: usize, const HEADS: usize>(
        layer: Attention<WIDTH, HEADS>,
        x: Tensor<f32, WIDTH>,
    ) -> Tensor<f32, WIDTH> {
        assert!(WIDTH % HEADS == 0, "the width is a multiple of the number of heads");
        x.dot(layer.weight)
    }
}

#[program]
pub mod m {
    #[kernel]
    use super::layers::{Attention, attend};

    pub struct Model;

    impl Model {
        pub fn run(
            &self,
            layer: Attention<{ WIDTH = 8 }, { HEADS = 3 }>,
            x: Tensor<f32, 8>,
        ) -> Tensor<f32, 8> {
            attend(layer, x)
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
