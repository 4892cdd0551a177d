use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            soft(x)
        }
    }

    #[kernel(vjp = keep)]
    fn soft(x: Tensor<f32, 3>) -> Tensor<f32, 3> {
        x.clamp(-1.0, 1.0)
    }
}

fn main() {
    let _ = m::Model::load;
}
