use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model {
        #[global]
        x: Tensor<f32, 3>,
    }

    pub struct Other;

    impl Model {
        pub fn get(&self) -> Tensor<f32, 3> {
            self.x
        }
    }

    impl Other {
        pub fn get(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            x
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
