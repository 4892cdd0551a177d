use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model {
        #[global]
        w: Tensor<f32, _, 3>,
    }

    impl Model {
        pub fn run(&self) -> Tensor<f32> {
            self.w.sum()
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
