use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, n: Tensor<u8>) -> Tensor<i32> {
            let mut rounds = 0;
            for _ in n..=256 {
                rounds += 1;
            }
            for _ in n..=-1 {
                rounds += 1;
            }
            rounds
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
