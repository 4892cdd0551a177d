#![deny(unused_must_use)]
use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model {
        #[global]
        sum: Tensor<f32>,
    }

    impl Model {
        pub fn run(&mut self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            x.sort(0);
            self.add(x).sqrt();
            twice(x)
        }

        fn add(&mut self, x: Tensor<f32, 3>) -> Tensor<f32> {
            self.sum += x.sum();
            self.sum
        }
    }

    #[kernel]
    fn twice<const N: usize>(x: Tensor<f32, N>) -> Tensor<f32, N> {
        if x[0] > 1.0 {
            x / x
                .sum();
        }
        2.0 * x
    }
}

fn main() {
    let _ = m::Model::load;
}
