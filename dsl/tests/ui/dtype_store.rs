use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model {
        #[global]
        loss: Tensor<f32>,
    }

    impl Model {
        pub fn run(&mut self, x: Tensor<f32, 3, 4>) -> Tensor<f32, 3, 4> {
            self.loss = x.sum() as f64;
            x
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
