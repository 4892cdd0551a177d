use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run<const A: usize, const B: usize>(
            &self,
            a: Tensor<f32, A>,
            b: Tensor<f32, B>,
        ) -> Tensor<f32, A> {
            a + b
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
