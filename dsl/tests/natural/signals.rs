//! Signals over time.

use crate::common::{Numbers, ROUND, at_sizes, close, on_devices, same};
use iree_dsl::prelude::*;
use ndarray::Array1;
use std::f64::consts::PI;

/// Filters with finite and infinite responses.
#[program]
mod filters {
    pub struct Filters;

    impl Filters {
        /// The sum of the taps times the numbers before, as a convolution.
        pub fn fir<const N: usize>(
            &self,
            x: Tensor<f32, N>,
            taps: Tensor<f32, 33>,
        ) -> Tensor<f32, N> {
            let padded = concatenate([zeros::<f32, 32>(), x], 0);
            conv!(
                padded.reshape([1, -1, 1]),
                taps.reverse(0).reshape([33, 1, 1])
            )
            .reshape([N])
        }

        /// The same with five taps, as a sum of shifted signals.
        pub fn fir_by_shifts<const N: usize>(
            &self,
            x: Tensor<f32, N>,
            taps: Tensor<f32, 5>,
        ) -> Tensor<f32, N> {
            let padded = pad!(x, low = [4]);
            let mut y = zeros_like(x);
            for k in 0..5 {
                y += padded[s![4 - k..4 - k + N]] * taps[k];
            }
            y
        }

        /// A biquad in direct form II, transposed.
        pub fn biquad<const N: usize>(
            &self,
            x: Tensor<f64, N>,
            b: Tensor<f64, 3>,
            a: Tensor<f64, 2>,
        ) -> Tensor<f64, N> {
            let (_, y) = scan((0.0f64, 0.0f64), x, |(s1, s2), x| {
                let y = b[0] * x + s1;
                ((b[1] * x - a[0] * y + s2, b[2] * x - a[1] * y), y)
            });
            y
        }

        pub fn moving_average<const N: usize>(&self, x: Tensor<f32, N>) -> Tensor<f32, N> {
            let sums = reduce_window!(x, 0.0, |a, b| a + b, window = [7], padding = "same");
            let counts = reduce_window!(
                ones_like(x),
                0.0,
                |a, b| a + b,
                window = [7],
                padding = "same"
            );
            sums / counts
        }
    }
}

#[test]
fn filters_are_sums_over_the_past() {
    on_devices(|device| {
        let program = filters::Filters::load(device).unwrap();
        at_sizes(device, &[1, 2, 9, 64, 301], |n| {
            let mut numbers = Numbers::new(n as u64);
            let x = numbers.array(n);
            let response = |taps: &Array1<f32>| -> Vec<f64> {
                (0..n)
                    .map(|i| {
                        let past = 0..taps.len().min(i + 1);
                        past.map(|k| f64::from(taps[k]) * f64::from(x[i - k])).sum()
                    })
                    .collect()
            };
            let taps = numbers.array(33);
            let found = program.fir(&x, &taps).unwrap();
            close(("fir", n), &found, &response(&taps), 66.0 * ROUND);
            let taps = numbers.array(5);
            let found = program.fir_by_shifts(&x, &taps).unwrap();
            close(("shifts", n), &found, &response(&taps), 10.0 * ROUND);

            let wide = x.mapv(f64::from);
            let (b, a) = ([0.2, 0.4, 0.2], [-0.3, 0.5]);
            let mut y = vec![0.0; n];
            for i in 0..n {
                let past =
                    |of: &dyn Fn(usize) -> f64, k: usize| if i >= k { of(i - k) } else { 0.0 };
                y[i] = (0..3).map(|k| b[k] * past(&|i| wide[i], k)).sum::<f64>()
                    - (1..3).map(|k| a[k - 1] * past(&|i| y[i], k)).sum::<f64>();
            }
            close(
                ("biquad", n),
                &program.biquad(&wide, b, a).unwrap(),
                &y,
                1e-14,
            );

            let means: Vec<_> = (0..n)
                .map(|i| {
                    let window = i.saturating_sub(3)..(i + 4).min(n);
                    window.clone().map(|k| wide[k]).sum::<f64>() / window.len() as f64
                })
                .collect();
            let found = program.moving_average(&x).unwrap();
            close(("average", n), &found, &means, 10.0 * ROUND);
        });
    });
}

/// Short-time spectra.
#[program]
mod spectrogram {
    const WINDOW: usize = 32;
    const HOP: usize = 12;

    pub struct Spectrogram;

    impl Spectrogram {
        fn hann(&self) -> Tensor<f32, WINDOW> {
            0.5 - (arange::<f32, WINDOW>() * (2.0 * 3.14159265358979 / WINDOW as f32)).cos() * 0.5
        }

        /// The power of each frequency in each of the windows.
        pub fn power<const N: usize>(&self, x: Tensor<f32, N>) -> Tensor<f32, _, 17> {
            let starts = arange::<i32, { (N - WINDOW) / HOP + 1 }>() * HOP as i32;
            let frames = x.take(starts.insert_axis(1) + arange::<i32, WINDOW>(), 0);
            let z = (frames * self.hann()).rfft();
            z.re() * z.re() + z.im() * z.im()
        }

        /// Decibels below the loudest.
        pub fn decibels<const N: usize>(&self, x: Tensor<f32, N>) -> Tensor<f32, _, 17> {
            let power = self.power(x);
            let level = power.maximum(1e-10).log10() * 10.0;
            (level - level.max()).maximum(-80.0)
        }

        /// The mean frequency of each frame, by power.
        pub fn centroid<const N: usize>(&self, x: Tensor<f32, N>) -> Tensor<f32, _> {
            let power = self.power(x);
            power.dot(arange::<f32, 17>()) / power.sum_axis(1).maximum(1e-10)
        }
    }
}

#[test]
fn spectra_are_sums_of_waves() {
    on_devices(|device| {
        let program = spectrogram::Spectrogram::load(device).unwrap();
        at_sizes(device, &[32, 33, 44, 100, 333], |n| {
            let mut numbers = Numbers::new(n as u64 + 1);
            let noise = numbers.array(n);
            let x = Array1::from_shape_fn(n, |i| (i as f32 * 0.7).sin() + 0.1 * noise[i]);
            let mut power = vec![];
            for start in (0..).step_by(12).take_while(|start| start + 32 <= n) {
                for k in 0..17 {
                    let (mut re, mut im) = (0.0, 0.0);
                    for i in 0..32 {
                        let hann = 0.5 - 0.5 * (2.0 * PI * i as f64 / 32.0).cos();
                        let y = f64::from(x[start + i]) * hann;
                        re += y * (2.0 * PI * (k * i) as f64 / 32.0).cos();
                        im -= y * (2.0 * PI * (k * i) as f64 / 32.0).sin();
                    }
                    power.push(re * re + im * im);
                }
            }
            // Parts of up to 10, sums of 32 rounded products, squared.
            let found = program.power(&x).unwrap();
            close(("power", n), &found, &power, 2.0 * 10.0 * 32.0 * ROUND);

            let top = power.iter().copied().fold(0.0, f64::max);
            let level: Vec<_> = power
                .iter()
                .map(|p| (10.0 * (p / top).log10()).max(-80.0))
                .collect();
            let found = program.decibels(&x).unwrap().to_array().unwrap();
            for ((found, level), power) in found.iter().zip(&level).zip(&power) {
                // The error of a part, 10⁻⁵, next to the part itself.
                let within = 1e-4 + 20.0 * 1e-5 / power.max(1e-10).sqrt();
                assert!(
                    (f64::from(*found) - level).abs() < within,
                    "{n}: {found} for {level}"
                );
            }

            let centroid: Vec<_> = power
                .chunks(17)
                .map(|power| {
                    let weighted = power.iter().enumerate().map(|(k, p)| k as f64 * p);
                    weighted.sum::<f64>() / power.iter().sum::<f64>()
                })
                .collect();
            let found = program.centroid(&x).unwrap();
            close(("centroid", n), &found, &centroid, 17.0 * 40.0 * ROUND);
        });
    });
}

/// How a signal resembles itself later on.
#[program]
mod correlation {
    pub struct Correlation;

    impl Correlation {
        /// By the spectrum of the signal with as many zeros.
        pub fn by_spectrum<const N: usize>(&self, x: Tensor<f64, N>) -> Tensor<f64, N> {
            let centered = x - x.mean();
            let z = concatenate([centered, zeros_like(centered)], 0).rfft();
            let r = (z * z.conj()).irfft(2 * N);
            r[s![..N]] / r[0].maximum(1e-300)
        }

        /// By products of the signal with itself, moved.
        pub fn by_products(&self, x: Tensor<f64, 48>) -> Tensor<f64, 12> {
            let centered = x - x.mean();
            let shifted = map(arange::<i32, 12>(), |lag| {
                let moved =
                    concatenate([centered, zeros::<f64, 12>()], 0).dynamic_slice([lag], [48]);
                centered.dot(moved)
            });
            shifted / shifted[0]
        }

        /// The lag below half of the length at which it resembles itself most.
        pub fn period<const N: usize>(&self, x: Tensor<f64, N>) -> Tensor<i32> {
            let r = self.by_spectrum(x);
            let lag = arange::<i32, N>();
            select((lag < 4) | (lag > N as i32 / 2), -1.0, r).argmax_axis(0)
        }
    }
}

fn autocorrelation(x: &[f64]) -> Vec<f64> {
    let mean = x.iter().sum::<f64>() / x.len() as f64;
    let at = |lag: usize| -> f64 {
        (lag..x.len())
            .map(|i| (x[i] - mean) * (x[i - lag] - mean))
            .sum()
    };
    (0..x.len()).map(|lag| at(lag) / at(0)).collect()
}

#[test]
fn autocorrelations_find_periods() {
    on_devices(|device| {
        let program = correlation::Correlation::load(device).unwrap();
        at_sizes(device, &[2, 3, 16, 31, 100, 128], |n| {
            let mut numbers = Numbers::new(n as u64 + 2);
            let wave = |i: usize| (2.0 * PI * i as f64 / 7.0).sin();
            let x = Array1::from_shape_fn(n, |i| wave(i) + f64::from(numbers.number(-0.2, 0.2)));
            let right = autocorrelation(&x.to_vec());
            close(
                ("by spectrum", n),
                &program.by_spectrum(&x).unwrap(),
                &right,
                1e-13,
            );
            if n > 15 {
                let best = (4..=n / 2)
                    .max_by(|a, b| right[*a].total_cmp(&right[*b]))
                    .unwrap();
                same(("period", n), &program.period(&x).unwrap(), &[best as i32]);
            }
            let x = numbers.array(48).mapv(f64::from);
            let right = autocorrelation(&x.to_vec());
            close(
                "by products",
                &program.by_products(&x).unwrap(),
                &right[..12],
                1e-13,
            );
        });
    });
}

/// Single frequencies, by Goertzel's recurrence; the keys of a telephone.
#[program]
mod goertzel {
    pub struct Goertzel;

    impl Goertzel {
        /// The power at each of the frequencies, in parts of the sampling rate.
        pub fn power<const N: usize, const F: usize>(
            &self,
            x: Tensor<f64, N>,
            frequencies: Tensor<f64, F>,
        ) -> Tensor<f64, F> {
            let coefficients = (frequencies * 6.283185307179586).cos() * 2.0;
            let mut s1 = zeros_like(frequencies);
            let mut s2 = zeros_like(frequencies);
            for i in range(0, N as i32) {
                let s = x[i] + coefficients * s1 - s2;
                s2 = s1;
                s1 = s;
            }
            s1 * s1 + s2 * s2 - coefficients * s1 * s2
        }

        /// Which row and which column of keys is heard.
        pub fn key<const N: usize>(&self, x: Tensor<f64, N>) -> (Tensor<i32>, Tensor<i32>) {
            let low = self.power(x, tensor([697.0, 770.0, 852.0, 941.0]) as f64 / 8000.0);
            let high = self.power(x, tensor([1209.0, 1336.0, 1477.0, 1633.0]) as f64 / 8000.0);
            (low.argmax_axis(0), high.argmax_axis(0))
        }
    }
}

#[test]
fn single_frequencies_are_heard() {
    let (low, high) = (
        [697.0, 770.0, 852.0, 941.0],
        [1209.0, 1336.0, 1477.0, 1633.0],
    );
    on_devices(|device| {
        let program = goertzel::Goertzel::load(device).unwrap();
        at_sizes(device, &[1, 2, 50, 205], |n| {
            let mut numbers = Numbers::new(n as u64 + 3);
            let x = numbers.array(n).mapv(f64::from);
            let frequencies = Array1::from(vec![0.0, 0.1, 0.23, 0.41, 0.5]);
            let right: Vec<_> = frequencies
                .iter()
                .map(|f| {
                    let part = |wave: fn(f64) -> f64| -> f64 {
                        x.iter()
                            .enumerate()
                            .map(|(i, x)| x * wave(2.0 * PI * f * i as f64))
                            .sum()
                    };
                    part(f64::cos).powi(2) + part(f64::sin).powi(2)
                })
                .collect();
            // At the frequency 0 the recurrence sums sums: its error grows with the square of the length.
            let within = 1e-15 * (n * n) as f64 * 10.0;
            close(
                ("power", n),
                &program.power(&x, &frequencies).unwrap(),
                &right,
                within,
            );
            if n == 205 {
                for (row, column) in [(0, 0), (1, 2), (3, 1), (2, 3)] {
                    let tone = |i: usize, f: f64| (2.0 * PI * f / 8000.0 * i as f64).sin();
                    let heard = Array1::from_shape_fn(n, |i| {
                        tone(i, low[row]) + tone(i, high[column]) + 0.2 * x[i]
                    });
                    let found = program.key(&heard).unwrap();
                    let found = (found.0.to_scalar().unwrap(), found.1.to_scalar().unwrap());
                    assert_eq!(found, (row as i32, column as i32));
                }
            }
        });
    });
}
