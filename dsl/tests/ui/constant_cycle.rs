use iree_dsl::prelude::*;

#[program]
pub mod m {
    const A: usize = B + 1;
    const B: usize = A - 1;

    pub struct Model {
        #[global]
        x: Tensor<f32, A>,
    }

    impl Model {
        pub fn run(&self) -> Tensor<f32, A> {
            self.x
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
