use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run<const B: usize>(&self, x: Tensor<f32, B>, y: Tensor<f32, 3>) -> Tensor<f32, 3> {
            ask(y, 3) + tell(y)
        }
    }

    #[import]
    fn ask(x: Tensor<f32, 3>, n: usize) -> Tensor<f32, 3>;

    #[import(name = "tell")]
    fn tell(x: Tensor<f32, 3>) -> Tensor<f32, _>;

    #[import]
    fn generic<const N: usize>(x: Tensor<f32, N>) -> Tensor<f32, N>;

    #[import]
    fn body(x: Tensor<f32, 3>) -> Tensor<f32, 3> {
        x
    }
}

fn main() {
    let _ = m::Model::load;
}
