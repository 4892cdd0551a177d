use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn of_loop(&self, n: Tensor<i32>) -> Tensor<f32> {
            loop {
                if n > 0 {
                    return 1.0;
                }
                if n < 0 {
                    break 2.5;
                }
                if n == 7 {
                    break true;
                }
            }
        }

        pub fn of_block(&self, n: Tensor<i32>) -> Tensor<f32> {
            'known: {
                if n > 0 {
                    break 'known n;
                }
                1.0
            }
        }

        pub fn of_structure(&self, n: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
            let mut i = n;
            loop {
                i += 1;
                if i > 9 {
                    break (i, n);
                }
                if i % 7 == 0 {
                    break i;
                }
            }
        }

        pub fn of_literal(&self, n: Tensor<i32>) -> Tensor<f64> {
            let known = 'known: {
                if n > 0 {
                    break 'known 0.5;
                }
                n as f64
            };
            known
        }

        pub fn of_place(&self, n: Tensor<i32>) -> Tensor<f32> {
            let mut i = n;
            let found: Tensor<f32> = loop {
                i += 1;
                if i > 9 {
                    break i;
                }
            };
            found
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
