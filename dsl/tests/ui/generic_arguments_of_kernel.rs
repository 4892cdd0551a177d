use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3, 4>) -> Tensor<f32, 3, 4> {
            scale::<3>(x)
        }
    }

    #[kernel]
    fn scale<const M: usize, const N: usize>(x: Tensor<f32, M, N>) -> Tensor<f32, M, N> {
        x * 2.0
    }
}

fn main() {
    let _ = m::Model::load;
}
