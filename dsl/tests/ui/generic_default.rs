use iree_dsl::prelude::*;

#[program]
pub mod m {
    pub struct Order<const I: usize = 3, const O: usize> {
        pub w: Tensor<f32, I, O>,
    }

    pub struct Kind<const I: usize = f32, T: Float = Missing> {
        pub w: Tensor<T, I>,
    }

    pub struct Later<const I: usize = O, const O: usize = 2> {
        pub w: Tensor<f32, I, O>,
    }

    type Row<const N: usize = 3> = Tensor<f32, N>;

    pub struct Model;

    impl Model {
        pub fn run(&self, x: Row<3>) -> Tensor<f32> {
            sum(x)
        }
    }

    #[kernel]
    fn sum<const N: usize = 3>(x: Tensor<f32, N>) -> Tensor<f32> {
        x.sum()
    }
}

fn main() {
    let _ = m::Model::load;
}
