use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            jvp(soft, x, x).1
        }
    }

    #[kernel(vjp = (keep, back))]
    fn soft(x: Tensor<f32, 3>) -> Tensor<f32, 3> {
        x.clamp(-1.0, 1.0)
    }

    #[kernel]
    fn keep(x: Tensor<f32, 3>) -> (Tensor<f32, 3>, Tensor<f32, 3>) {
        (soft(x), x)
    }

    #[kernel]
    fn back(x: Tensor<f32, 3>, dy: Tensor<f32, 3>) -> Tensor<f32, 3> {
        dy * x
    }
}

fn main() {
    let _ = m::Model::load;
}
