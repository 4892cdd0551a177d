use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3>, y: Tensor<f64, 2>) -> Tensor<f32, 3> {
            let z = no_return(undeclared(x)) + wrong_result(x);
            z + (wrong_size(y) + wrong_size(y.reshape([2, 1]))).sum() as f32
        }
    }

    #[kernel(mlir = "%y = stablehlo.negate %x : {x}\nreturn %z : {result}")]
    fn undeclared(x: Tensor<f32, 3>) -> Tensor<f32, 3>;

    #[kernel(mlir = r#"
        %y = stablehlo.negate %x : tensor<3xf32>
    "#)]
    fn no_return(x: Tensor<f32, 3>) -> Tensor<f32, 3>;

    #[kernel(mlir = "
        // The element type is not that of the signature.
        %y = stablehlo.convert %x : ({x}) -> tensor<3xf16>
        return %y : tensor<3xf16>
    ")]
    fn wrong_result(x: Tensor<f32, 3>) -> Tensor<f32, 3>;

    #[kernel(mlir = "
        %y = stablehlo.concatenate %x, %x, dim = 0 : ({x}, {x}) -> {x}
        return %y : {result}
    ")]
    fn wrong_size<T>(x: T) -> T;
}

fn main() {
    let _ = m::Model::load;
}
