//! Errors with what to do about them.

use anstyle::{AnsiColor, Style};
use std::fmt;

/// What went wrong, and the cure.
#[derive(Debug)]
pub(crate) struct Advice {
    message: String,
    help: String,
}

impl Advice {
    /// An error that says what to do.
    pub(crate) fn error(message: impl Into<String>, help: impl Into<String>) -> anyhow::Error {
        anyhow::Error::new(Self::new(message, help))
    }

    /// The same, as the context of another error.
    pub(crate) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            help: help.into(),
        }
    }

    /// An error about a name that is not among those that exist.
    pub(crate) fn unknown(kind: &str, name: &str, known: &[&str]) -> anyhow::Error {
        let help = match nearest(name, known) {
            Some(nearest) => format!("there is one with a similar name: `{nearest}`"),
            None if known.is_empty() => format!("there is no {kind} at all"),
            None => format!("there are: {}", known.join(", ")),
        };
        Self::error(format!("there is no {kind} `{name}`"), help)
    }
}

impl fmt::Display for Advice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Advice {}

/// The name that was most likely meant.
fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let distances = known
        .iter()
        .map(|known| (strsim::damerau_levenshtein(name, known), *known));
    let (distance, nearest) = distances.min()?;
    let length = name.chars().count();
    (distance <= 1 + length / 4 && distance < length).then_some(nearest)
}

/// Writes an error, its causes and its cure to standard error.
pub(crate) fn report(error: &anyhow::Error) {
    tell("error", AnsiColor::Red, error);
}

/// The same, for what does not keep us from going on.
pub(crate) fn warn(error: &anyhow::Error) {
    tell("warning", AnsiColor::Yellow, error);
}

fn tell(kind: &str, colour: AnsiColor, error: &anyhow::Error) {
    let style = Style::new().fg_color(Some(colour.into())).bold();
    anstream::eprintln!("{style}{kind}{style:#}: {error}");
    for cause in error.chain().skip(1) {
        anstream::eprintln!("  because: {cause}");
    }
    let cyan = Style::new().fg_color(Some(AnsiColor::Cyan.into())).bold();
    if let Some(Advice { help, .. }) = error.downcast_ref() {
        anstream::eprintln!("{cyan}help{cyan:#}: {help}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_near_are_suggested() {
        assert_eq!(nearest("causla", &["causal", "decoder"]), Some("causal"));
        assert_eq!(nearest("rnu", &["run", "set"]), Some("run"));
        assert_eq!(nearest("train", &["run", "set"]), None);
        assert_eq!(nearest("x", &["y"]), None);
        assert_eq!(nearest("x", &[]), None);
    }
}
