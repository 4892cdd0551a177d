use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model {
        #[global]
        weight: Tensor<f32>,
    }

    impl Model {
        pub fn run(&self) -> Tensor<f32> {
            self.wieght
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
