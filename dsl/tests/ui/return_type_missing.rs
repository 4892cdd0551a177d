use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model {
        #[global]
        total: Tensor<f32>,
    }

    impl Model {
        pub fn of_for(&self, n: Tensor<i32>) -> Tensor<f32> {
            for _ in range(0, n) {}
        }

        pub fn of_loop(&self, n: Tensor<i32>) -> Tensor<f32> {
            loop {
                if n > 3 {
                    break;
                }
            }
        }

        pub fn of_if(&mut self, n: Tensor<i32>) -> Tensor<f32> {
            if n > 3 {
                self.total = 1.0;
            }
        }

        pub fn of_assignment(&mut self, x: Tensor<f32>) -> Tensor<f32> {
            self.total = x;
        }

        pub fn of_call(&mut self, x: Tensor<f32>) -> Tensor<f32> {
            self.store(x);
        }

        pub fn of_product(&self, x: Tensor<f32>) -> Tensor<f32> {
            x * 2.0;
        }

        fn store(&mut self, x: Tensor<f32>) {
            self.total = x;
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
