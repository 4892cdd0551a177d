use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Pair {
        pub a: Tensor<f32, 3, 4>,
    }

    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3, 4>) -> Tensor<f32, 3, 4> {
            let p = Pear { a: x };
            x
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
