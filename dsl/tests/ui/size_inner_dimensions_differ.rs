use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run<const A: usize, const B: usize>(
            &self,
            a: Tensor<f32, 3, A>,
            b: Tensor<f32, B, 4>,
        ) -> Tensor<f32, 3, 4> {
            a.dot(b)
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
