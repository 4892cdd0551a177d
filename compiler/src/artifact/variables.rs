//! What the environment of a build sets.

use std::{
    env, fmt,
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

/// A variable that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread {
    name: &'static str,
    value: String,
    expected: &'static str,
}

impl fmt::Display for Misread {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            value,
            expected,
        } = self;
        write!(
            formatter,
            "the variable {name} is `{value}`, not {expected}"
        )
    }
}

/// What limits the builds of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limits {
    /// How long one compilation may take.
    pub(super) time: Duration,
    /// How large the cache that target directories share may become, in bytes.
    pub(super) cache: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            time: DEFAULT_TIME_LIMIT,
            cache: DEFAULT_CACHE_LIMIT,
        }
    }
}

impl Limits {
    pub(super) fn of_environment() -> Result<Self, Misread> {
        Self::read(|name| env::var(name).ok())
    }

    fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Self, Misread> {
        let default = Self::default();
        let read = |name| variable(name).filter(|value| !value.trim().is_empty());
        let misread = |name, value: &str, expected| Misread {
            name,
            value: value.to_owned(),
            expected,
        };
        Ok(Self {
            time: match read(TIMEOUT) {
                None => default.time,
                Some(value) => seconds(value.trim())
                    .ok_or_else(|| misread(TIMEOUT, &value, "a number of seconds above 0"))?,
            },
            cache: match read(CACHE_LIMIT) {
                None => default.cache,
                Some(value) => bytes(value.trim())
                    .ok_or_else(|| misread(CACHE_LIMIT, &value, "a size such as `500M` or `2G`"))?,
            },
        })
    }
}

fn seconds(text: &str) -> Option<Duration> {
    let seconds = text.parse::<u64>().ok();
    seconds
        .filter(|seconds| *seconds > 0)
        .map(Duration::from_secs)
}

fn bytes(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let factor: u64 = match text.get(digits.len()..)? {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(factor)
}

/// The cache that target directories share.
pub(super) fn shared_cache() -> Option<PathBuf> {
    let directory = env::var_os(CACHE).filter(|value| !value.is_empty())?;
    path::absolute(directory).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, value: &str) -> Result<Limits, String> {
        let variable = |asked: &str| (asked == name).then(|| value.to_owned());
        Limits::read(variable).map_err(|misread| misread.to_string())
    }

    #[test]
    fn the_limit_of_the_cache_has_units() {
        for (text, expected) in [
            ("10", 10),
            ("3K", 3072),
            (" 500M ", 500 << 20),
            ("2G", 2 << 30),
            ("", DEFAULT_CACHE_LIMIT),
        ] {
            let limits = read(CACHE_LIMIT, text).unwrap();
            assert_eq!(limits.cache, expected);
            assert_eq!(limits.time, DEFAULT_TIME_LIMIT);
        }
        for wrong in ["much", "2X", "-1", "99999999999G"] {
            assert_eq!(
                read(CACHE_LIMIT, wrong),
                Err(format!(
                    "the variable IREE_DSL_CACHE_LIMIT is `{wrong}`, not a size such as `500M` or `2G`"
                ))
            );
        }
    }

    #[test]
    fn the_time_limit_is_read_in_seconds() {
        assert_eq!(read(TIMEOUT, "5").unwrap().time, Duration::from_secs(5));
        assert_eq!(read("OTHER", "x"), Ok(Limits::default()));
        for wrong in ["0", "soon", "-1"] {
            assert_eq!(
                read(TIMEOUT, wrong),
                Err(format!(
                    "the variable IREE_DSL_COMPILE_TIMEOUT is `{wrong}`, not a number of seconds above 0"
                ))
            );
        }
    }
}
