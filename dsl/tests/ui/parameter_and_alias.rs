use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model {
        #[global]
        w: Tensor<f32, 3>,
        #[global(parameter = "model", alias = w)]
        x: Tensor<f32, 3>,
    }

    impl Model {
        pub fn run(&self) -> Tensor<f32, 3> {
            self.x
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
