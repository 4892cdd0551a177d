use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            grad(|x| magnitude(x).sum())(x)
        }
    }

    #[kernel(mlir = "
        %0 = stablehlo.abs %x : {x}
        return %0 : {result}
    ")]
    fn magnitude(x: Tensor<f32, 3>) -> Tensor<f32, 3>;
}

fn main() {
    let _ = m::Model::load;
}
