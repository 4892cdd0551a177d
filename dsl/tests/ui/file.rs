use iree_dsl::prelude::*;

#[program]
mod program {
    pub struct Program {
        #[global(init = include_npy!("../files/f33.npy"))]
        missing: Tensor<f32, 2, 3>,
        #[global(init = include_npy!("../files/f32.npy"))]
        shape: Tensor<f32, 3, 2>,
        #[global(init = include_npy!("../files/f64.npy"))]
        dtype: Tensor<f32, 2, 3>,
        #[global(init = include_npy!("../files/damaged.npy"))]
        damaged: Tensor<f32, 2, 3>,
        #[global(init = include_safetensors!("../files/damaged.safetensors", "x"))]
        broken: Tensor<f32, 2, 3>,
        #[global(init = include_safetensors!("../files/all.safetensors", "f23.weight"))]
        name: Tensor<f32, 2, 3>,
        #[global(init = include_npy!(3))]
        number: Tensor<f32, 2, 3>,
    }

    impl Program {
        pub fn run(&self) -> Tensor<f32, 2, 3> {
            self.missing
        }
    }
}

fn main() {}
