//! What it costs to change a row of a large global: called from the host, in a loop of the program, and in
//! a decoder that stores a row and attends over all of them.
//!
//! ```sh
//! cargo run --release --example cache
//! ```

use std::{
    env,
    time::{Duration, Instant},
};

use anyhow::{Result, ensure};
use iree_dsl::prelude::*;
use ndarray::Array1;

#[program]
mod rows {
    const WIDTH: usize = 4096;

    pub struct Rows {
        /// 64 MiB.
        #[global]
        cache: Tensor<f32, 4096, WIDTH>,
        /// 128 KiB, to compare with.
        #[global]
        small: Tensor<f32, 8, WIDTH>,
    }

    impl Rows {
        /// Stores a row and reads it.
        pub fn put(&mut self, i: Tensor<i32>, row: Tensor<f32, WIDTH>) -> Tensor<f32, WIDTH> {
            self.cache[i] = row;
            self.cache[i]
        }

        pub fn put_small(&mut self, i: Tensor<i32>, row: Tensor<f32, WIDTH>) -> Tensor<f32, WIDTH> {
            self.small[i] = row;
            self.small[i]
        }

        pub fn fill(&mut self, n: Tensor<i32>, row: Tensor<f32, WIDTH>) {
            for i in range(0, n) {
                self.cache[i] = row * (i as f32);
            }
        }

        pub fn fill_small(&mut self, n: Tensor<i32>, row: Tensor<f32, WIDTH>) {
            for i in range(0, n) {
                self.small[i % 8] = row * (i as f32);
            }
        }
    }
}

#[program]
mod decoder {
    const POSITIONS: usize = 1024;
    const WIDTH: usize = 64;

    pub struct Decoder {
        /// Keys and values of two layers.
        #[global]
        cache: Tensor<f32, 2, 2, POSITIONS, WIDTH>,
    }

    impl Decoder {
        pub fn step(&mut self, at: Tensor<i32>, x: Tensor<f32, WIDTH>) -> Tensor<f32, WIDTH> {
            self.decode(at, x)
        }

        pub fn steps(&mut self, n: Tensor<i32>, x: Tensor<f32, WIDTH>) -> Tensor<f32, WIDTH> {
            let mut y = x;
            for at in range(0, n) {
                y = self.decode(at, y);
            }
            y
        }

        fn decode(&mut self, at: Tensor<i32>, x: Tensor<f32, WIDTH>) -> Tensor<f32, WIDTH> {
            let mut y = x;
            for layer in 0..2 {
                self.cache[s![layer, 0, at, ..]] = y;
                self.cache[s![layer, 1, at, ..]] = y * 0.5;
                y = attend(y, self.cache[s![layer, 0]], self.cache[s![layer, 1]], at);
            }
            y
        }
    }

    /// Attention of one query over the positions so far.
    #[kernel]
    fn attend(
        query: Tensor<f32, WIDTH>,
        keys: Tensor<f32, POSITIONS, WIDTH>,
        values: Tensor<f32, POSITIONS, WIDTH>,
        at: Tensor<i32>,
    ) -> Tensor<f32, WIDTH> {
        let scores = keys.dot(query) * 0.125;
        let seen = iota::<i32, POSITIONS>() <= at;
        select(seen, scores, -1e9).softmax(0).dot(values)
    }
}

const ROUNDS: u32 = 1000;

fn main() -> Result<()> {
    let device = env::args().nth(1);
    let device = Device::open(device.as_deref().unwrap_or("local-sync"))?;
    measure_rows(&device)?;
    measure_decoder(&device)
}

fn measure_rows(device: &Device) -> Result<()> {
    let before = peak_memory();
    let mut rows = rows::Rows::load(device)?;
    let row = Array1::<f32>::ones(4096);
    let calls = per_round(|| {
        for i in 0..ROUNDS {
            rows.put(i as i32, &row)?.to_array()?;
        }
        Ok(())
    })?;
    let small_calls = per_round(|| {
        for i in 0..ROUNDS {
            rows.put_small(i as i32 % 8, &row)?.to_array()?;
        }
        Ok(())
    })?;
    let rounds = per_round(|| Ok(rows.fill(ROUNDS as i32, &row)?))?;
    let small_rounds = per_round(|| Ok(rows.fill_small(ROUNDS as i32, &row)?))?;
    println!("one row of 16 KiB        of 64 MiB   of 128 KiB");
    println!("stored and read by calls {calls:>9.1?} {small_calls:>12.1?}");
    println!("stored in a loop         {rounds:>9.1?} {small_rounds:>12.1?}");
    if let (Some(before), Some(after)) = (before, peak_memory()) {
        let taken = (after - before) as f64 / f64::from(1 << 26);
        println!("peak memory: {taken:.2} times the size of the cache");
    }
    Ok(())
}

fn measure_decoder(device: &Device) -> Result<()> {
    let x = Array1::from_iter((0..64).map(|k| (k as f32 * 0.1).sin()));
    let mut one = decoder::Decoder::load(device)?;
    let mut y = x.clone();
    let calls = per_round(|| {
        y = x.clone();
        for at in 0..ROUNDS {
            y = one.step(at as i32, &y)?.to_array()?;
        }
        Ok(())
    })?;
    let mut all = decoder::Decoder::load(device)?;
    let mut z = x.clone();
    let rounds = per_round(|| {
        z = all.steps(ROUNDS as i32, &x)?.to_array()?;
        Ok(())
    })?;
    let difference = (&y - &z).mapv(f32::abs).fold(0.0, |a: f32, b| a.max(*b));
    ensure!(
        difference < 1e-4,
        "a loop computes something else than calls do, by {difference}"
    );
    println!("one step of the decoder  {calls:>9.1?} by calls, {rounds:.1?} in a loop");
    Ok(())
}

/// The time of one of the rounds, which all run three times; the fastest counts.
fn per_round(mut rounds: impl FnMut() -> Result<()>) -> Result<Duration> {
    let mut fastest = Duration::MAX;
    for _ in 0..3 {
        let start = Instant::now();
        rounds()?;
        fastest = fastest.min(start.elapsed());
    }
    Ok(fastest / ROUNDS)
}

/// The most memory that this process has had so far, in bytes, where the system says so.
fn peak_memory() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kibibytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1024)
}
