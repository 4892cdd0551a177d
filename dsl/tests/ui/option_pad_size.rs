use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run<const N: usize>(&self, x: Tensor<f32, N>, n: Tensor<i32>) -> Tensor<f32, _> {
            let y = pad!(x, interior = [N]);
            pad!(y, high = [n])
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
