use super::number::Number;

/// The sum of Chebyshev polynomials with these coefficients at a number from -1 to 1, by [Clenshaw's
/// recurrence](https://dlmf.nist.gov/3.11#ii). Terms too small for the precision are left out.
pub(super) fn chebyshev<'m, 'c, 'b>(
    x: &Number<'m, 'c, 'b>,
    coefficients: &[f64],
) -> Number<'m, 'c, 'b> {
    let (first, rest) = coefficients.split_first().unwrap_or((&0.0, &[]));
    let negligible = first.abs() * x.format().epsilon / 16.0;
    let last = rest.iter().rposition(|c| c.abs() > negligible);
    let kept = rest.iter().take(last.map_or(0, |last| last + 1));
    let twice = x * 2.0;
    let (mut sum, mut before) = (x.like(0.0), x.like(0.0));
    for coefficient in kept.rev() {
        let next = &twice * &sum - &before + *coefficient;
        before = std::mem::replace(&mut sum, next);
    }
    x * sum - before + *first
}

/// A number moved from the range between two bounds to that from -1 to 1.
pub(super) fn centered<'m, 'c, 'b>(
    x: &Number<'m, 'c, 'b>,
    low: f64,
    high: f64,
) -> Number<'m, 'c, 'b> {
    let middle = (low + high) / 2.0;
    (x - middle) * (2.0 / (high - low))
}
