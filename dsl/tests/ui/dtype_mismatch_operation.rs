use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<i32, 3>) -> Tensor<i32, 3> {
            x.exp()
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
