use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            trace!("x");
            trace!(x, x);
            trace!("x", ());
            trace!("f", |y| y + x);
            trace("x", x);
            x
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
