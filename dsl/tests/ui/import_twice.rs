use iree_dsl::prelude::*;

#[kernel]
mod one {
    pub fn apply(x: Tensor<f32>) -> Tensor<f32> {
        x
    }
}

#[kernel]
mod two {
    pub fn apply(x: Tensor<f32>) -> Tensor<f32> {
        x + x
    }
}

#[program]
pub mod m {
    #[kernel]
    use super::one::apply;
    #[kernel]
    use super::two::apply;

    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32>) -> Tensor<f32> {
            apply(x)
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
