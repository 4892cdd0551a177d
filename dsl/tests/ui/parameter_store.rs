use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model {
        #[global(immutable, parameter = "model")]
        x: Tensor<f32, 3>,
    }

    impl Model {
        pub fn run(&mut self) {
            self.x *= 2.0;
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
