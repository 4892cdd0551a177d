use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model {
        #[global]
        x: Tensor<f32, 3>,
    }

    impl Model {
        pub fn run(&mut self, x: Tensor<f32, 4>) {
            self.x = x;
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
