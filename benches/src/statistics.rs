//! What is told of many readings.

/// The middle one; of an even number, the upper of the two.
pub(crate) fn median(readings: impl IntoIterator<Item = f64>) -> Option<f64> {
    let mut readings: Vec<_> = readings.into_iter().collect();
    readings.sort_by(f64::total_cmp);
    readings.get(readings.len() / 2).copied()
}

/// The mean of ratios.
pub(crate) fn geometric_mean(ratios: &[f64]) -> Option<f64> {
    let sum: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
    (!ratios.is_empty()).then(|| (sum / ratios.len() as f64).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outliers_do_not_count() {
        assert_eq!(median([3.0, 1000.0, 1.0]), Some(3.0));
        assert_eq!(median([]), None);
    }

    #[test]
    fn twice_and_half_are_one() {
        let mean = geometric_mean(&[2.0, 0.5]).unwrap();
        assert!((mean - 1.0).abs() < 1e-12);
        assert_eq!(geometric_mean(&[]), None);
    }
}
