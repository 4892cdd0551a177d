//! A convolution with 3×3 windows of 64 channels, in both layouts.

use super::{InPython, Prepare, Work, in_candle, in_ndarray, numbers, ours, upload};
use iree_dsl::prelude::*;
use ndarray::{Array2, Array4, ArrayView2, Ix4, s};

#[program]
mod conv {
    pub struct Conv;

    impl Conv {
        pub fn nhwc(
            &self,
            x: Tensor<f32, 1, 56, 56, 64>,
            w: Tensor<f32, 3, 3, 64, 64>,
        ) -> Tensor<f32, 1, 56, 56, 64> {
            conv!(x, w, padding = "same", layout = "NHWC,HWIO->NHWC")
        }

        pub fn nchw(
            &self,
            x: Tensor<f32, 1, 64, 56, 56>,
            w: Tensor<f32, 64, 64, 3, 3>,
        ) -> Tensor<f32, 1, 64, 56, 56> {
            conv!(x, w, padding = "same", layout = "NCHW,OIHW->NCHW")
        }
    }
}

pub(super) const NHWC: Work = Work {
    name: "conv 3×3 NHWC, 56×56×64→64",
    inputs: || vec![numbers(&[1, 56, 56, 64], 1), numbers(&[3, 3, 64, 64], 2)],
    ours: |device, inputs| {
        let program = conv::Conv::load(device)?;
        let (x, w) = (
            upload::<Ix4>(device, &inputs[0])?,
            upload::<Ix4>(device, &inputs[1])?,
        );
        Ok(ours(move || program.nhwc(&x, &w)))
    },
    python: InPython::of("conv NHWC"),
    candle: None,
    ndarray: Some(NDARRAY),
    tolerance: 1e-5,
};

pub(super) const NCHW: Work = Work {
    name: "conv 3×3 NCHW, 64×56×56→64",
    inputs: || vec![numbers(&[1, 64, 56, 56], 1), numbers(&[64, 64, 3, 3], 2)],
    ours: |device, inputs| {
        let program = conv::Conv::load(device)?;
        let (x, w) = (
            upload::<Ix4>(device, &inputs[0])?,
            upload::<Ix4>(device, &inputs[1])?,
        );
        Ok(ours(move || program.nchw(&x, &w)))
    },
    python: InPython::of("conv NCHW"),
    candle: Some(CANDLE),
    ndarray: None,
    tolerance: 1e-5,
};

/// The only layout that it has.
const CANDLE: Prepare = |inputs| {
    let [x, w] = in_candle::tensors(inputs)?;
    Ok(in_candle::ready(move || x.conv2d(&w, 1, 1, 1, 1)))
};

/// A product of the windows, which it has no operation for, with the kernel.
const NDARRAY: Prepare = |inputs| {
    let x = inputs[0].clone().into_dimensionality::<Ix4>()?;
    let w = inputs[1].clone().into_shape_with_order((9 * 64, 64))?;
    Ok(in_ndarray(move || {
        let mut padded = Array4::zeros((1, 58, 58, 64));
        padded.slice_mut(s![.., 1..57, 1..57, ..]).assign(&x);
        let mut windows = Array2::zeros((56 * 56, 9 * 64));
        for row in 0..3 {
            for column in 0..3 {
                let part = padded.slice(s![0, row..row + 56, column..column + 56, ..]);
                let part = part
                    .to_shape((56 * 56, 64))
                    .unwrap_or_else(|_| unreachable!());
                let start = 64 * (3 * row + column);
                let part: ArrayView2<'_, f32> = part.view();
                windows.slice_mut(s![.., start..start + 64]).assign(&part);
            }
        }
        windows
            .dot(&w)
            .into_shape_with_order((1, 56, 56, 64))
            .unwrap_or_default()
    }))
};
