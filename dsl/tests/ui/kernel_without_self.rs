use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model {
        #[global]
        b: Tensor<f32, 4>,
    }

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3, 4>) -> Tensor<f32, 3, 4> {
            affine(x)
        }
    }

    #[kernel]
    fn affine(x: Tensor<f32, 3, 4>) -> Tensor<f32, 3, 4> {
        x + self.b
    }
}

fn main() {
    let _ = m::Model::load;
}
