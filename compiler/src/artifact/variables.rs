//! What the environment of a build sets.

use std::{
    env,
    path::{self, PathBuf},
    time::Duration,
};

/// Sets the time limit of one compilation, in seconds.
const TIMEOUT: &str = "IREE_DSL_COMPILE_TIMEOUT";

/// Names a directory for a cache that target directories share.
const CACHE: &str = "IREE_DSL_CACHE";

/// Sets how large that one may become: `500M`, `2G`.
const CACHE_LIMIT: &str = "IREE_DSL_CACHE_LIMIT";

const DEFAULT_CACHE_LIMIT: u64 = 2 << 30;

const DEFAULT_TIME_LIMIT: Duration = Duration::from_secs(600);

/// How long one compilation may take.
pub(super) fn time_limit() -> Duration {
    seconds(env::var(TIMEOUT).ok().as_deref())
}

fn seconds(variable: Option<&str>) -> Duration {
    let seconds = variable.and_then(|value| value.trim().parse::<u64>().ok());
    match seconds {
        Some(seconds @ 1..) => Duration::from_secs(seconds),
        _ => DEFAULT_TIME_LIMIT,
    }
}

/// The cache that target directories share.
pub(super) fn shared_cache() -> Option<PathBuf> {
    let directory = env::var_os(CACHE).filter(|value| !value.is_empty())?;
    path::absolute(directory).ok()
}

/// How large that one may become, in bytes.
pub(super) fn cache_limit() -> u64 {
    bytes(env::var(CACHE_LIMIT).ok().as_deref())
}

fn bytes(variable: Option<&str>) -> u64 {
    let limit = variable.and_then(|value| {
        let value = value.trim();
        let digits = value.trim_end_matches(|c: char| !c.is_ascii_digit());
        let factor: u64 = match value.get(digits.len()..)? {
            "" => 1,
            "K" => 1 << 10,
            "M" => 1 << 20,
            "G" => 1 << 30,
            _ => return None,
        };
        digits.parse::<u64>().ok()?.checked_mul(factor)
    });
    limit.unwrap_or(DEFAULT_CACHE_LIMIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_of_the_cache_has_units() {
        for (text, expected) in [
            ("10", 10),
            ("3K", 3072),
            (" 500M ", 500 << 20),
            ("2G", 2 << 30),
        ] {
            assert_eq!(bytes(Some(text)), expected);
        }
        for wrong in [
            None,
            Some(""),
            Some("much"),
            Some("2X"),
            Some("-1"),
            Some("99999999999G"),
        ] {
            assert_eq!(bytes(wrong), DEFAULT_CACHE_LIMIT);
        }
    }

    #[test]
    fn the_time_limit_is_read_in_seconds() {
        assert_eq!(seconds(Some("5")), Duration::from_secs(5));
        for wrong in [None, Some("0"), Some("soon"), Some("-1")] {
            assert_eq!(seconds(wrong), DEFAULT_TIME_LIMIT);
        }
    }
}
