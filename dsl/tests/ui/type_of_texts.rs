use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            scaled(x, "half")
        }
    }

    #[kernel]
    fn scaled(x: Tensor<f32, 3>, mode: &str) -> Tensor<f32, 3> {
        if mode < "half" {
            return x;
        }
        if mode == 2 {
            return x;
        }
        if mode == x {
            return x;
        }
        x * 2.0
    }
}

fn main() {
    let _ = m::Model::load;
}
