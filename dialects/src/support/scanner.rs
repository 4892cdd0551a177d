/// Reads the text of an attribute or a type from left to right.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scanner<'t>(&'t str);

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self(text)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.trim().is_empty()
    }

    /// Skips a text, if it comes next.
    pub(super) fn skip(&mut self, literal: &str) -> Option<()> {
        self.0 = self.0.trim_start().strip_prefix(literal)?;
        Some(())
    }

    /// Takes everything up to the next of some texts, or to the end, that is in no brackets or quotes.
    pub(super) fn take(&mut self, until: &[&str]) -> &'t str {
        let end = outside(self.0)
            .find(|index| {
                let rest = self.0.get(*index..).unwrap_or_default();
                until.iter().any(|until| rest.starts_with(until))
            })
            .unwrap_or(self.0.len());
        let (value, rest) = self.0.split_at(end);
        self.0 = rest;
        value.trim()
    }

    /// The parts of the rest between commas that are in no brackets or quotes.
    pub(super) fn list(mut self) -> Vec<&'t str> {
        let mut parts = Vec::new();
        while !self.is_empty() {
            parts.push(self.take(&[","]));
            if self.skip(",").is_none() {
                break;
            }
        }
        parts
    }
}

/// The places of a text that are in no brackets or quotes.
fn outside(text: &str) -> impl Iterator<Item = usize> {
    let mut depth = 0_usize;
    let mut quoted = false;
    let mut previous = ' ';
    text.char_indices().filter_map(move |(index, character)| {
        let is_outside = depth == 0 && !quoted;
        match character {
            '"' if previous != '\\' => quoted = !quoted,
            '<' | '[' | '(' | '{' if !quoted => depth += 1,
            // The arrow of a function's type closes nothing.
            '>' if !quoted && previous != '-' => depth = depth.saturating_sub(1),
            ']' | ')' | '}' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        previous = if previous == '\\' { ' ' } else { character };
        is_outside.then_some(index)
    })
}

#[cfg(test)]
mod tests {
    use super::Scanner;

    #[test]
    fn lists_are_divided_outside_of_brackets() {
        let text = r#"array<i64: 1, 2>, "a, \"b", (f32) -> f32, [1, 2]"#;
        let parts = Scanner::new(text).list();
        assert_eq!(
            parts,
            ["array<i64: 1, 2>", r#""a, \"b""#, "(f32) -> f32", "[1, 2]"]
        );
    }
}
