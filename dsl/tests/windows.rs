//! Convolutions of images whose sizes are known at the call only.

use iree_dsl::prelude::*;
use ndarray::{Array4, s};

#[program]
mod windows {
    pub struct Windows;

    impl Windows {
        /// Blurs an image.
        pub fn blur<const H: usize, const W: usize>(
            &self,
            image: Tensor<u8, H, W>,
        ) -> Tensor<u8, H, W> {
            let weights = tensor([[1.0, 2.0, 1.0], [2.0, 4.0, 2.0], [1.0, 2.0, 1.0]]) / 16.0;
            let (h, w) = (image.dim(0), image.dim(1));
            let x = (image as f32).reshape([1, h, w, 1]);
            let y = conv!(x, weights.reshape([3, 3, 1, 1]), padding = "same");
            y.reshape([h, w]).round() as u8
        }

        pub fn plain<const N: usize, const H: usize, const W: usize>(
            &self,
            x: Tensor<f32, N, H, W, 4>,
            w: Tensor<f32, 3, 2, 4, 6>,
        ) -> Tensor<f32, N, { H - 2 }, { W - 1 }, 6> {
            conv!(x, w, padding = "valid")
        }

        pub fn grouped<const H: usize, const W: usize>(
            &self,
            x: Tensor<f32, 2, H, W, 4>,
            w: Tensor<f32, 3, 2, 2, 6>,
        ) -> Tensor<f32, 2, { H + 2 - 4 }, { W - 2 }, 6> {
            conv!(
                x,
                w,
                padding = [[1, 1], [0, 0]],
                dilation = [2, 2],
                groups = 2
            )
        }

        pub fn channels_first<const H: usize, const W: usize>(
            &self,
            x: Tensor<f64, 2, 4, H, W>,
            w: Tensor<f64, 6, 4, 3, 2>,
        ) -> Tensor<f64, 2, 6, { H - 2 }, { W - 1 }> {
            conv!(x, w, padding = "valid", layout = "NCHW,OIHW->NCHW")
        }

        pub fn halves<const W: usize>(
            &self,
            x: Tensor<bf16, 1, 6, W, 4>,
            w: Tensor<bf16, 3, 2, 4, 6>,
        ) -> Tensor<bf16, 1, 4, { W - 1 }, 6> {
            conv!(x, w, padding = "valid")
        }
    }
}

/// A convolution as its definition says.
fn convolved(
    x: &Array4<f64>,
    w: &Array4<f64>,
    padding: usize,
    dilation: usize,
    groups: usize,
) -> Array4<f64> {
    let (n, h, width, features) = x.dim();
    let (kh, kw, inputs, outputs) = w.dim();
    let mut padded = Array4::zeros((n, h + 2 * padding, width, features));
    padded
        .slice_mut(s![.., padding..padding + h, .., ..])
        .assign(x);
    let reach = |size: usize| (size - 1) * dilation + 1;
    let size = (
        n,
        h + 2 * padding + 1 - reach(kh),
        width + 1 - reach(kw),
        outputs,
    );
    Array4::from_shape_fn(size, |(n, i, j, o)| {
        let first = o / (outputs / groups) * inputs;
        let mut sum = 0.0;
        for ((a, b, c), factor) in w.slice(s![.., .., .., o]).indexed_iter() {
            sum += factor * padded[(n, i + a * dilation, j + b * dilation, first + c)];
        }
        sum
    })
}

/// Small whole numbers, whose sums are exact in every type.
fn numbers(shape: (usize, usize, usize, usize)) -> Array4<f64> {
    Array4::from_shape_fn(shape, |(a, b, c, d)| {
        ((a * 7 + b * 5 + c * 3 + d * 11) % 5) as f64 - 2.0
    })
}

#[test]
fn sizes_of_images_are_free() {
    let program = windows::Windows::load(&Device::open("local-task").unwrap()).unwrap();
    for (h, w) in [(3, 2), (4, 7), (16, 9)] {
        let (x, kernel) = (numbers((2, h, w, 4)), numbers((3, 2, 4, 6)));
        let single = |x: &Array4<f64>| x.mapv(|x| x as f32);
        let found = program.plain(&single(&x), &single(&kernel)).unwrap();
        assert_eq!(
            found.to_array().unwrap(),
            single(&convolved(&x, &kernel, 0, 1, 1))
        );

        let turned = |x: &Array4<f64>, axes| {
            x.view()
                .permuted_axes(axes)
                .as_standard_layout()
                .into_owned()
        };
        let found = program
            .channels_first(&turned(&x, [0, 3, 1, 2]), &turned(&kernel, [3, 2, 0, 1]))
            .unwrap();
        let expected = turned(&convolved(&x, &kernel, 0, 1, 1), [0, 3, 1, 2]);
        assert_eq!(found.to_array().unwrap(), expected);
    }
    let (x, kernel) = (numbers((2, 8, 5, 4)), numbers((3, 2, 2, 6)));
    let single = |x: &Array4<f64>| x.mapv(|x| x as f32);
    let found = program.grouped(&single(&x), &single(&kernel)).unwrap();
    assert_eq!(
        found.to_array().unwrap(),
        single(&convolved(&x, &kernel, 1, 2, 2))
    );

    let (x, kernel) = (numbers((1, 6, 3, 4)), numbers((3, 2, 4, 6)));
    let half = |x: &Array4<f64>| x.mapv(bf16::from_f64);
    let found = program.halves(&half(&x), &half(&kernel)).unwrap();
    assert_eq!(
        found.to_array().unwrap(),
        half(&convolved(&x, &kernel, 0, 1, 1))
    );
}

#[test]
fn an_image_is_blurred() {
    let program = windows::Windows::load(&Device::open("local-sync").unwrap()).unwrap();
    let image = ndarray::Array2::from_shape_fn((5, 7), |(i, j)| (i * 30 + j * 16) as u8);
    let found = program.blur(&image).unwrap().to_array().unwrap();
    for ((i, j), blurred) in found.indexed_iter() {
        let mut sum = 0.0_f32;
        for (a, row) in [1.0_f32, 2.0, 1.0].into_iter().enumerate() {
            for (b, column) in [1.0, 2.0, 1.0].into_iter().enumerate() {
                let near = (i + a).checked_sub(1).zip((j + b).checked_sub(1));
                let near = near.and_then(|place| image.get(place));
                sum += row * column * near.map_or(0.0, |pixel| f32::from(*pixel));
            }
        }
        assert_eq!(*blurred, (sum / 16.0).round() as u8);
    }
}
