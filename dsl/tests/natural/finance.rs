//! Prices.

use crate::common::{Numbers, at_sizes, close, on_devices, same};
use iree_dsl::prelude::*;
use ndarray::Array1;
use std::f64::consts::PI;

/// Black's and Scholes's formula.
#[program]
mod options {
    pub struct Options;

    pub struct Greeks<const N: usize> {
        pub call: Tensor<f64, N>,
        pub put: Tensor<f64, N>,
        pub delta: Tensor<f64, N>,
        pub vega: Tensor<f64, N>,
    }

    impl Options {
        pub fn price<const N: usize>(
            &self,
            spot: Tensor<f64, N>,
            strike: Tensor<f64, N>,
            years: Tensor<f64, N>,
            rate: Tensor<f64>,
            sigma: Tensor<f64, N>,
        ) -> Greeks<N> {
            let spread = sigma * years.sqrt();
            let d1 = ((spot / strike).ln() + (rate + sigma * sigma / 2.0) * years) / spread;
            let d2 = d1 - spread;
            let discounted = strike * (-rate * years).exp();
            let call = spot * normal(d1) - discounted * normal(d2);
            let density = (-d1 * d1 / 2.0).exp() / 2.5066282746310002;
            Greeks {
                call,
                put: call - spot + discounted,
                delta: normal(d1),
                vega: spot * density * years.sqrt(),
            }
        }

        /// The volatility at which a call has its price, by bisection.
        pub fn implied<const N: usize>(
            &self,
            price: Tensor<f64, N>,
            spot: Tensor<f64, N>,
            strike: Tensor<f64, N>,
            years: Tensor<f64, N>,
            rate: Tensor<f64>,
        ) -> Tensor<f64, N> {
            let mut low = full_like(price, 0.001);
            let mut high = full_like(price, 4.0);
            for _ in range(0, 50) {
                let middle = (low + high) / 2.0;
                let below = self.price(spot, strike, years, rate, middle).call < price;
                low = select(below, middle, low);
                high = select(below, high, middle);
            }
            (low + high) / 2.0
        }
    }

    #[kernel]
    fn normal<const N: usize>(x: Tensor<f64, N>) -> Tensor<f64, N> {
        0.5 * (1.0 + (x / 1.4142135623730951).erf())
    }
}

/// The normal distribution up to `x`, by Simpson's rule.
fn normal(x: f64) -> f64 {
    let density = |x: f64| (-x * x / 2.0).exp() / (2.0 * PI).sqrt();
    let (steps, h) = (2000, x / 2000.0);
    let weight = |k: i32| match k {
        0 | 2000 => 1.0,
        k => 2.0 + 2.0 * f64::from(k % 2),
    };
    0.5 + h / 3.0
        * (0..=steps)
            .map(|k| weight(k) * density(f64::from(k) * h))
            .sum::<f64>()
}

#[test]
fn options_have_prices() {
    on_devices(|device| {
        let program = options::Options::load(device).unwrap();
        at_sizes(device, &[1, 2, 9, 50], |n| {
            let mut numbers = Numbers::new(n as u64);
            let mut between = |low, high| {
                Array1::from_shape_simple_fn(n, || f64::from(numbers.number(low, high)))
            };
            let (spot, strike) = (between(80.0, 120.0), between(80.0, 120.0));
            let (years, sigma, rate) = (between(0.2, 2.0), between(0.1, 0.5), 0.03);
            let (mut call, mut put, mut delta, mut vega) = (vec![], vec![], vec![], vec![]);
            for i in 0..n {
                let [s, k, t, v] = [spot[i], strike[i], years[i], sigma[i]];
                let d1 = ((s / k).ln() + (rate + v * v / 2.0) * t) / (v * t.sqrt());
                let d2 = d1 - v * t.sqrt();
                call.push(s * normal(d1) - k * (-rate * t).exp() * normal(d2));
                put.push(k * (-rate * t).exp() * normal(-d2) - s * normal(-d1));
                delta.push(normal(d1));
                vega.push(s * (-d1 * d1 / 2.0).exp() / (2.0 * PI).sqrt() * t.sqrt());
            }
            let found = program.price(&spot, &strike, &years, rate, &sigma).unwrap();
            // Prices are differences of numbers of about 100; Simpson's rule is exact to 10⁻¹³.
            close(("call", n), &found.call, &call, 1e-11);
            close(("put", n), &found.put, &put, 1e-11);
            close(("delta", n), &found.delta, &delta, 1e-12);
            close(("vega", n), &found.vega, &vega, 1e-12);
            let found = program
                .implied(found.call, &spot, &strike, &years, rate)
                .unwrap();
            // An error of the price of 10⁻¹² divided by vega, which may be 0.01.
            close(("implied", n), &found, &sigma.to_vec(), 1e-9);
        });
    });
}

/// Cox's, Ross's and Rubinstein's tree.
#[program]
mod tree {
    const STEPS: usize = 40;

    pub struct Tree;

    impl Tree {
        /// European and American puts, of each strike.
        pub fn puts<const K: usize>(
            &self,
            spot: Tensor<f64>,
            strikes: Tensor<f64, K>,
            years: Tensor<f64>,
            rate: Tensor<f64>,
            sigma: Tensor<f64>,
        ) -> (Tensor<f64, K>, Tensor<f64, K>) {
            let dt = years / STEPS as f64;
            let up = (sigma * dt.sqrt()).exp();
            let grown = (rate * dt).exp();
            let p = (grown - 1.0 / up) / (up - 1.0 / up);
            let level = arange::<f64, { STEPS + 1 }>() * 2.0 - STEPS as f64;
            let pays = (strikes.insert_axis(1) - spot * up.powf(level)).maximum(0.0);
            let (mut european, mut american) = (pays, pays);
            for k in range(0, STEPS as i32) {
                european = (p * european.roll(-1, 1) + (1.0 - p) * european) / grown;
                american = (p * american.roll(-1, 1) + (1.0 - p) * american) / grown;
                let spots = spot * up.powf(level + (k + 1) as f64);
                american = american.maximum(strikes.insert_axis(1) - spots);
            }
            (european[s![.., 0]], american[s![.., 0]])
        }
    }
}

#[test]
fn trees_price_early_exercise() {
    on_devices(|device| {
        let program = tree::Tree::load(device).unwrap();
        at_sizes(device, &[1, 2, 7, 30], |n| {
            let mut numbers = Numbers::new(n as u64);
            let strikes =
                Array1::from_shape_simple_fn(n, || f64::from(numbers.number(80.0, 120.0)));
            let [spot, years, rate, sigma] = [100.0, 1.5, 0.04, 0.25];
            let dt: f64 = years / 40.0;
            let up = (sigma * dt.sqrt()).exp();
            let p = ((rate * dt).exp() - 1.0 / up) / (up - 1.0 / up);
            let value = |strike: f64, early: bool| {
                let pay = |step: i32, ups: i32| (strike - spot * up.powi(2 * ups - step)).max(0.0);
                let mut values: Vec<f64> = (0..=40).map(|ups| pay(40, ups)).collect();
                for step in (0..40).rev() {
                    for ups in 0..=step {
                        let k = ups as usize;
                        let held = (p * values[k + 1] + (1.0 - p) * values[k]) * (-rate * dt).exp();
                        values[k] = if early {
                            held.max(pay(step, ups))
                        } else {
                            held
                        };
                    }
                }
                values[0]
            };
            let found = program.puts(spot, &strikes, years, rate, sigma).unwrap();
            // Powers of `up` are up to 10 and have 50 roundings, of prices of about 100.
            for (early, found) in [(false, &found.0), (true, &found.1)] {
                let right: Vec<_> = strikes.iter().map(|strike| value(*strike, early)).collect();
                close(("puts", n, early), found, &right, 1e-11);
            }
        });
    });
}

/// Prices of options by chance.
#[program]
mod paths {
    const PATHS: usize = 2000;

    pub struct Paths;

    impl Paths {
        /// An Asian call: the mean of what the paths pay, its error, and the steps of the first path.
        pub fn asian<const T: usize>(
            &self,
            seed: Tensor<u32>,
            spot: Tensor<f32>,
            sigmas: Tensor<f32, T>,
        ) -> (Tensor<f32>, Tensor<f32>, Tensor<f32, T>, Tensor<f32, T>) {
            let z: Tensor<f32, PATHS, T> = random::normal(random::key(seed));
            let logs = (z * sigmas - sigmas * sigmas / 2.0).cumsum(1);
            let prices = logs.exp() * spot;
            let pays = (prices.mean_axis(1) - spot).maximum(0.0);
            (
                pays.mean(),
                pays.std() / (PATHS as f32).sqrt(),
                z[0],
                prices[0],
            )
        }
    }
}

/// Estimates by throwing darts.
#[program]
mod darts {
    pub struct Darts {
        #[global(init = random::key(5))]
        key: Tensor<u32, 2>,
        #[global]
        inside: Tensor<i64>,
        #[global]
        thrown: Tensor<i64>,
    }

    impl Darts {
        /// Throws more, and estimates π by all; with those just thrown.
        pub fn throw<const N: usize>(
            &mut self,
            many: Tensor<i32, N>,
        ) -> (Tensor<f64>, Tensor<f32, N, 2>, Tensor<i64>) {
            let [next, key] = random::split(self.key);
            self.key = next;
            let p: Tensor<f32, N, 2> = random::uniform(key, -1.0, 1.0);
            let hits = ((p * p).sum_axis(1) < 1.0) & (many >= 0);
            self.inside += (hits as i64).sum();
            self.thrown += N as i64;
            (
                4.0 * self.inside as f64 / self.thrown as f64,
                p,
                self.inside,
            )
        }
    }
}

#[test]
fn paths_are_random_walks() {
    on_devices(|device| {
        let program = paths::Paths::load(device).unwrap();
        at_sizes(device, &[1, 2, 12], |t| {
            let sigmas = Array1::from_shape_fn(t, |i| 0.05 + 0.01 * i as f32);
            let (mean, error, z, prices) = program.asian(9, 100.0, &sigmas).unwrap();
            let (z, mut log, mut right) = (z.to_array().unwrap(), 0.0, vec![]);
            for (z, sigma) in z.iter().zip(&sigmas) {
                let (z, sigma) = (f64::from(*z), f64::from(*sigma));
                log += z * sigma - sigma * sigma / 2.0;
                right.push(100.0 * log.exp());
            }
            close(("prices", t), &prices, &right, 40.0 * crate::common::ROUND);
            // The same by chances that are not the program's.
            let mut numbers = Numbers::new(3);
            let mut pays = vec![];
            for _ in 0..4000 {
                let (mut log, mut sum) = (0.0, 0.0);
                for sigma in &sigmas {
                    let radius = (-2.0 * f64::from(1.0 - numbers.number(0.0, 1.0)).ln()).sqrt();
                    let z = radius * (2.0 * PI * f64::from(numbers.number(0.0, 1.0))).cos();
                    log += z * f64::from(*sigma) - f64::from(*sigma).powi(2) / 2.0;
                    sum += 100.0 * log.exp() / t as f64;
                }
                pays.push((sum - 100.0).max(0.0));
            }
            let right = pays.iter().sum::<f64>() / 4000.0;
            let (mean, error) = (mean.to_scalar().unwrap(), error.to_scalar().unwrap());
            let gap = f64::from(mean) - right;
            assert!(
                gap.abs() < 5.0 * 1.3 * f64::from(error),
                "{t}: {gap}, error {error}"
            );
        });
    });
}

#[test]
fn darts_estimate_pi() {
    on_devices(|device| {
        let mut program = darts::Darts::load(device).unwrap();
        let (mut inside, mut thrown) = (0, 0);
        at_sizes(device, &[1, 3, 100, 2001, 1 << 14], |n| {
            let (pi, points, found) = program.throw(&Array1::zeros(n)).unwrap();
            let points = points.to_array().unwrap();
            assert!(points.iter().all(|x| (-1.0..1.0).contains(x)));
            // Products as the program rounds them: whether one is inside depends on that.
            let hits = points
                .rows()
                .into_iter()
                .filter(|p| p[0] * p[0] + p[1] * p[1] < 1.0)
                .count();
            inside += hits as i64;
            thrown += n as i64;
            let slack = points
                .rows()
                .into_iter()
                .any(|p| (p.dot(&p) - 1.0).abs() < 1e-6);
            if !slack {
                same(("inside", n), &found, &[inside]);
            }
            inside = found.to_scalar().unwrap();
            close(
                ("pi", n),
                &pi,
                &[4.0 * inside as f64 / thrown as f64],
                1e-15,
            );
        });
        let error = (4.0 * inside as f64 / thrown as f64 - PI).abs();
        assert!(error < 5.0 * 1.65 / (thrown as f64).sqrt(), "{error}");
    });
}
