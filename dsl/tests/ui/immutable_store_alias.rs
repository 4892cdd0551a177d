use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model {
        #[global(immutable, init = Pair { x: ones(), y: ones() })]
        pair: Pair,
        #[global(alias = pair.y)]
        y: Tensor<f32, 3>,
    }

    pub struct Pair {
        pub x: Tensor<f32, 3>,
        pub y: Tensor<f32, 3>,
    }

    impl Model {
        pub fn run(&mut self, x: Tensor<f32, 3>) {
            self.y = x;
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
