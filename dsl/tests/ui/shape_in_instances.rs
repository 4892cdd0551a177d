use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(
            &self,
            a: Tensor<f32, 2, 3>,
            b: Tensor<f32, 4, 5>,
            c: Tensor<f64, 6, 7>,
        ) -> (Tensor<f32>, Tensor<f32>, Tensor<f64>) {
            (product(a), product(b), product(c))
        }

        pub fn layers(&self, x: Tensor<f32, 4>) -> Tensor<f32> {
            let mut sum = 0.0;
            for k in [1, 2, 3] {
                sum += part(x, k);
            }
            sum
        }
    }

    #[kernel]
    fn product<T: Float, const M: usize, const N: usize>(x: Tensor<T, M, N>) -> Tensor<T> {
        let y = x.dot(x);
        y.softmx(0).sum()
    }

    #[kernel]
    fn part(x: Tensor<f32, 4>, k: usize) -> Tensor<f32> {
        x[4 + k]
    }
}

fn main() {
    let _ = m::Model::load;
}
