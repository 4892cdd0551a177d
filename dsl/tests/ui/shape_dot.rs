use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn batches(
            &self,
            x: Tensor<f32, 2, 3, 4>,
            y: Tensor<f32, 2, 4, 5>,
            v: Tensor<f32, 3>,
        ) -> Tensor<f32, 2, 3, 5> {
            debug_shape!(x.dot(v), v.dot(y));
            x.dot(y)
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
