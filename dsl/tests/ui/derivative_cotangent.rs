use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3>) -> Tensor<f32, 3> {
            let (y, back) = vjp(|x| x.sum(), x);
            back(x * y)
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
