//! Numbers as people read them.

/// A size in bytes, kB or MB, with three digits: `14.8 kB`.
pub(crate) fn bytes(count: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if count < 1000 {
        return format!("{count} B");
    }
    let mut value = count as f64 / 1000.0;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    format!("{} {}", digits(value), UNITS[unit])
}

/// A time from nanoseconds to seconds, with three digits: `14.8 µs`.
pub(crate) fn seconds(value: f64) -> String {
    let units = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")];
    let fits = units.into_iter().find(|(unit, _)| value >= 0.9995 * unit);
    let (unit, name) = fits.unwrap_or((1e-9, "ns"));
    format!("{} {name}", digits(value / unit))
}

/// Three significant digits of a number up to a thousand.
pub(crate) fn digits(value: f64) -> String {
    match value {
        value if value >= 99.95 => format!("{value:.0}"),
        value if value >= 9.995 => format!("{value:.1}"),
        value => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_three_digits() {
        for (count, text) in [
            (0, "0 B"),
            (999, "999 B"),
            (1000, "1.00 kB"),
            (14_771, "14.8 kB"),
            (999_600, "1.00 MB"),
            (123_456_789, "123 MB"),
        ] {
            assert_eq!(bytes(count), text);
        }
    }

    #[test]
    fn times_have_three_digits() {
        for (value, text) in [
            (0.0, "0.00 ns"),
            (1.5e-9, "1.50 ns"),
            (14.77e-6, "14.8 µs"),
            (0.9999e-3, "1.00 ms"),
            (61.0, "61.0 s"),
            (3600.0, "3600 s"),
        ] {
            assert_eq!(seconds(value), text);
        }
    }
}
