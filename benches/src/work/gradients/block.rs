//! A block of a transformer, with 4 heads and normalised inputs.

use super::{InPython, Work, inputs, listed, ours, upload};
use iree_dsl::prelude::*;
use ndarray::{Ix1, Ix2, Ix3};

const TOKENS: [usize; 3] = [8, 128, 256];

#[program]
mod block {
    pub struct Block;

    type Tokens = Tensor<f32, 8, 128, 256>;
    type Row = Tensor<f32, 256>;
    type Queries = Tensor<f32, 256, 768>;
    type Outputs = Tensor<f32, 256, 256>;
    type Up = Tensor<f32, 256, 1024>;
    type Down = Tensor<f32, 1024, 256>;

    #[kernel]
    fn normalized(x: Tokens, scale: Row) -> Tokens {
        x * ((x * x).mean_axis(-1).insert_axis(-1) + 1e-5).rsqrt() * scale
    }

    #[kernel]
    fn attended(x: Tokens, queries: Queries, outputs: Outputs) -> Tokens {
        let split = x.matmul(queries / 16.0).reshape([8, 128, 3, 4, 64]);
        let split = split.permute([2, 0, 3, 1, 4]);
        let (q, k, v) = (split[0], split[1], split[2]);
        let scores = q.matmul(k.swap_axes(-2, -1)) / 8.0;
        let heads = scores.softmax(-1).matmul(v);
        heads
            .swap_axes(1, 2)
            .reshape([8, 128, 256])
            .matmul(outputs / 16.0)
    }

    impl Block {
        pub fn run(
            &self,
            x: Tokens,
            weight: Tokens,
            first: Row,
            queries: Queries,
            outputs: Outputs,
            second: Row,
            up: Up,
            down: Down,
        ) -> (Row, Queries, Outputs, Row, Up, Down) {
            let loss = |first: Row,
                        queries: Queries,
                        outputs: Outputs,
                        second: Row,
                        up: Up,
                        down: Down| {
                let x = x + attended(normalized(x, first), queries, outputs);
                let hidden = normalized(x, second).matmul(up / 16.0).silu();
                ((x + hidden.matmul(down / 32.0)) * weight).sum()
            };
            grad::<0, 1, 2, 3, 4, 5>(loss)(first, queries, outputs, second, up, down)
        }
    }
}

pub(super) const WORK: Work = Work {
    name: "transformer block, 8×128×256",
    inputs: || {
        inputs(&[
            &TOKENS,
            &TOKENS,
            &[256],
            &[256, 768],
            &[256, 256],
            &[256],
            &[256, 1024],
            &[1024, 256],
        ])
    },
    ours: |device, inputs| {
        let program = block::Block::load(device)?;
        let tokens = |index: usize| upload::<Ix3>(device, &inputs[index]);
        let matrix = |index: usize| upload::<Ix2>(device, &inputs[index]);
        let row = |index: usize| upload::<Ix1>(device, &inputs[index]);
        let (x, weight, first, second) = (tokens(0)?, tokens(1)?, row(2)?, row(5)?);
        let (queries, outputs, up, down) = (matrix(3)?, matrix(4)?, matrix(6)?, matrix(7)?);
        Ok(ours(
            move || listed!(a, b, c, d, e, f: program.run(&x, &weight, &first, &queries, &outputs, &second, &up, &down)),
        ))
    },
    python: InPython::of("block gradient"),
    candle: None,
    ndarray: None,
    tolerance: 1e-4,
};
