use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3, 4>) -> Tensor<f32, 3, 4> {
            x * x[s![..;0, 0]].sum()
        }

        pub fn computed(&self, x: Tensor<f32, 4>, n: Tensor<i32>) -> Tensor<f32, 4> {
            x[s![..;n]]
        }

        pub fn fraction(&self, x: Tensor<f32, 4>) -> Tensor<f32, 2> {
            x[s![..;2.0]]
        }

        pub fn long(&self, x: Tensor<f32, 4>) -> Tensor<f32, 1> {
            x[s![..;-3_000_000_000]]
        }

        pub fn assigned(&self, x: Tensor<f32, 4>, v: Tensor<f32, 3>) -> Tensor<f32, 4> {
            let mut y = x;
            y[s![..;-2]] = v;
            y
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
