use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Layer<const I: usize, const O: usize> {
        pub w: Tensor<f32, I, O>,
    }

    pub struct Model;

    impl Model {
        pub fn run(&self, layer: Layer<3, { I = 4 }>) -> Tensor<f32> {
            layer.w.sum()
        }

        pub fn mixed(&self, layer: Layer<{ O = 3 }, 4>) -> Tensor<f32> {
            layer.w.sum()
        }

        pub fn scaled(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            scale::<{ M = 3 }, { M = 3 }>(x)
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
