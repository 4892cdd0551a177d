//! What the IREE compiler says, in its own words.

use crate::span::Location;

/// How grave a [`Message`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// It made the compilation fail.
    Error,
    /// It did not.
    Warning,
    /// It explains the message before it.
    Note,
    /// It tells what was done.
    Remark,
}

/// One message of the IREE compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Where, if the text that was compiled says so.
    pub location: Option<Location>,
    /// How grave it is.
    pub severity: Severity,
    /// The first line of the message.
    pub text: String,
}

/// Finds the messages in the compiler's output; if there are none, all of it is one error.
pub(super) fn parse(stderr: &str) -> Vec<Message> {
    let mut messages: Vec<Message> = Vec::new();
    for message in stderr.lines().filter_map(parse_line) {
        // The compiler repeats a message for each pass that comes across it.
        if !messages.contains(&message) {
            messages.push(message);
        }
    }
    if messages
        .iter()
        .all(|message| message.severity != Severity::Error)
    {
        let text = stderr.trim();
        let silent = "the compiler gave no reason";
        messages.push(Message {
            location: None,
            severity: Severity::Error,
            text: if text.is_empty() { silent } else { text }.to_owned(),
        });
    }
    messages
}

/// Whether the compiler says that it does not know the chip to compile for, of which it then may crash.
pub(super) fn is_of_unknown_chip(stderr: &str) -> bool {
    ["Unknown Vulkan target", "Unknown ROCM target"]
        .iter()
        .any(|text| stderr.contains(text))
}

/// Reads `file:line:column: severity: text`, or the same without the place.
fn parse_line(line: &str) -> Option<Message> {
    let severities = [
        ("error: ", Severity::Error),
        ("warning: ", Severity::Warning),
        ("note: ", Severity::Note),
        ("remark: ", Severity::Remark),
    ];
    let found = severities.iter().filter_map(|(marker, severity)| {
        let (place, text) = line.split_once(marker)?;
        let complete = place.is_empty() || place.ends_with(": ");
        complete.then_some((place, *severity, text))
    });
    let (place, severity, text) = found.min_by_key(|(place, ..)| place.len())?;
    let place = place.strip_suffix(": ").unwrap_or(place);
    let unknown = place.is_empty() || place == "<unknown>:0";
    let location = parse_location(place);
    // A snippet of source may hold the words of a message.
    (unknown || location.is_some()).then(|| Message {
        location,
        severity,
        text: text.trim().to_owned(),
    })
}

fn parse_location(place: &str) -> Option<Location> {
    let mut parts = place.rsplitn(3, ':');
    let column = parts.next()?.parse().ok()?;
    let line = parts.next()?.parse().ok()?;
    let file = parts.next()?.to_owned();
    Some(Location { file, line, column })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(place: Option<(&str, usize, usize)>, severity: Severity, text: &str) -> Message {
        Message {
            location: place.map(|(file, line, column)| Location {
                file: file.to_owned(),
                line,
                column,
            }),
            severity,
            text: text.to_owned(),
        }
    }

    #[test]
    fn messages_have_place_severity_and_text() {
        let stderr = "\
src/main.rs:4:15: error: failed to legalize operation 'stablehlo.cholesky': %3 = error: x
  %z = stablehlo.cholesky %y, lower = true
       ^
C:\\a b.rs:4:15: note: see current operation
src/main.rs:4:15: error: failed to legalize operation 'stablehlo.cholesky': %3 = error: x
<unknown>:0: warning: careful
error: no more
    let x = \"src: error: not one\";
";
        let legalize = "failed to legalize operation 'stablehlo.cholesky': %3 = error: x";
        assert_eq!(
            parse(stderr),
            [
                message(Some(("src/main.rs", 4, 15)), Severity::Error, legalize),
                message(
                    Some(("C:\\a b.rs", 4, 15)),
                    Severity::Note,
                    "see current operation"
                ),
                message(None, Severity::Warning, "careful"),
                message(None, Severity::Error, "no more"),
            ]
        );
    }

    #[test]
    fn an_output_without_messages_is_one() {
        let unknown = "iree-compile: Unknown command line argument '--x'.\nDid you mean '--y'?\n";
        let expected = message(None, Severity::Error, unknown.trim());
        assert_eq!(parse(unknown), [expected]);
        let silent = message(None, Severity::Error, "the compiler gave no reason");
        assert_eq!(parse("\n"), [silent]);
    }
}
