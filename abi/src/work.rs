use crate::{Extent, ParseExtentError};
use std::{fmt, str::FromStr};

/// The key under which an exported function tells how much work a call is: a [`Work`].
pub const WORK: &str = "iree_dsl.work";

/// How much work a call is, as far as operations and sizes tell: an estimate to decide by, and no promise.
///
/// # Examples
///
/// ```
/// use iree_abi::{Extent, Work};
///
/// let work: Work = "60*N;1".parse()?;
/// assert_eq!(work.picoseconds.evaluate(&|_| Some(10)), Some(600));
/// assert_eq!(work.launches, Extent::from(1));
/// # Ok::<(), iree_abi::ParseExtentError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Work {
    /// How long one core of a CPU is busy with it, in 10⁻¹² seconds.
    pub picoseconds: Extent,
    /// How many pieces it is handed out in, each after the one before.
    pub launches: Extent,
}

impl fmt::Display for Work {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{};{}", self.picoseconds, self.launches)
    }
}

impl FromStr for Work {
    type Err = ParseExtentError;

    fn from_str(text: &str) -> Result<Self, ParseExtentError> {
        let (picoseconds, launches) = text.split_once(';').unwrap_or((text, ""));
        Ok(Self {
            picoseconds: picoseconds.parse()?,
            launches: launches.parse()?,
        })
    }
}
