//! Extents as texts.

use super::{Extent, Factor, Term};
use std::{fmt, str::FromStr};

impl fmt::Display for Extent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.terms.is_empty() {
            return formatter.write_str("0");
        }
        for (index, term) in self.terms.iter().enumerate() {
            match (index, term.coefficient < 0) {
                (0, false) => {}
                (0, true) => formatter.write_str("-")?,
                (_, false) => formatter.write_str(" + ")?,
                (_, true) => formatter.write_str(" - ")?,
            }
            write!(formatter, "{term}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Term {
    /// Without the sign. A division stands in brackets where it is a factor of several.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let coefficient = self.coefficient.unsigned_abs();
        if let ([Factor::Quotient(dividend, divisor)], 1) = (self.factors.as_slice(), coefficient) {
            return write_quotient(dividend, *divisor, formatter);
        }
        if coefficient != 1 || self.factors.is_empty() {
            write!(formatter, "{coefficient}")?;
        }
        for (index, factor) in self.factors.iter().enumerate() {
            if index > 0 || coefficient != 1 {
                formatter.write_str("*")?;
            }
            match factor {
                Factor::Name(name) => formatter.write_str(name)?,
                Factor::Quotient(dividend, divisor) => {
                    formatter.write_str("(")?;
                    write_quotient(dividend, *divisor, formatter)?;
                    formatter.write_str(")")?;
                }
            }
        }
        Ok(())
    }
}

fn write_quotient(
    dividend: &Extent,
    divisor: i128,
    formatter: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    match dividend.as_name() {
        Some(name) => write!(formatter, "{name}/{divisor}"),
        None => write!(formatter, "({dividend})/{divisor}"),
    }
}

/// A text is not an extent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseExtentError;

impl fmt::Display for ParseExtentError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("not a sum of products of numbers and names")
    }
}

impl std::error::Error for ParseExtentError {}

impl FromStr for Extent {
    type Err = ParseExtentError;

    /// Reads what [`Display`](fmt::Display) writes.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parser = Parser { rest: text.trim() };
        let extent = parser.sum(DEPTH_LIMIT).ok_or(ParseExtentError)?;
        match parser.rest {
            "" => Ok(extent),
            _ => Err(ParseExtentError),
        }
    }
}

/// How deep brackets may be nested in a text.
const DEPTH_LIMIT: usize = 64;

struct Parser<'a> {
    rest: &'a str,
}

impl<'a> Parser<'a> {
    fn eat(&mut self, mark: char) -> bool {
        match self.rest.strip_prefix(mark) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn word(&mut self) -> Option<&'a str> {
        let ends = |next: char| !(next.is_alphanumeric() || matches!(next, '_' | '.'));
        let (word, rest) = self
            .rest
            .split_at(self.rest.find(ends).unwrap_or(self.rest.len()));
        self.rest = rest.trim_start();
        (!word.is_empty()).then_some(word)
    }

    fn sum(&mut self, depth: usize) -> Option<Extent> {
        let mut sum = match self.eat('-') {
            true => Extent::constant(0).minus(&self.product(depth)?)?,
            false => self.product(depth)?,
        };
        loop {
            sum = if self.eat('+') {
                sum.plus(&self.product(depth)?)?
            } else if self.eat('-') {
                sum.minus(&self.product(depth)?)?
            } else {
                return Some(sum);
            }
        }
    }

    fn product(&mut self, depth: usize) -> Option<Extent> {
        let mut product = self.atom(depth)?;
        loop {
            product = if self.eat('*') {
                product.times(&self.atom(depth)?)?
            } else if self.eat('/') {
                product.over(self.word()?.parse().ok()?)?
            } else {
                return Some(product);
            }
        }
    }

    fn atom(&mut self, depth: usize) -> Option<Extent> {
        if self.eat('(') {
            let inner = self.sum(depth.checked_sub(1)?)?;
            return self.eat(')').then_some(inner);
        }
        let word = self.word()?;
        match word.starts_with(|first: char| first.is_ascii_digit()) {
            true => Some(Extent::constant(word.parse().ok()?)),
            false => Some(Extent::named(word)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        for text in [
            "0",
            "-A",
            "A*B + 2*C - 1",
            "x.0 + 3*((B + 1)/2)",
            "A/2",
            "(A + 1)/2",
            "-A/2 + 7",
            "A*(A/32) + (B + A/2)/3 - 1",
            "-2*B + 7",
        ] {
            assert_eq!(text.parse::<Extent>().expect("an extent").to_string(), text);
        }
        for text in ["", "A +", "A B", "1x", "(A", "A/0", "A)"] {
            assert_eq!(text.parse::<Extent>(), Err(ParseExtentError), "{text}");
        }
        assert!("(".repeat(100_000).parse::<Extent>().is_err());
    }
}
