use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3, 4>) -> Tensor<f32, 3, 4> {
            make() + x
        }

        pub fn closure(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            started(|x, y| x * y.sum(), x)
        }
    }

    #[kernel]
    fn started<S, B>(f: impl Fn(S, B) -> S, x: S) -> S {
        let y: B = ones();
        f(x, y)
    }

    #[kernel]
    fn make<const M: usize>() -> Tensor<f32> {
        zeros::<f32, M>().sum()
    }
}

fn main() {
    let _ = m::Model::load;
}
