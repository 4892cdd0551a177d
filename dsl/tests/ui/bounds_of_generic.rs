use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3, 4>) -> Tensor<f32, 3, 4> {
            same(x as i32) as f32
        }
    }

    #[kernel]
    fn same<T: Float, const M: usize, const N: usize>(x: Tensor<T, M, N>) -> Tensor<T, M, N> {
        x
    }
}

fn main() {
    let _ = m::Model::load;
}
