//! Products of square matrices.

use super::{InPython, Prepare, Work, in_candle, in_ndarray, numbers, ours, upload};
use half::bf16;
use iree_dsl::prelude::*;
use ndarray::Ix2;

/// Programs for a size, and what is done with them.
macro_rules! product {
    ($module:ident $program:ident $size:literal: $single:ident $single_name:literal, $narrow:ident $narrow_name:literal) => {
        #[program]
        mod $module {
            pub struct $program;

            impl $program {
                pub fn single(
                    &self,
                    a: Tensor<f32, $size, $size>,
                    b: Tensor<f32, $size, $size>,
                ) -> Tensor<f32, $size, $size> {
                    a.dot(b)
                }

                pub fn narrow(
                    &self,
                    a: Tensor<bf16, $size, $size>,
                    b: Tensor<bf16, $size, $size>,
                ) -> Tensor<bf16, $size, $size> {
                    a.dot(b)
                }
            }
        }

        const $single: Work = Work {
            name: $single_name,
            inputs: || [1, 2].map(|seed| numbers(&[$size, $size], seed)).into(),
            ours: |device, inputs| {
                let program = $module::$program::load(device)?;
                let a = upload::<Ix2>(device, &inputs[0])?;
                let b = upload::<Ix2>(device, &inputs[1])?;
                Ok(ours(move || program.single(&a, &b)))
            },
            python: InPython::of("matmul"),
            candle: Some(CANDLE),
            ndarray: Some(NDARRAY),
            tolerance: 1e-5,
        };

        const $narrow: Work = Work {
            name: $narrow_name,
            ours: |device, inputs| {
                let program = $module::$program::load(device)?;
                let rounded = |index: usize| inputs[index].mapv(bf16::from_f32);
                let matrix = |index| rounded(index).into_dimensionality::<Ix2>();
                let a = device.upload(&matrix(0)?)?;
                let b = device.upload(&matrix(1)?)?;
                Ok(ours(move || program.narrow(&a, &b)))
            },
            python: InPython {
                name: "matmul",
                bf16: true,
            },
            // Neither has it on the CPU.
            candle: None,
            ndarray: None,
            // One unit in the last place.
            tolerance: 1.0 / 128.0,
            ..$single
        };
    };
}

product! { of_512 Of512 512: SINGLE_512 "matmul 512, f32", NARROW_512 "matmul 512, bf16" }
product! { of_1024 Of1024 1024: SINGLE_1024 "matmul 1024, f32", NARROW_1024 "matmul 1024, bf16" }
product! { of_2048 Of2048 2048: SINGLE_2048 "matmul 2048, f32", NARROW_2048 "matmul 2048, bf16" }

pub(super) const ALL: [Work; 6] = [
    SINGLE_512,
    SINGLE_1024,
    SINGLE_2048,
    NARROW_512,
    NARROW_1024,
    NARROW_2048,
];

const CANDLE: Prepare = |inputs| {
    let [a, b] = in_candle::tensors(inputs)?;
    Ok(in_candle::ready(move || a.matmul(&b)))
};

const NDARRAY: Prepare = |inputs| {
    let a = inputs[0].clone().into_dimensionality::<Ix2>()?;
    let b = inputs[1].clone().into_dimensionality::<Ix2>()?;
    Ok(in_ndarray(move || a.dot(&b)))
};
