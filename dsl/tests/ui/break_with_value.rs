use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3, 4>) -> Tensor<f32, 3, 4> {
            let mut a = x;
            for i in 0..3 {
                a += 1.0;
                break i;
            }
            a
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
