use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run<const B: usize>(&self, x: Tensor<f32, B>) -> Tensor<f32, B> {
            closure(x, |y| y);
            nothing(x);
            open(x);
            pattern((x, x));
            number(x);
            x
        }
    }

    #[kernel(mlir = "return %x : {x}")]
    fn closure<const B: usize>(x: Tensor<f32, B>, f: impl Fn(f32) -> f32) -> Tensor<f32, B>;

    #[kernel(mlir = "return")]
    fn nothing<const B: usize>(x: Tensor<f32, B>);

    #[kernel(mlir = "return %x : {x}")]
    fn open<const B: usize>(x: Tensor<f32, B>) -> Tensor<f32, _>;

    #[kernel(mlir = "return %x : {x}")]
    fn pattern<const B: usize>((x, y): (Tensor<f32, B>, Tensor<f32, B>)) -> Tensor<f32, B>;

    #[kernel(mlir = "return %x : {x}")]
    fn number<const B: usize>(x: Tensor<f32, B>) -> usize;
}

fn main() {
    let _ = m::Model::load;
}
