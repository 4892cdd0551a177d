use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            swish(x)
        }
    }

    #[kernel(mlir = "
        %0 = stablehlo.logistics %x : {x}
        %1 = stablehlo.multiply %0, %x : {x}
        return %1 : {result}
    ")]
    fn swish<const N: usize>(x: Tensor<f32, N>) -> Tensor<f32, N>;
}

fn main() {
    let _ = m::Model::load;
}
