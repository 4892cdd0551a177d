use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn shape(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            add(|v| v.sum(), x)
        }

        pub fn dtype(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            add(
                |v| {
                    let doubled = v * 2.0;
                    doubled as i32
                },
                x,
            )
        }

        pub fn parameter(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            add(|v: Tensor<f32, 4>| v, x)
        }

        pub fn count(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            add(|v, w| v + w, x)
        }

        pub fn kernel(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            add(largest, x)
        }

        pub fn no_closure(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            add(x, x)
        }

        pub fn unknown(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            odd(|v| v, x)
        }
    }

    #[kernel]
    fn add<const N: usize>(
        f: impl Fn(Tensor<f32, N>) -> Tensor<f32, N>,
        x: Tensor<f32, N>,
    ) -> Tensor<f32, N> {
        f(x) + x
    }

    #[kernel]
    fn largest<const N: usize>(x: Tensor<f32, N>) -> Tensor<f32> {
        x.max()
    }

    #[kernel]
    fn odd(f: impl Fn(Tensor<f31, 3>) -> Tensor<f32, 3>, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
        f(x)
    }
}

fn main() {
    let _ = m::Model::load;
}
