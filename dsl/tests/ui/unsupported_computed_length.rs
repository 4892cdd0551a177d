use iree_dsl::prelude::*;

#[program]
mod computed {
    pub struct Layer<const I: usize> {
        pub w: Tensor<f32, I>,
    }

    pub struct Stack<const N: usize> {
        pub layers: [Layer<3>; N],
    }

    pub struct Twice<const N: usize> {
        pub stack: Stack<N>,
    }

    pub struct Net<const H: usize> {
        pub wide: Layer<{ 2 * H }>,
        pub own: [Layer<H>; { H + 1 }],
        pub twice: Twice<{ 2 * H }>,
    }

    pub struct Computed {
        #[global]
        net: Net<1>,
    }

    impl Computed {
        pub fn net(&self) -> Net<1> {
            self.net
        }
    }
}

fn main() {}
