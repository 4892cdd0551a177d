use iree_dsl::prelude::*;

#[program]
pub mod m {
    const N: usize = 3;

    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, N>) -> Tensor<f32, N> {
            assert!(N == 3, "known to hold");
            assert!(N > 3, "there are enough");
            assert!(x > 0.0, "positive");
            assert!(x.sum(), "a number");
            assert!(x.sum() > 0.0);
            assert!(x.sum() > 0.0, x);
            x
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
