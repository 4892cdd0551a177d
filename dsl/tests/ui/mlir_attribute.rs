use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            x
        }
    }

    #[kernel(mlir = "return %x : {x}")]
    fn two_bodies(x: Tensor<f32, 3>) -> Tensor<f32, 3> {
        x
    }

    #[kernel]
    fn no_body(x: Tensor<f32, 3>) -> Tensor<f32, 3>;

    #[kernel()]
    fn no_option(x: Tensor<f32, 3>) -> Tensor<f32, 3>;

    #[kernel(mlir = 3)]
    fn no_text(x: Tensor<f32, 3>) -> Tensor<f32, 3>;

    #[kernel(text = "return %x : {x}")]
    fn other_option(x: Tensor<f32, 3>) -> Tensor<f32, 3>;

    #[kernel(mlir = "return %x : {x}")]
    fn of_the_program(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3>;
}

fn main() {
    let _ = m::Model::load;
}
