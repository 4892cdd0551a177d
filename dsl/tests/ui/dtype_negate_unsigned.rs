use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, n: Tensor<u32>) -> Tensor<u32> {
            -n
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
