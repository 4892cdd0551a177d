//! Rows in the form that the program takes.

use crate::table::Table;
use ndarray::{Array1, Array2, ArrayView2, Axis, Zip, s};
use rand::{Rng, seq::SliceRandom};

/// Rows in a batch.
pub(crate) const BATCH: usize = 32;
/// Columns; a table with fewer is padded with zeros.
pub(crate) const FEATURES: usize = 64;
/// The most classes.
pub(crate) const CLASSES: usize = 10;

/// One in so many rows is held out.
const HELD_OUT: usize = 5;

/// Rows for training, and rows to see what was learnt.
pub(crate) struct Dataset {
    pub(crate) training: Samples,
    pub(crate) held_out: Samples,
}

/// Some rows of a table.
pub(crate) struct Samples {
    features: Array2<f32>,
    labels: Array1<i32>,
}

impl Dataset {
    /// Holds out rows by chance, and scales each column to -1 … 1 by what the others have.
    pub(crate) fn split(table: &Table, rng: &mut impl Rng) -> Self {
        let mut rows: Vec<_> = (0..table.labels.len()).collect();
        rows.shuffle(rng);
        let (held_out, training) = rows.split_at(rows.len() / HELD_OUT);
        let scaled = scale(&table.features, training);
        Self {
            training: Samples::select(scaled.view(), &table.labels, training),
            held_out: Samples::select(scaled.view(), &table.labels, held_out),
        }
    }
}

/// Scales by the smallest and largest value of each column in `rows`. What lies outside is cut off.
fn scale(features: &Array2<f32>, rows: &[usize]) -> Array2<f32> {
    let seen = features.select(Axis(0), rows);
    let low = seen.fold_axis(Axis(0), f32::INFINITY, |a, b| a.min(*b));
    let high = seen.fold_axis(Axis(0), f32::NEG_INFINITY, |a, b| a.max(*b));
    let mut scaled = features.clone();
    for mut row in scaled.rows_mut() {
        Zip::from(&mut row)
            .and(&low)
            .and(&high)
            .for_each(|value, low, high| {
                // A column that is always the same says nothing.
                let range = (high - low) / 2.0;
                *value = if range > 0.0 {
                    (*value - low) / range - 1.0
                } else {
                    0.0
                };
                *value = value.clamp(-1.0, 1.0);
            });
    }
    scaled
}

impl Samples {
    fn select(features: ArrayView2<'_, f32>, labels: &[usize], rows: &[usize]) -> Self {
        let mut padded = Array2::zeros((rows.len(), FEATURES));
        padded
            .slice_mut(s![.., ..features.ncols()])
            .assign(&features.select(Axis(0), rows));
        Self {
            features: padded,
            labels: rows.iter().map(|row| labels[*row] as i32).collect(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.labels.len()
    }

    /// A full batch of these rows; where they are fewer, they are repeated.
    pub(crate) fn batch(&self, rows: &[usize]) -> (Array2<f32>, Array1<i32>) {
        let rows: Vec<_> = rows.iter().copied().cycle().take(BATCH).collect();
        (
            self.features.select(Axis(0), &rows),
            self.labels.select(Axis(0), &rows),
        )
    }

    /// How many of these rows have the labels that are predicted for them, in the same order.
    pub(crate) fn count_right(&self, rows: &[usize], predicted: &Array1<i32>) -> usize {
        let pairs = rows.iter().zip(predicted);
        pairs
            .filter(|(row, predicted)| self.labels[**row] == **predicted)
            .count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{SeedableRng, rngs::StdRng};

    fn dataset(seed: u64) -> Dataset {
        Dataset::split(&Table::digits().unwrap(), &mut StdRng::seed_from_u64(seed))
    }

    #[test]
    fn a_fifth_is_held_out() {
        let dataset = dataset(0);
        assert_eq!(
            (dataset.training.len(), dataset.held_out.len()),
            (1438, 359)
        );
    }

    #[test]
    fn the_seed_chooses_the_rows() {
        assert_eq!(dataset(1).held_out.labels, dataset(1).held_out.labels);
        assert_ne!(dataset(1).held_out.labels, dataset(2).held_out.labels);
    }

    #[test]
    fn columns_are_scaled_by_the_training_rows() {
        let features = ndarray::array![[0.0, 7.0], [4.0, 7.0], [2.0, 7.0], [9.0, 8.0]];
        let expected = ndarray::array![[-1.0, 0.0], [1.0, 0.0], [0.0, 0.0], [1.0, 0.0]];
        assert_eq!(scale(&features, &[0, 1, 2]), expected);
    }

    #[test]
    fn a_short_batch_is_filled_and_narrow_rows_are_padded() {
        let features = ndarray::array![[1.0, 2.0], [3.0, 4.0]];
        let samples = Samples::select(features.view(), &[0, 1], &[0, 1]);
        let (x, y) = samples.batch(&[1, 0, 1]);
        assert_eq!(x.dim(), (BATCH, FEATURES));
        assert_eq!(
            x.slice(s![..4, ..3]),
            ndarray::array![
                [3.0, 4.0, 0.0],
                [1.0, 2.0, 0.0],
                [3.0, 4.0, 0.0],
                [3.0, 4.0, 0.0]
            ]
        );
        assert_eq!(y.slice(s![..4]), ndarray::array![1, 0, 1, 1]);
        assert_eq!(samples.count_right(&[1, 0], &y), 2);
    }
}
