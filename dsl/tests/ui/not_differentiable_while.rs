use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32>) -> Tensor<f32> {
            grad(grow)(x)
        }
    }

    #[kernel]
    fn grow(x: Tensor<f32>) -> Tensor<f32> {
        let mut y = x;
        while y < 100.0 {
            y = y * y;
        }
        y
    }
}

fn main() {
    let _ = m::Model::load;
}
