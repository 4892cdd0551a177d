#![deny(unused_variables)]
use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3>) -> Tensor<f32> {
            let doubled = x * 2.0;
            let _kept = x;
            twice(x)
        }
    }

    #[kernel]
    fn twice<const N: usize>(x: Tensor<f32, N>) -> Tensor<f32> {
        let (sum, largest) = (x.sum(), x.max());
        2.0 * sum
    }
}

fn main() {
    let _ = m::Model::load;
}
