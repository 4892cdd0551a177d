use iree_dsl::prelude::*;

#[program]
mod computed {
    pub struct Layer<const I: usize, const O: usize> {
        pub w: Tensor<f32, I, O>,
    }

    pub struct Net<const H: usize> {
        pub a: Tensor<f32, { 2 * H }>,
        pub layer: Layer<H, { 2 * H }>,
    }

    pub struct Computed {
        #[global]
        net: Net<3>,
    }

    impl Computed {
        pub fn net(&self) -> Net<3> {
            self.net
        }
    }
}

fn main() {}
