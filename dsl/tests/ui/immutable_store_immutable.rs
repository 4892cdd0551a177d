use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model {
        #[global(immutable, init = ones())]
        x: Tensor<f32, 3>,
    }

    impl Model {
        pub fn run(&mut self, x: Tensor<f32, 3>) {
            self.x = x;
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
