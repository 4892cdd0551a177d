use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3, 4>) -> Tensor<f32, 3, 4> {
            let mut a = x;
            let mut n = 10;
            while a.sum() > 0.0 {
                n = n - 1;
                a = a.t();
            }
            a
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
