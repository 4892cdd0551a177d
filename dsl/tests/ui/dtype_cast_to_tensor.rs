use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, i: Tensor<i32, 3, 4>) -> Tensor<f32, 3, 4> {
            i as Tensor<f32, 3, 4>
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
