use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, a: Tensor<f32, 3>, b: Tensor<f32, 4>) -> Tensor<f32, 3> {
            same(a, b)
        }
    }

    #[kernel]
    fn same<const N: usize>(a: Tensor<f32, N>, b: Tensor<f32, N>) -> Tensor<f32, N> {
        a + b
    }
}

fn main() {
    let _ = m::Model::load;
}
