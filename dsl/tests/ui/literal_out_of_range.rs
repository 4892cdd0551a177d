use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<u8, 3>) -> Tensor<u8, 3> {
            x + 300
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
