use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3, 4>) -> Tensor<f32, 3, 4> {
            let rows = [x, x * 2.0];
            rows[2]
        }

        pub fn range(&self, x: Tensor<f32, 3>) -> Tensor<f32, 2> {
            let items = [x[0], x[1]];
            stack(items[1..], 0) + stack([x[0], x[1]][s![..2]], 0)
        }

        pub fn pushed(&self, x: Tensor<f32, 3>) -> Tensor<f32, 2> {
            let mut items = [];
            items.push(x[0]);
            items.push(x[1]);
            stack(items, 0)
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
