use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3, 4>) -> Tensor<f32, 3, 4> {
            make() + x
        }
    }

    #[kernel]
    fn make<const M: usize>() -> Tensor<f32> {
        zeros::<f32, M>().sum()
    }
}

fn main() {
    let _ = m::Model::load;
}
