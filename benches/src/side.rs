//! Who takes part.

use anyhow::Result;
use clap::ValueEnum;
use cpu_time::ProcessTime;
use ndarray::ArrayD;
use serde::Serialize;
use std::{
    hint,
    time::{Duration, Instant},
};

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Clock {
    /// How long it takes
    Wall,
    /// The time that processors spend, all threads together; of use where other programs run too
    Cpu,
}

impl Clock {
    fn measure(self, work: impl FnOnce() -> Result<()>) -> Result<Duration> {
        let (wall, cpu) = (Instant::now(), ProcessTime::try_now()?);
        work()?;
        Ok(match self {
            Self::Wall => wall.elapsed(),
            Self::Cpu => cpu.try_elapsed()?,
        })
    }
}

/// Work that one side has made ready.
pub(crate) trait Prepared {
    /// What comes out, for comparison.
    fn result(&mut self) -> Result<ArrayD<f32>>;

    /// How long so many calls take, one after the other, until the last result is there.
    fn time(&mut self, calls: u32, clock: Clock) -> Result<Duration>;
}

/// Work of a side that lives in this process.
pub(crate) struct Calls<C, R> {
    call: C,
    read: R,
}

impl<T, C, R> Calls<C, R>
where
    C: FnMut() -> Result<T>,
    R: Fn(T) -> Result<ArrayD<f32>>,
{
    /// From what is timed, which ends when the result is there, and what reads the result.
    pub(crate) fn new(call: C, read: R) -> Self {
        Self { call, read }
    }
}

impl<T, C, R> Prepared for Calls<C, R>
where
    C: FnMut() -> Result<T>,
    R: Fn(T) -> Result<ArrayD<f32>>,
{
    fn result(&mut self) -> Result<ArrayD<f32>> {
        let result = (self.call)()?;
        (self.read)(result)
    }

    fn time(&mut self, calls: u32, clock: Clock) -> Result<Duration> {
        clock.measure(|| {
            for _ in 0..calls {
                hint::black_box((self.call)()?);
            }
            Ok(())
        })
    }
}
