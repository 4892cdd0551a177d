use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, a: Tensor<f32, 3>, b: Tensor<f32, 4>) -> Tensor<f32, 3> {
            add(a, b)
        }
    }

    #[kernel]
    fn add<const M: usize, const N: usize>(a: Tensor<f32, M>, b: Tensor<f32, N>) -> Tensor<f32, M> {
        a + b
    }
}

fn main() {
    let _ = m::Model::load;
}
