use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn tuple(&self, n: Tensor<i32>) -> (Tensor<f32>, Tensor<i32>) {
            for i in range(0, n) {
                if i == 7 {
                    return (n, 1.0);
                }
                if i == 8 {
                    return i;
                }
            }
            (1.0, n)
        }

        pub fn number(&self, n: Tensor<i32>) -> Tensor<f32> {
            for i in range(0, n) {
                if i == 7 {
                    return i;
                }
            }
            1.0
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
