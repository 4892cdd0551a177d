//! Feeds rows to the program.

use crate::{
    dataset::{BATCH, Samples},
    digits::Classifier,
};
use anyhow::Result;
use iree_dsl::prelude::*;
use rand::{RngExt, rngs::StdRng, seq::SliceRandom};
use std::fmt;

/// A classifier while it learns.
pub(crate) struct Trainer {
    program: Classifier,
    rng: StdRng,
}

impl Trainer {
    /// A classifier that knows nothing yet.
    pub(crate) fn new(device: &Device, mut rng: StdRng) -> Result<Self> {
        let mut program = Classifier::load(device)?;
        program.initialize(rng.random::<u32>())?;
        Ok(Self { program, rng })
    }

    /// Learns from each row once, in random order, and returns the mean loss.
    pub(crate) fn epoch(&mut self, samples: &Samples) -> Result<f32> {
        let mut rows: Vec<_> = (0..samples.len()).collect();
        rows.shuffle(&mut self.rng);
        let steps = rows.chunks(BATCH).map(|batch| {
            let (x, y) = samples.batch(batch);
            self.program.train_step(&x, &y)
        });
        // Reading them waits, so that is for later.
        let losses = steps.collect::<Result<Vec<_>, _>>()?;
        let mut sum = 0.0;
        for loss in &losses {
            sum += loss.to_scalar()?;
        }
        Ok(sum / losses.len() as f32)
    }

    /// How many of the rows are classified as labelled.
    pub(crate) fn accuracy(&mut self, samples: &Samples) -> Result<Accuracy> {
        let rows: Vec<_> = (0..samples.len()).collect();
        let mut right = 0;
        for batch in rows.chunks(BATCH) {
            let (x, _) = samples.batch(batch);
            right += samples.count_right(batch, &self.program.predict(&x)?.to_array()?);
        }
        Ok(Accuracy {
            right,
            rows: rows.len(),
        })
    }
}

/// How well rows were classified.
#[derive(Clone, Copy)]
pub(crate) struct Accuracy {
    right: usize,
    rows: usize,
}

impl Accuracy {
    /// From 0 to 1.
    pub(crate) fn rate(self) -> f32 {
        self.right as f32 / self.rows as f32
    }
}

impl fmt::Display for Accuracy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:.1} %", 100.0 * self.rate())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{dataset::Dataset, reference::Reference, table::Table};
    use rand::SeedableRng;

    fn setting() -> (Dataset, StdRng) {
        let mut rng = StdRng::seed_from_u64(0);
        (Dataset::split(&Table::digits().unwrap(), &mut rng), rng)
    }

    #[test]
    fn it_learns_the_digits() {
        let (dataset, rng) = setting();
        let device = Device::open("local-sync").unwrap();
        let mut trainer = Trainer::new(&device, rng).unwrap();
        for _ in 0..20 {
            trainer.epoch(&dataset.training).unwrap();
        }
        let accuracy = trainer.accuracy(&dataset.held_out).unwrap();
        assert!(accuracy.rate() > 0.95, "{accuracy}");
    }

    #[test]
    fn a_step_is_that_of_the_reference() {
        let (dataset, _) = setting();
        let device = Device::open("local-sync").unwrap();
        let mut program = Classifier::load(&device).unwrap();
        program.initialize(1).unwrap();
        let mut reference = Reference::new(&program.network().unwrap());
        let rows: Vec<_> = (0..10 * BATCH).collect();
        for batch in rows.chunks(BATCH) {
            let (x, y) = dataset.training.batch(batch);
            let expected = reference.train_step(&x, &y);
            let loss = program.train_step(&x, &y).unwrap().to_scalar().unwrap();
            let difference = (loss - expected).abs();
            assert!(difference < 1e-4, "{difference} from {expected}");
        }
        let difference = reference.distance(&program.network().unwrap());
        assert!(difference < 1e-4, "{difference}");
    }
}
