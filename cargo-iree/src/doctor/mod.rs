//! What a build needs, and whether it is there.

mod config;
mod system;

pub(crate) use config::Configuration;
pub(crate) use system::parts;

/// A part that a build needs.
#[derive(Debug)]
pub(crate) struct Finding {
    /// What it is called.
    pub(crate) part: String,
    /// Where it is, or how to mend that it is not there.
    pub(crate) state: Result<String, String>,
}

impl Finding {
    pub(crate) fn new(part: impl Into<String>, state: Result<String, String>) -> Self {
        let part = part.into();
        Self { part, state }
    }
}
