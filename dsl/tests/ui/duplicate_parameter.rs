use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32>, y: Tensor<i32>, x: Tensor<f32>) -> Tensor<f32> {
            x + y as f32
        }
    }

    #[kernel]
    fn kept((x, _): (Tensor<f32>, Tensor<f32>), [x]: [Tensor<f32>; 1]) -> Tensor<f32> {
        x
    }

    #[kernel]
    fn first<T: Float, const N: usize, const N: usize>(x: Tensor<T, N>) -> Tensor<T> {
        x[0]
    }
}

fn main() {
    let device = Device::open("local-sync").unwrap();
    let model = m::Model::load(&device).unwrap();
    let _ = model.run(1.0, 2, 3.0);
}
