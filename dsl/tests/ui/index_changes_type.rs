use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3>, i: Tensor<i32>) -> Tensor<f32, 3> {
            let mut y = x;
            y[{
                y = y.sum();
                i
            }] = 1.0;
            x
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
