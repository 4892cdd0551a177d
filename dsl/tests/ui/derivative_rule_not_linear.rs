use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            grad(|x| soft(x).sum())(x)
        }
    }

    #[kernel(jvp = soft_jvp)]
    fn soft(x: Tensor<f32, 3>) -> Tensor<f32, 3> {
        x.clamp(-1.0, 1.0)
    }

    #[kernel]
    fn soft_jvp(x: Tensor<f32, 3>, dx: Tensor<f32, 3>) -> (Tensor<f32, 3>, Tensor<f32, 3>) {
        (soft(x), dx * dx * x)
    }
}

fn main() {
    let _ = m::Model::load;
}
