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

#[program]
mod strides {
    pub struct Strides;

    impl Strides {
        pub fn conv<const H: usize, const W: usize>(
            &self,
            x: Tensor<f32, 2, H, W, 4>,
            w: Tensor<f32, 3, 2, 4, 6>,
        ) -> Tensor<f32, 2, { (H + 1) / 2 }, { (W + 2) / 3 }, 6> {
            conv!(x, w, strides = [2, 3], padding = "same")
        }

        pub fn apart<const H: usize, const W: usize>(
            &self,
            x: Tensor<f32, 2, H, W, 4>,
            w: Tensor<f32, 3, 1, 4, 6>,
        ) -> Tensor<f32, 2, { (H + 1) / 2 }, { (W + 1) / 2 }, 6> {
            let y = conv!(x, w, strides = [2, 2], dilation = [2, 1], padding = "same");
            // The sizes are the same where they are computed in another way.
            y + zeros_like(x[s![.., ..;2, ..;2, 0..1]])
        }

        pub fn largest<const H: usize, const W: usize>(
            &self,
            x: Tensor<i32, 2, H, W, 4>,
        ) -> Tensor<i32, 2, { (H + 1) / 2 }, { (W + 2) / 3 }, 4> {
            max_pool!(x, window = [3, 2], strides = [2, 3], padding = "same")
        }

        pub fn mean<const H: usize, const W: usize>(
            &self,
            x: Tensor<f64, 2, H, W, 4>,
        ) -> Tensor<f64, 2, { (H + 1) / 2 }, { (W + 2) / 3 }, 4> {
            avg_pool!(
                x,
                window = [3, 2],
                strides = [2, 3],
                padding = "same",
                count_padding = false
            )
        }

        pub fn product<const N: usize>(&self, x: Tensor<f32, N>) -> Tensor<f32, { (N + 1) / 2 }> {
            reduce_window!(
                x,
                2.0,
                |a, b| a * b,
                window = [3],
                strides = [2],
                padding = "same"
            )
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

/// The elements of the windows that stand this far apart on as many places as fit, all of one image and feature.
fn windows_of(
    x: &Array4<f64>,
    window: [usize; 2],
    strides: [usize; 2],
    dilation: [usize; 2],
) -> impl Fn(usize, usize, usize, usize) -> Vec<(usize, usize, f64)> {
    let sizes = [x.dim().1, x.dim().2];
    let low = [0, 1].map(|axis| {
        let last = (sizes[axis].div_ceil(strides[axis]) - 1) * strides[axis];
        let reach = (window[axis] - 1) * dilation[axis] + 1;
        (last + reach).saturating_sub(sizes[axis]) / 2
    });
    move |n, i, j, c| {
        let mut found = Vec::new();
        for (a, b) in (0..window[0]).flat_map(|a| (0..window[1]).map(move |b| (a, b))) {
            let row = (i * strides[0] + a * dilation[0]).checked_sub(low[0]);
            let column = (j * strides[1] + b * dilation[1]).checked_sub(low[1]);
            let place = row.zip(column).and_then(|(i, j)| x.get((n, i, j, c)));
            found.extend(place.map(|x| (a, b, *x)));
        }
        found
    }
}

/// The sums of the products of each of these windows and a kernel.
fn strided(
    x: &Array4<f64>,
    kernel: &Array4<f64>,
    strides: [usize; 2],
    dilation: [usize; 2],
) -> Array4<f64> {
    let (n, h, w, features) = x.dim();
    let (kh, kw, _, outputs) = kernel.dim();
    let windows = windows_of(x, [kh, kw], strides, dilation);
    let size = (n, h.div_ceil(strides[0]), w.div_ceil(strides[1]), outputs);
    Array4::from_shape_fn(size, |(n, i, j, o)| {
        let all = (0..features).flat_map(|c| windows(n, i, j, c).into_iter().map(move |x| (c, x)));
        all.map(|(c, (a, b, x))| x * kernel[(a, b, c, o)])
            .sum::<f64>()
    })
}

#[test]
fn as_many_windows_as_strides_fit() {
    let program = strides::Strides::load(&Device::open("local-task").unwrap()).unwrap();
    for (h, w) in [(1, 1), (2, 3), (3, 4), (4, 5), (5, 6), (7, 2), (8, 10)] {
        let x = numbers((2, h, w, 4));
        let single = |x: &Array4<f64>| x.mapv(|x| x as f32);

        let kernel = numbers((3, 2, 4, 6));
        let sums = strided(&x, &kernel, [2, 3], [1, 1]);
        let found = program.conv(&single(&x), &single(&kernel)).unwrap();
        assert_eq!(found.to_array().unwrap(), single(&sums), "{h}×{w}");

        let windows = windows_of(&x, [3, 2], [2, 3], [1, 1]);
        let largest =
            Array4::from_shape_fn((2, h.div_ceil(2), w.div_ceil(3), 4), |(n, i, j, c)| {
                let window = windows(n, i, j, c);
                window.iter().map(|(.., x)| *x as i32).max().unwrap()
            });
        let found = program.largest(&x.mapv(|x| x as i32)).unwrap();
        assert_eq!(found.to_array().unwrap(), largest, "{h}×{w}");

        let mean = Array4::from_shape_fn(largest.dim(), |(n, i, j, c)| {
            let window = windows(n, i, j, c);
            window.iter().map(|(.., x)| x).sum::<f64>() / window.len() as f64
        });
        let found = program.mean(&x).unwrap().to_array().unwrap();
        assert!(
            (found - mean).iter().all(|rest| rest.abs() < 1e-15),
            "{h}×{w}"
        );

        let kernel = numbers((3, 1, 4, 6));
        let sums = strided(&x, &kernel, [2, 2], [2, 1]);
        let found = program.apart(&single(&x), &single(&kernel)).unwrap();
        assert_eq!(found.to_array().unwrap(), single(&sums), "{h}×{w}");
    }
    // One number is missing before where their number is odd; each is 2, and so is what is around them.
    for size in 1..8 {
        let found = program.product(&ndarray::Array1::from_elem(size, 2.0_f32));
        let expected = ndarray::Array1::from_elem(size.div_ceil(2), 16.0);
        assert_eq!(found.unwrap().to_array().unwrap(), expected);
    }
    let none = program.largest(&ndarray::Array4::<i32>::zeros((2, 0, 3, 4)));
    assert_eq!(
        none.unwrap_err().to_string(),
        "`largest` needs `H >= 1`, but H is 0"
    );
}
