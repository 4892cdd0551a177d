use iree_dsl::prelude::*;

#[kernel]
pub mod layers {
    pub struct Params {
        pub x: Tensor<f32>,
    }

    impl Params {
        pub fn double(&self) -> Tensor<f32> {
            self.x + self.x
        }
    }
}

fn main() {
    let _: Option<layers::Params> = None;
}
