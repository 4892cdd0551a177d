use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Model;

    impl Model {
        pub fn run(&self, x: Tensor<f32, 3, 4>) -> Tensor<f32> {
            dbg!(x);
            assert_eq!(x, x);
            let y = x.clone();
            let mut total = 0.0;
            for row in x.iter() {
                total += row.sum();
            }
            let list = [y, x].iter().map(|x| x.sum());
            x.max().unwrap() + total
        }
    }
}

fn main() {
    let _ = m::Model::load;
}
