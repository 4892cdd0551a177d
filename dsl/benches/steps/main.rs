//! Steps of a training, each waited for, or queued while the ones before it run, next to the same in JAX.
//!
//! ```sh
//! cargo bench -p iree-dsl --bench steps
//! ```
//!
//! JAX runs in the Python that `IREE_DSL_ORACLE_PYTHON` names; without it, its column is empty.

#[path = "../common/mod.rs"]
mod common;

use common::{median, python};
use iree_dsl::{DeviceArray, Result, prelude::*};
use ndarray::{Array, Ix0, Ix1, Ix2};
use std::{iter, time::Instant};

/// Stochastic gradient descent for a perceptron with a layer between.
#[program]
mod training {
    const BATCH: usize = 64;
    const FEATURES: usize = 784;
    const HIDDEN: usize = 128;
    const CLASSES: usize = 10;
    const RATE: f32 = 0.1;

    pub struct Training {
        #[global(init = arange::<f32, { FEATURES * HIDDEN }>().sin().reshape([FEATURES, HIDDEN]) * 0.05)]
        hidden: Tensor<f32, FEATURES, HIDDEN>,
        #[global(init = arange::<f32, { HIDDEN * CLASSES }>().cos().reshape([HIDDEN, CLASSES]) * 0.05)]
        output: Tensor<f32, HIDDEN, CLASSES>,
    }

    impl Training {
        pub fn step(
            &mut self,
            x: Tensor<f32, BATCH, FEATURES>,
            y: Tensor<i32, BATCH>,
        ) -> Tensor<f32> {
            let y = y.one_hot::<f32, CLASSES>();
            let activation = x.dot(self.hidden).tanh();
            let log_likelihood = activation.dot(self.output).log_softmax(1);
            let by_output = (log_likelihood.exp() - y) / BATCH as f32;
            let by_hidden = by_output.dot(self.output.t()) * (1.0 - activation * activation);
            self.hidden -= RATE * x.t().dot(by_hidden);
            self.output -= RATE * activation.t().dot(by_output);
            -(y * log_likelihood).sum() / BATCH as f32
        }
    }
}

const STEPS: usize = 100;
const TURNS: usize = 15;
/// How far the last loss may be from that of JAX.
const TOLERANCE: f64 = 1e-3;

/// What is learnt from, again and again.
struct Batch {
    x: DeviceArray<f32, Ix2>,
    y: DeviceArray<i32, Ix1>,
}

/// A way to make so many steps, which returns the last loss.
type Way = fn(&mut training::Training, &Batch) -> Result<f32>;

fn waiting(program: &mut training::Training, Batch { x, y }: &Batch) -> Result<f32> {
    let mut loss = 0.0;
    for _ in 0..STEPS {
        loss = program.step(x, y)?.to_scalar()?;
    }
    Ok(loss)
}

fn queued(program: &mut training::Training, Batch { x, y }: &Batch) -> Result<f32> {
    let losses = (0..STEPS).map(|_| program.step(x, y));
    let losses: Vec<DeviceArray<f32, Ix0>> = losses.collect::<Result<_>>()?;
    losses.last().expect("a step").to_scalar()
}

fn main() -> Result<()> {
    println!("{:<17} {:>14} {:>14}", "", "waited for", "queued");
    let mut last = 0.0;
    for name in ["local-sync", "local-task", "local-task?queued"] {
        let device = Device::open(name)?;
        let (waited, one) = time(&device, waiting)?;
        let (queued, other) = time(&device, queued)?;
        assert_eq!(one, other, "both learn the same");
        println!("{name:<17} {waited:>11.1} µs {queued:>11.1} µs");
        last = one;
    }
    if let Some([waited, queued, loss]) = jax() {
        println!("{:<17} {waited:>11.1} µs {queued:>11.1} µs", "JAX");
        let difference = (loss - f64::from(last)).abs();
        assert!(difference < TOLERANCE, "{last} is not {loss}");
    }
    Ok(())
}

/// The microseconds that a step takes, and the loss of the last step of the first turn.
fn time(device: &Device, way: Way) -> Result<(f64, f32)> {
    let batch = Batch {
        x: device.upload(&Array::from_shape_fn((64, 784), |(row, column)| {
            ((row * 31 + column * 17) % 23) as f32 / 23.0
        }))?,
        y: device.upload(&Array::from_shape_fn(64, |row| row as i32 % 10))?,
    };
    let mut program = training::Training::load(device)?;
    let loss = way(&mut program, &batch)?;
    let turn = || -> Result<f64> {
        let start = Instant::now();
        way(&mut program, &batch)?;
        Ok(1e6 * start.elapsed().as_secs_f64() / STEPS as f64)
    };
    let times = iter::repeat_with(turn).take(TURNS).collect::<Result<_>>()?;
    Ok((median(times), loss))
}

/// The same of JAX; `None` if no Python is named.
fn jax() -> Option<[f64; 3]> {
    let mut python = python(include_str!("steps.py"))?;
    let output = python
        .args([STEPS, TURNS].map(|count| count.to_string()))
        .output();
    let output = output.expect("Python starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let text = String::from_utf8_lossy(&output.stdout);
    let mut numbers = text
        .split_whitespace()
        .map(|number| number.parse().expect("a number"));
    Some(std::array::from_fn(|_| {
        numbers.next().expect("three numbers")
    }))
}
