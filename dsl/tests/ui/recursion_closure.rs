use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn through_kernel(&self, x: Tensor<f32>) -> Tensor<f32> {
            twice(|a| halved(a), x)
        }

        pub fn of_itself(&self, x: Tensor<f32>) -> Tensor<f32> {
            let apply = |f, g, x| f(g, x) + f(g, x);
            let again = |f, x| apply(f, f, x);
            again(again, x)
        }
    }

    #[kernel]
    fn twice(f: impl Fn(Tensor<f32>) -> Tensor<f32>, x: Tensor<f32>) -> Tensor<f32> {
        f(f(x))
    }

    #[kernel]
    fn halved(x: Tensor<f32>) -> Tensor<f32> {
        twice(|a| halved(a) * 0.5, x)
    }
}

fn main() {
    let _ = m::Model::load;
}
