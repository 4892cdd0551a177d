use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self) -> Tensor<f32> {
            let x = zeros();
            x.sum()
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
