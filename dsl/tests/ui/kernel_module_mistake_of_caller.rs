use iree_dsl::prelude::*;

#[kernel]
mod layers {
    pub fn linear<const I: usize, const O: usize>(
        w: Tensor<f32, I, O>,
        b: Tensor<f32, I>,
        x: Tensor<f32, I>,
    ) -> Tensor<f32, O> {
        x.dot(w) + b
    }
}

#[program]
pub mod m {
    #[kernel]
    use super::layers::linear;

    pub struct Model;

    impl Model {
        pub fn square(&self, w: Tensor<f32, 3, 3>, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            linear(w, x, x)
        }

        pub fn wide(&self, w: Tensor<f32, 3, 4>, x: Tensor<f32, 3>) -> Tensor<f32, 4> {
            linear(w, x, x)
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
