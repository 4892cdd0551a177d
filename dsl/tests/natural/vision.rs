//! Images.

use crate::common::{Numbers, ROUND, at_sizes, close, on_devices, same};
use iree_dsl::prelude::*;
use ndarray::{Array2, Array3, Array4};

/// Two convolutions with pooling, then a product.
#[program]
mod network {
    pub struct Weights {
        pub first: Tensor<f32, 3, 3, 1, 4>,
        pub first_bias: Tensor<f32, 4>,
        pub second: Tensor<f32, 3, 3, 4, 8>,
        pub second_bias: Tensor<f32, 8>,
        pub output: Tensor<f32, 32, 10>,
        pub output_bias: Tensor<f32, 10>,
    }

    pub struct Network;

    impl Network {
        /// Digits of 14 by 14.
        pub fn classify<const B: usize>(
            &self,
            weights: Weights,
            images: Tensor<f32, B, 14, 14, 1>,
        ) -> Tensor<f32, B, 10> {
            let x = (conv!(images, weights.first, padding = "same") + weights.first_bias).relu();
            let x = max_pool!(x, window = [2, 2]);
            let x = (conv!(x, weights.second) + weights.second_bias).relu();
            let x = avg_pool!(x, window = [2, 2]);
            (x.reshape([B, 32]).dot(weights.output) + weights.output_bias).softmax(-1)
        }

        /// What an image of any size holds of each feature, at most and on average.
        pub fn features<const H: usize, const W: usize>(
            &self,
            weights: Weights,
            image: Tensor<f32, H, W>,
        ) -> (Tensor<f32, 8>, Tensor<f32, 8>) {
            let image = image.insert_axis(0).insert_axis(-1);
            let x = (conv!(image, weights.first, padding = "same") + weights.first_bias).relu();
            let x = max_pool!(x, window = [2, 2], padding = "same");
            let x = (conv!(x, weights.second, padding = "same") + weights.second_bias).relu();
            let x = x.remove_axis(0);
            (x.max_axis([0, 1]), x.mean_axis([0, 1]))
        }
    }
}

/// A convolution of windows of 3 by 3 with a bias and without negative numbers; `border` zeros around.
fn convolve(x: &Array3<f64>, w: &Array4<f32>, b: &[f32], border: usize) -> Array3<f64> {
    let (height, width, features) = x.dim();
    let shape = (height + 2 * border - 2, width + 2 * border - 2, b.len());
    Array3::from_shape_fn(shape, |(i, j, o)| {
        let mut sum = f64::from(b[o]);
        for di in 0..3 {
            for dj in 0..3 {
                let (row, column) = (i + di, j + dj);
                let inside = (border..height + border).contains(&row)
                    && (border..width + border).contains(&column);
                if inside {
                    for f in 0..features {
                        sum += x[(row - border, column - border, f)] * f64::from(w[(di, dj, f, o)]);
                    }
                }
            }
        }
        sum.max(0.0)
    })
}

/// The numbers of each window of 2 by 2, combined; windows at the end may be cut off.
fn pool(x: &Array3<f64>, cut: bool, combine: impl Fn(&[f64]) -> f64) -> Array3<f64> {
    let (height, width, features) = x.dim();
    let count = |n: usize| if cut { n.div_ceil(2) } else { n / 2 };
    Array3::from_shape_fn((count(height), count(width), features), |(i, j, f)| {
        let mut window = vec![];
        for row in (2 * i)..(2 * i + 2).min(height) {
            for column in (2 * j)..(2 * j + 2).min(width) {
                window.push(x[(row, column, f)]);
            }
        }
        combine(&window)
    })
}

fn largest(window: &[f64]) -> f64 {
    window.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

fn mean(window: &[f64]) -> f64 {
    window.iter().sum::<f64>() / window.len() as f64
}

#[test]
fn networks_see_images() {
    let mut numbers = Numbers::new(5);
    let (w1, b1) = (numbers.array((3, 3, 1, 4)), numbers.array(4));
    let (w2, b2) = (numbers.array((3, 3, 4, 8)), numbers.array(8));
    let (w3, b3) = (numbers.array((32, 10)) * 0.2, numbers.array(10));
    on_devices(|device| {
        let program = network::Network::load(device).unwrap();
        let weights = network::Weights::upload(device, &w1, &b1, &w2, &b2, &w3, &b3).unwrap();
        at_sizes(device, &[1, 2, 5, 17], |n| {
            let images = Numbers::new(n as u64).array((n, 14, 14, 1));
            let mut right = vec![];
            for image in images.outer_iter() {
                let x = convolve(&image.mapv(f64::from), &w1, b1.as_slice().unwrap(), 1);
                let x = pool(&x, false, largest);
                let x = convolve(&x, &w2, b2.as_slice().unwrap(), 0);
                let x = pool(&x, false, mean);
                let x: Vec<_> = x.iter().copied().collect();
                let logits: Vec<f64> = (0..10)
                    .map(|k| {
                        let sum: f64 = (0..32).map(|j| x[j] * f64::from(w3[(j, k)])).sum();
                        sum + f64::from(b3[k])
                    })
                    .collect();
                let top = largest(&logits);
                let sum: f64 = logits.iter().map(|x| (x - top).exp()).sum();
                right.extend(logits.iter().map(|x| (x - top).exp() / sum));
            }
            // Sums of 9, 36 and 32 products, of numbers up to about 20 in the end.
            let found = program.classify(&weights, &images).unwrap();
            close(("classes", n), &found, &right, 20.0 * 80.0 * ROUND);
        });
        at_sizes(
            device,
            &[(1, 1), (1, 7), (8, 8), (5, 3), (31, 18)],
            |(h, w)| {
                let image = Numbers::new((h * w) as u64).array((h, w));
                let x = image.mapv(f64::from).insert_axis(ndarray::Axis(2));
                let x = pool(&convolve(&x, &w1, b1.as_slice().unwrap(), 1), true, largest);
                let x = convolve(&x, &w2, b2.as_slice().unwrap(), 1);
                let features = |combine: fn(&[f64]) -> f64| -> Vec<f64> {
                    let feature = |f| {
                        x.index_axis(ndarray::Axis(2), f)
                            .iter()
                            .copied()
                            .collect::<Vec<_>>()
                    };
                    (0..8).map(|f| combine(&feature(f))).collect()
                };
                let found = program.features(&weights, &image).unwrap();
                // Sums of 9 and 36 products of numbers of up to 10.
                close(
                    ("largest", h, w),
                    &found.0,
                    &features(largest),
                    10.0 * 50.0 * ROUND,
                );
                close(
                    ("mean", h, w),
                    &found.1,
                    &features(mean),
                    10.0 * 50.0 * ROUND,
                );
            },
        );
    });
}

/// From a photo to edges.
#[program]
mod photo {
    pub struct Photo;

    impl Photo {
        pub fn grey<const H: usize, const W: usize>(
            &self,
            rgb: Tensor<u8, H, W, 3>,
        ) -> Tensor<f32, H, W> {
            (rgb as f32 * tensor([0.299, 0.587, 0.114])).sum_axis(-1) / 255.0
        }

        /// A Gaussian of five pixels, down and across.
        pub fn blur<const H: usize, const W: usize>(
            &self,
            x: Tensor<f32, H, W>,
        ) -> Tensor<f32, H, W> {
            let weights = tensor([1.0, 4.0, 6.0, 4.0, 1.0]) / 16.0;
            let x = x.reshape([1, H, W, 1]);
            let x = conv!(x, weights.reshape([5, 1, 1, 1]), padding = "same");
            conv!(x, weights.reshape([1, 5, 1, 1]), padding = "same").reshape([H, W])
        }

        /// Sobel's gradients, by slices of the image with a border.
        pub fn edges<const H: usize, const W: usize>(
            &self,
            x: Tensor<f32, H, W>,
        ) -> (Tensor<f32, H, W>, Tensor<f32, H, W>) {
            let p = pad!(x, low = [1, 1], high = [1, 1]);
            let across = p[s![..-2, ..]] + p[s![1..-1, ..]] * 2.0 + p[s![2.., ..]];
            let down = p[s![.., ..-2]] + p[s![.., 1..-1]] * 2.0 + p[s![.., 2..]];
            let gx = across[s![.., 2..]] - across[s![.., ..-2]];
            let gy = down[s![2.., ..]] - down[s![..-2, ..]];
            (gx.hypot(gy), gy.atan2(gx))
        }

        /// All steps, and which edges are strong.
        pub fn outline<const H: usize, const W: usize>(
            &self,
            rgb: Tensor<u8, H, W, 3>,
        ) -> (Tensor<bool, H, W>, Tensor<f32>) {
            let (strength, _) = self.edges(self.blur(self.grey(rgb)));
            let limit = strength.mean() + strength.std();
            (strength > limit, limit)
        }

        /// Bilinear, to 6 by 9.
        pub fn resize<const H: usize, const W: usize>(
            &self,
            x: Tensor<f32, H, W>,
        ) -> Tensor<f32, 6, 9> {
            let y =
                ((arange::<f32, 6>() + 0.5) * (H as f32 / 6.0) - 0.5).clamp(0.0, H as f32 - 1.0);
            let x0 =
                ((arange::<f32, 9>() + 0.5) * (W as f32 / 9.0) - 0.5).clamp(0.0, W as f32 - 1.0);
            let (top, left) = (y.floor(), x0.floor());
            let dy = (y - top).insert_axis(1);
            let dx = x0 - left;
            let (top, left) = (top as i32, left as i32);
            let upper = x.take(top, 0) * (1.0 - dy) + x.take(top + 1, 0) * dy;
            upper.take(left, 1) * (1.0 - dx) + upper.take(left + 1, 1) * dx
        }

        pub fn equalize<const H: usize, const W: usize>(
            &self,
            x: Tensor<u8, H, W>,
        ) -> (Tensor<u8, H, W>, Tensor<i32, 256>) {
            let levels = x.flatten() as i32;
            let histogram = zeros::<i32, 256>().scatter_add(levels, ones_like(levels), 0);
            let below = histogram.cumsum(0) as f32;
            let first = select(below > 0.0, below, below[-1]).min();
            let table = ((below - first) / (below[-1] - first).maximum(1.0) * 255.0).round();
            (table.take(x as i32, 0) as u8, histogram)
        }
    }
}

#[test]
fn photos_become_edges() {
    on_devices(|device| {
        let program = photo::Photo::load(device).unwrap();
        at_sizes(
            device,
            &[(1, 1), (3, 5), (2, 1), (16, 16), (23, 41)],
            |(h, w)| {
                let mut numbers = Numbers::new((h * 100 + w) as u64);
                let rgb = Array3::from_shape_simple_fn((h, w, 3), || numbers.bits() as u8);
                let grey = Array2::from_shape_fn((h, w), |(i, j)| {
                    let [r, g, b] = [0, 1, 2].map(|c| f64::from(rgb[(i, j, c)]));
                    (0.299 * r + 0.587 * g + 0.114 * b) / 255.0
                });
                let flat = |x: &Array2<f64>| x.iter().copied().collect::<Vec<_>>();
                let at = |x: &Array2<f64>, i: isize, j: isize| {
                    let inside = (0..h as isize).contains(&i) && (0..w as isize).contains(&j);
                    if inside {
                        x[(i as usize, j as usize)]
                    } else {
                        0.0
                    }
                };
                // Three products of numbers of at most 1, of rounded weights.
                let shown = program.grey(&rgb).unwrap();
                close(("grey", h, w), &shown, &flat(&grey), 8.0 * ROUND);

                let weights = [1.0, 4.0, 6.0, 4.0, 1.0];
                let blurred = Array2::from_shape_fn((h, w), |(i, j)| {
                    let mut sum = 0.0;
                    for (di, a) in weights.iter().enumerate() {
                        for (dj, b) in weights.iter().enumerate() {
                            let (i, j) = ((i + di) as isize - 2, (j + dj) as isize - 2);
                            sum += a * b / 256.0 * at(&grey, i, j);
                        }
                    }
                    sum
                });
                let found = program.blur(&shown).unwrap();
                close(("blur", h, w), &found, &flat(&blurred), 20.0 * ROUND);

                let gradient = |x: &Array2<f64>, i: usize, j: usize| {
                    let (i, j) = (i as isize, j as isize);
                    let (mut gx, mut gy) = (0.0, 0.0);
                    for (d, weight) in [(-1, 1.0), (0, 2.0), (1, 1.0)] {
                        gx += weight * (at(x, i + d, j + 1) - at(x, i + d, j - 1));
                        gy += weight * (at(x, i + 1, j + d) - at(x, i - 1, j + d));
                    }
                    (gx, gy)
                };
                // Numbers that f32 holds, so that angles are compared where they are certain.
                let steps = Array2::from_shape_simple_fn((h, w), || numbers.below(16) as f32);
                let exact = steps.mapv(f64::from);
                let all = || (0..h * w).map(|k| gradient(&exact, k / w, k % w));
                let found = program.edges(&steps).unwrap();
                let strengths: Vec<_> = all().map(|(gx, gy)| gx.hypot(gy)).collect();
                let angles: Vec<_> = all().map(|(gx, gy)| gy.atan2(gx)).collect();
                close(("strength", h, w), &found.0, &strengths, 4.0 * ROUND);
                close(("angle", h, w), &found.1, &angles, 8.0 * ROUND);

                let strengths: Vec<_> = (0..h * w)
                    .map(|k| gradient(&blurred, k / w, k % w))
                    .map(|(gx, gy)| gx.hypot(gy))
                    .collect();
                let mean = strengths.iter().sum::<f64>() / strengths.len() as f64;
                let spread = strengths.iter().map(|s| (s - mean).powi(2)).sum::<f64>();
                let limit = mean + (spread / strengths.len() as f64).sqrt();
                let (strong, found) = program.outline(&rgb).unwrap();
                // The spread may be nearly 0, where its root has the root of the error.
                let within = if h * w == 1 {
                    1e-3
                } else {
                    (100 + h * w) as f64 * ROUND
                };
                close(("limit", h, w), &found, &[limit], within);
                for (strong, strength) in strong.to_array().unwrap().iter().zip(&strengths) {
                    let certain = (strength - limit).abs() > 1e-4;
                    assert!(
                        !certain || *strong == (*strength > limit),
                        "strong at {h}, {w}"
                    );
                }

                let resized: Vec<_> = (0..54)
                    .map(|k| {
                        let place = |at: usize, count: usize, size: usize| {
                            let scale = size as f64 / count as f64;
                            ((at as f64 + 0.5) * scale - 0.5).clamp(0.0, size as f64 - 1.0)
                        };
                        let (y, x) = (place(k / 9, 6, h), place(k % 9, 9, w));
                        let mut sum = 0.0;
                        for (i, a) in [(y.floor(), 1.0 - y.fract()), (y.floor() + 1.0, y.fract())] {
                            for (j, b) in
                                [(x.floor(), 1.0 - x.fract()), (x.floor() + 1.0, x.fract())]
                            {
                                let (i, j) = ((i as usize).min(h - 1), (j as usize).min(w - 1));
                                sum += a * b * exact[(i, j)];
                            }
                        }
                        sum
                    })
                    .collect();
                // Places up to 41 have an error of some roundings, times steps of up to 15.
                let found = program.resize(&steps).unwrap();
                close(
                    ("resized", h, w),
                    &found,
                    &resized,
                    15.0 * 4.0 * 41.0 * ROUND,
                );

                let levels = steps.mapv(|step| (step * 9.0) as u8);
                let mut histogram = [0; 256];
                levels
                    .iter()
                    .for_each(|level| histogram[usize::from(*level)] += 1);
                let below = |level: u8| histogram[..=usize::from(level)].iter().sum::<i32>();
                let first = levels.iter().map(|level| below(*level)).min().unwrap();
                let equal: Vec<_> = levels
                    .iter()
                    .map(|level| {
                        let span = ((h * w) as i32 - first).max(1);
                        (f64::from(below(*level) - first) / f64::from(span) * 255.0).round() as u8
                    })
                    .collect();
                let found = program.equalize(&levels).unwrap();
                same(("equal", h, w), &found.0, &equal);
                same(("histogram", h, w), &found.1, &histogram);
            },
        );
    });
}
