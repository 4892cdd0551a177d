use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model {
        #[global]
        sum: Tensor<f32>,
    }

    impl Model {
        pub fn run(&mut self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            vmap(|x| {
                self.sum += x;
                x * 2.0
            })(x)
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
