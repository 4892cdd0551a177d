use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Pair {
        pub a: Tensor<f32, 3, 4>,
        pub b: Tensor<f32, 3, 4>,
    }

    pub struct Model;

    impl Model {
        pub fn run(&self, pair: Pair) -> Tensor<f32, 3, 4> {
            let Pair { a, c } = pair;
            a + c
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
