use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model {
        #[global]
        params: Params,
        #[global(alias = params.v)]
        x: Tensor<f32, 3>,
    }

    impl Model {
        pub fn run(&self) -> Tensor<f32, 3> {
            self.x
        }
    }

    pub struct Params {
        pub w: Tensor<f32, 3>,
        pub b: Tensor<f32, 3>,
    }
}

fn main() {
    let _ = m::Model::load;
}
