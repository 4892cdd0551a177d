//! The programs that the commands are tried on.

use iree_dsl::prelude::*;

#[program(targets = ["cpu:host", "vmvx"])]
pub mod scaling {
    pub struct Params {
        pub w: Tensor<f32, 2, 3>,
        pub b: Tensor<f32, 3>,
    }

    pub struct Scaling {
        #[global(init = Params { w: full(2.0), b: ones() })]
        params: Params,
        #[global(init = full(0))]
        calls: Tensor<u8>,
    }

    impl Scaling {
        /// One row for each row of `x`.
        pub fn run<const N: usize>(&mut self, x: Tensor<f32, N, 2>) -> Tensor<f32, N, 3> {
            self.calls = self.calls + 1;
            affine(x, self.params.w, self.params.b)
        }

        pub fn count(&self) -> Tensor<u8> {
            self.calls
        }

        pub fn set(&mut self, params: Params) {
            self.params = params;
        }
    }

    #[kernel]
    fn affine<const N: usize, const A: usize, const B: usize>(
        x: Tensor<f32, N, A>,
        w: Tensor<f32, A, B>,
        b: Tensor<f32, B>,
    ) -> Tensor<f32, N, B> {
        x.matmul(w) + b
    }
}

#[program]
pub mod supplied {
    pub struct Supplied {
        #[global(parameter = "model")]
        w: Tensor<i32, 2>,
    }

    impl Supplied {
        pub fn get(&self) -> Tensor<i32, 2> {
            trace!("w", self.w);
            self.w
        }

        pub fn split(&self, z: Tensor<Complex<f32>, 2>) -> (Tensor<f32, 2>, Tensor<f32, 2>) {
            (z.re(), z.im())
        }
    }
}

#[program]
pub mod attending {
    #[kernel]
    use nn::transformer::{Block, block};

    const HEADS: usize = 2;

    pub struct Attending {
        #[global]
        layers: Block<8, 16, f32>,
    }

    impl Attending {
        pub fn set(&mut self, layers: Block<8, 16, f32>) {
            self.layers = layers;
        }

        pub fn run(&self, x: Tensor<f32, 6, 8>) -> Tensor<f32, 6, 8> {
            block(self.layers, HEADS, x)
        }
    }
}

#[program]
pub mod stacked {
    pub struct Layer {
        w: Tensor<f32, 4, 4>,
        b: Tensor<f32, 4>,
    }

    pub struct Stacked {
        #[global(immutable, parameter = "model")]
        layers: [Layer; 6],
    }

    impl Stacked {
        pub fn run(&self, x: Tensor<f32, 2, 4>) -> Tensor<f32, 2, 4> {
            let mut y = x;
            for layer in self.layers {
                let hidden = dense(layer, y);
                y = y + hidden.tanh();
            }
            y
        }
    }

    #[kernel]
    fn dense(layer: Layer, x: Tensor<f32, 2, 4>) -> Tensor<f32, 2, 4> {
        x.matmul(layer.w) + layer.b
    }
}
