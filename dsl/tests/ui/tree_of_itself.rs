use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Tree {
        pub a: Tensor<f32>,
        pub b: [Tree; 1],
    }

    pub struct Model;

    impl Model {
        pub fn run(&self, tree: Tree) -> Tensor<f32> {
            tree.a
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
