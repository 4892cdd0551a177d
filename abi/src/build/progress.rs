use std::{fmt, str::FromStr};

/// The variable that names a file to which a build appends a line, a [`Progress`], when it begins or ends to
/// compile something.
pub const PROGRESS_VARIABLE: &str = "IREE_DSL_PROGRESS";

/// How far the compilation of a program is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The program's name.
    pub program: String,
    /// What it is compiled for.
    pub target: String,
    /// What has just happened.
    pub event: Event,
}

/// What happens to a compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The IREE compiler has started.
    Begun,
    /// It has made an artifact.
    Ended,
    /// It has ended without one.
    Failed,
}

impl fmt::Display for Progress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let event = match self.event {
            Event::Begun => "begun",
            Event::Ended => "ended",
            Event::Failed => "failed",
        };
        write!(formatter, "{event}\t{}\t{}", self.target, self.program)
    }
}

/// A line tells no progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseProgressError;

impl FromStr for Progress {
    type Err = ParseProgressError;

    /// Reads what [`Display`](fmt::Display) writes.
    fn from_str(line: &str) -> Result<Self, Self::Err> {
        let mut parts = line.splitn(3, '\t');
        let mut next = || parts.next().ok_or(ParseProgressError);
        let event = match next()? {
            "begun" => Event::Begun,
            "ended" => Event::Ended,
            "failed" => Event::Failed,
            _ => return Err(ParseProgressError),
        };
        Ok(Self {
            event,
            target: next()?.to_owned(),
            program: next()?.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        for event in [Event::Begun, Event::Ended, Event::Failed] {
            let progress = Progress {
                program: "a program".to_owned(),
                target: "vmvx".to_owned(),
                event,
            };
            assert_eq!(progress.to_string().parse(), Ok(progress));
        }
        for line in ["", "begun", "begun\tvmvx", "gone\tvmvx\tp"] {
            assert_eq!(line.parse::<Progress>(), Err(ParseProgressError));
        }
    }
}
