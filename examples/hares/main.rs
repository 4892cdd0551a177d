//! Hares and lynxes are counted, and how their numbers go up and down tells how they live: by Newton's method, with the second
//! derivatives of a simulation of the equations of Lotka and Volterra.
//!
//! ```sh
//! cargo run --release --example hares
//! ```

use iree_dsl::prelude::*;
use ndarray::Array2;
use rand::{RngExt, SeedableRng, rngs::StdRng};

#[program]
pub mod hares {
    /// Years from one count to the next.
    const STEP: f64 = 0.1;
    /// Hares and lynxes at the beginning, in thousands.
    const START: [f64; 2] = [2.0, 1.0];

    pub struct Hares;

    impl Hares {
        /// The rates that explain the counts best, how far off these are then, and how sure that is: the variance of each
        /// rate, if that of a count is one.
        pub fn fit<const N: usize>(
            &self,
            guess: Tensor<f64, 4>,
            counts: Tensor<f64, N, 2>,
        ) -> (Tensor<f64, 4>, Tensor<f64>, Tensor<f64, 4>) {
            let loss = |rates| {
                let error = simulated::<N>(rates) - counts;
                0.5 * (error * error).sum()
            };
            let (slope, curvature) = (grad(loss), hessian(loss));
            let best = fori(10, guess, |_, rates| {
                rates - curvature(rates).solve(slope(rates))
            });
            let variances = (curvature(best).inv() * eye()).sum_axis(1);
            (best, (loss(best) / N as f64).sqrt(), variances)
        }
    }

    /// Hares and lynxes over time, by the method of Runge and Kutta. The rates are those at which hares are born, hares are
    /// eaten, lynxes are fed, and lynxes die.
    #[kernel]
    fn simulated<const N: usize>(rates: Tensor<f64, 4>) -> Tensor<f64, N, 2> {
        let change = |now: Tensor<f64, 2>| {
            let (hares, lynxes) = (now[0], now[1]);
            let meetings = hares * lynxes;
            stack(
                [
                    rates[0] * hares - rates[1] * meetings,
                    rates[2] * meetings - rates[3] * lynxes,
                ],
                0,
            )
        };
        let (_, all) = scan(tensor(START), arange::<i32, N>(), |now, _| {
            let first = change(now);
            let second = change(now + first * (STEP / 2.0));
            let third = change(now + second * (STEP / 2.0));
            let fourth = change(now + third * STEP);
            let next = now + (first + 2.0 * second + 2.0 * third + fourth) * (STEP / 6.0);
            (next, now)
        });
        all
    }
}

const NAMES: [&str; 4] = [
    "hares are born",
    "hares are eaten",
    "lynxes are fed",
    "lynxes die",
];
const TRUTH: [f64; 4] = [1.0, 0.5, 0.3, 0.6];
const GUESS: [f64; 4] = [0.9, 0.45, 0.32, 0.65];
/// How far a count is off, at most.
const NOISE: f64 = 0.1;

fn main() -> iree_dsl::Result<()> {
    let program = hares::Hares::load(&Device::open("local-sync")?)?;
    let mut rng = StdRng::seed_from_u64(1);
    let counts = simulate(TRUTH, 150).mapv(|count| count + rng.random_range(-NOISE..NOISE));
    let (found, off, variances) = program.fit(GUESS, &counts)?;
    let off = off.to_scalar()?;
    println!("counts are off by {off:.4}");
    let (found, variances) = (found.to_array()?, variances.to_array()?);
    for (index, name) in NAMES.iter().enumerate() {
        let (found, error) = (found[index], off * variances[index].sqrt());
        println!(
            "{name:>15}: {found:.4} ± {error:.4}, in truth {}",
            TRUTH[index]
        );
    }
    Ok(())
}

/// The same simulation in plain Rust.
fn simulate([born, eaten, fed, die]: [f64; 4], years: usize) -> Array2<f64> {
    let change = |[h, l]: [f64; 2]| [born * h - eaten * h * l, fed * h * l - die * l];
    let after = |[h, l]: [f64; 2], [dh, dl]: [f64; 2], part: f64| [h + dh * part, l + dl * part];
    let step = 0.1;
    let mut now = [2.0, 1.0];
    let mut all = Array2::zeros((years, 2));
    for mut row in all.rows_mut() {
        (row[0], row[1]) = (now[0], now[1]);
        let first = change(now);
        let second = change(after(now, first, step / 2.0));
        let third = change(after(now, second, step / 2.0));
        let fourth = change(after(now, third, step));
        let mean = [0, 1].map(|i| (first[i] + 2.0 * second[i] + 2.0 * third[i] + fourth[i]) / 6.0);
        now = after(now, mean, step);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_found_from_a_guess() {
        for device in ["local-sync", "local-task"] {
            let program = hares::Hares::load(&Device::open(device).unwrap()).unwrap();
            for count in [30, 70] {
                let (found, off, variances) = program.fit(GUESS, &simulate(TRUTH, count)).unwrap();
                for (found, right) in found.to_array().unwrap().iter().zip(TRUTH) {
                    assert!((found - right).abs() < 1e-9, "{count}: {found} for {right}");
                }
                assert!(off.to_scalar().unwrap() < 1e-10);
                let right = variances_by_differences(count);
                for (found, right) in variances.to_array().unwrap().iter().zip(right) {
                    assert!((found - right).abs() < 1e-5 * right, "{found} for {right}");
                }
            }
        }
    }

    /// The diagonal of the inverse of what slopes by differences multiply to, which the Hessian is where nothing is off.
    fn variances_by_differences(count: usize) -> [f64; 4] {
        let slopes = [0, 1, 2, 3].map(|index| {
            let at = |step: f64| {
                let mut rates = TRUTH;
                rates[index] += step;
                simulate(rates, count)
            };
            (at(1e-5) - at(-1e-5)) / 2e-5
        });
        let mut rows = [[0.0; 8]; 4];
        for (i, row) in rows.iter_mut().enumerate() {
            (0..4).for_each(|j| row[j] = (&slopes[i] * &slopes[j]).sum());
            row[4 + i] = 1.0;
        }
        eliminate(&mut rows);
        [0, 1, 2, 3].map(|i| rows[i][4 + i])
    }

    /// Gauß and Jordan's elimination, of a positive matrix.
    fn eliminate(rows: &mut [[f64; 8]; 4]) {
        for pivot in 0..4 {
            let scale = rows[pivot][pivot];
            rows[pivot].iter_mut().for_each(|number| *number /= scale);
            let pivoted = rows[pivot];
            for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != pivot) {
                let factor = row[pivot];
                row.iter_mut()
                    .zip(pivoted)
                    .for_each(|(a, b)| *a -= factor * b);
            }
        }
    }
}
