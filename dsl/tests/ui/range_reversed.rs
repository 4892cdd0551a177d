use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, n: Tensor<i32>) -> Tensor<i32> {
            let mut sum = 0;
            for i in (0..n).rev() {
                sum = sum * 2 + i;
            }
            for i in range(0, n).step_by(2) {
                sum += i;
            }
            sum
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
