use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            closing(unknown(x))
        }
    }

    #[kernel(mlir = "return %x : {x} } func.func private @more(%a: f32) -> f32 { return %a : f32")]
    fn closing(x: Tensor<f32, 3>) -> Tensor<f32, 3>;

    #[kernel(mlir = "return %x : tensor<{M}xf32>")]
    fn unknown<const N: usize>(x: Tensor<f32, N>) -> Tensor<f32, N>;
}

fn main() {
    let _ = m::Model::load;
}
