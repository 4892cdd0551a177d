use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn even(&self, n: Tensor<i32>) -> Tensor<bool> {
            if n == 0 { true } else { self.odd(n - 1) }
        }

        pub fn odd(&self, n: Tensor<i32>) -> Tensor<bool> {
            if n == 0 { false } else { self.even(n - 1) }
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
