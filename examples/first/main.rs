//! The first program of the guide.

use iree_dsl::prelude::*;
use ndarray::Array2;

#[program]
pub mod trivial {
    /// A struct of tensors is a tree. It crosses the program boundary as one value.
    pub struct Params {
        pub x: Tensor<f32, 3, 4>,
        pub b: Tensor<f32, 3, 4>,
    }

    /// The program: the struct that has the `impl`. Its fields are globals.
    pub struct TrivialKernel {
        #[global(init = Params { x: full(4.0), b: ones() })]
        params: Params,
        #[global(alias = params.x)]
        x: Tensor<f32, 3, 4>,
    }

    impl TrivialKernel {
        pub fn get_params(&self) -> Params {
            self.params
        }

        pub fn run(&mut self, multiplier: Tensor<f32, 3, 4>) -> Tensor<f32, 3, 4> {
            let result = linear(multiplier, self.params.x, self.params.b);
            self.x = result;
            result
        }

        pub fn set_params(&mut self, new_params: Params) {
            self.params = new_params;
        }
    }

    #[kernel]
    fn linear<const M: usize, const N: usize>(
        m: Tensor<f32, M, N>,
        x: Tensor<f32, M, N>,
        b: Tensor<f32, M, N>,
    ) -> Tensor<f32, M, N> {
        m * x + b
    }
}

fn main() -> iree_dsl::Result<()> {
    let device = Device::open("local-task")?;
    let mut program = trivial::TrivialKernel::load(&device)?;
    let y = program.run(&Array2::<f32>::ones((3, 4)))?;
    println!("{}", y.to_array()?);
    println!("{}", program.get_params()?.x.to_array()?);
    println!("{}", trivial::TrivialKernel::MLIR);
    Ok(())
}
