//! The notation of `einsum!`: a letter for each axis.

/// Stands for `...` until it is known how many axes that are.
const FURTHER: char = '…';

/// The first of the letters that stand for the axes behind `...`, counted from the last axis.
const FIRST_FURTHER: u32 = 0xE000;

type Result<T> = std::result::Result<T, String>;

/// The letters of the operands and of the result.
#[derive(Debug, PartialEq)]
pub(super) struct Notation {
    pub(super) operands: Vec<Vec<char>>,
    pub(super) output: Vec<char>,
}

impl Notation {
    pub(super) fn parse(text: &str) -> Result<Self> {
        let text: String = text.chars().filter(|letter| *letter != ' ').collect();
        let (operands, output) = match text.split_once("->") {
            Some((operands, output)) => (operands, Some(output)),
            None => (text.as_str(), None),
        };
        let operands: Vec<_> = operands.split(',').map(letters).collect::<Result<_>>()?;
        let output = match output {
            Some(output) => letters(output)?,
            None => implicit(&operands),
        };
        for (place, letter) in output.iter().enumerate() {
            let letter_name = name(*letter);
            if output.iter().take(place).any(|other| other == letter) {
                return Err(format!("the result has the axis `{letter_name}` twice"));
            }
            if !operands.iter().flatten().any(|other| other == letter) {
                return Err(format!(
                    "the result has an axis `{letter_name}`, which no operand has"
                ));
            }
        }
        Ok(Self { operands, output })
    }

    /// The same with letters in place of `...`, for operands with so many axes.
    pub(super) fn expand(mut self, ranks: impl Iterator<Item = usize>) -> Result<Self> {
        let mut most = 0;
        for (operand, rank) in self.operands.iter_mut().zip(ranks) {
            if operand.contains(&FURTHER) {
                let count = rank.saturating_sub(operand.len() - 1);
                replace(operand, count);
                most = most.max(count);
            }
        }
        if most > 0 && !self.output.contains(&FURTHER) {
            return Err("the result lacks the axes `...` of the operands".to_owned());
        }
        replace(&mut self.output, most);
        Ok(self)
    }
}

/// Puts so many letters in place of `...`.
fn replace(letters: &mut Vec<char>, count: usize) {
    if let Some(place) = letters.iter().position(|letter| *letter == FURTHER) {
        let further = (0..count).rev().map_while(further);
        letters.splice(place..=place, further);
    }
}

fn further(from_the_right: usize) -> Option<char> {
    let offset = u32::try_from(from_the_right).ok()?;
    char::from_u32(FIRST_FURTHER + offset)
}

/// Whether an axis is one of those behind `...`.
pub(super) fn is_further(letter: char) -> bool {
    !letter.is_ascii()
}

/// What users know an axis by.
pub(super) fn name(letter: char) -> String {
    match is_further(letter) {
        true => "...".to_owned(),
        false => letter.to_string(),
    }
}

fn letters(text: &str) -> Result<Vec<char>> {
    let letters: Vec<char> = text.replace("...", &FURTHER.to_string()).chars().collect();
    let known = |letter: &&char| letter.is_ascii_alphabetic() || **letter == FURTHER;
    if let Some(other) = letters.iter().find(|letter| !known(letter)) {
        return Err(format!(
            "axes are letters, or `...` for several, with commas between the operands and `->` before the result; found `{other}`"
        ));
    }
    if letters.iter().filter(|letter| **letter == FURTHER).count() > 1 {
        return Err(format!("`{text}` has `...` twice"));
    }
    Ok(letters)
}

/// `...`, and then the letters that occur once, in the order of the alphabet.
fn implicit(operands: &[Vec<char>]) -> Vec<char> {
    let all: Vec<char> = operands.iter().flatten().copied().collect();
    let once = |letter: &char| all.iter().filter(|other| *other == letter).count() == 1;
    let letters = all.iter().copied().filter(|letter| *letter != FURTHER);
    let mut output: Vec<char> = letters.filter(once).collect();
    output.sort_unstable();
    let further = all.contains(&FURTHER).then_some(FURTHER);
    further.into_iter().chain(output).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> std::result::Result<(String, String), String> {
        let notation = Notation::parse(text)?;
        let operands: Vec<String> = notation
            .operands
            .iter()
            .map(|letters| letters.iter().collect())
            .collect();
        Ok((operands.join(","), notation.output.iter().collect()))
    }

    #[test]
    fn notations_name_axes() {
        let ok = |operands: &str, output: &str| Ok((operands.to_owned(), output.to_owned()));
        assert_eq!(parse("bqd, bkd -> bqk"), ok("bqd,bkd", "bqk"));
        assert_eq!(parse("ba"), ok("ba", "ab"));
        assert_eq!(parse("ij,jk"), ok("ij,jk", "ik"));
        assert_eq!(parse("ii"), ok("ii", ""));
        assert_eq!(parse(",a->"), ok(",a", ""));
    }

    #[test]
    fn notations_are_checked() {
        assert!(parse("ij->k").is_err());
        assert!(parse("ij->ii").is_err());
        assert!(parse("..i->i").is_err());
        assert!(parse("...i...->i").is_err());
        assert!(parse("ij->...i").is_err());
        assert!(parse("ij->i->j").is_err());
        assert!(parse("i1").is_err());
    }

    #[test]
    fn points_stand_for_further_axes() {
        let expand = |text: &str, ranks: &[usize]| {
            let notation = Notation::parse(text)?.expand(ranks.iter().copied())?;
            let names = |letters: &[char]| letters.iter().map(|letter| name(*letter)).collect();
            let operands: Vec<String> = notation.operands.iter().map(|one| names(one)).collect();
            Ok::<_, String>(format!(
                "{}->{}",
                operands.join(","),
                names(&notation.output)
            ))
        };
        let further = |text: &str| Ok(text.replace('.', "..."));
        assert_eq!(expand("...ij,...jk", &[4, 3]), further("..ij,.jk->..ik"));
        assert_eq!(expand("i...->...i", &[3]), further("i..->..i"));
        assert_eq!(expand("...,...i->...i", &[0, 1]), further(",i->i"));
        assert!(expand("...i->i", &[2]).is_err());
        assert_eq!(expand("...i->i", &[1]), further("i->i"));
    }
}
