use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, n: Tensor<i32>) -> (Tensor<f32>, Tensor<i32>) {
            let mut pair = (1.0, n);
            let mut list = [n, n];
            for i in range(0, n) {
                pair = unknown(i);
                list = [n, i, other];
            }
            let known = loop {
                if pair.0 > 3.0 {
                    break missing(n);
                }
            };
            (pair.0, known)
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
