use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model {
        #[global]
        params: Params,
    }

    impl Model {
        pub fn run(&mut self, other: Other) {
            self.params = other;
        }
    }

    pub struct Params {
        pub w: Tensor<f32, 3>,
        pub b: Tensor<f32, 3>,
    }

    pub struct Other {
        pub w: Tensor<f32, 3>,
        pub b: Tensor<f32, 3>,
    }
}

fn main() {
    let _ = m::Model::load;
}
