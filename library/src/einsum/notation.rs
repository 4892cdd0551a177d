//! The notation: a letter for each axis.

use iree_abi::{Dim, Shape};

/// Stands for `...` until it is known how many axes that are.
const FURTHER: char = '…';

/// The first of the letters that stand for the axes behind `...`, counted from the last axis.
const FIRST_FURTHER: u32 = 0xE000;

type Result<T> = std::result::Result<T, NotationError>;

/// The letters of the operands and of the result. Those of the axes behind `...` are no ASCII.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notation {
    /// Those of each operand.
    pub operands: Vec<Vec<char>>,
    /// Those of the result.
    pub output: Vec<char>,
}

/// Why a text is no notation, or none of some operands.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    /// An axis of the result has the letter of another.
    #[error("the result has the axis `{0}` twice")]
    Twice(String),
    /// An axis of the result is none of an operand.
    #[error("the result has an axis `{0}`, which no operand has")]
    Nowhere(String),
    /// The result has no axes for those behind `...`.
    #[error("the result lacks the axes `...` of the operands")]
    Lacks,
    /// Something is no letter.
    #[error(
        "axes are letters, or `...` for several, with commas between the operands and `->` before the result; found `{0}`"
    )]
    NoLetter(char),
    /// An operand or the result has `...` twice.
    #[error("`{0}` has `...` twice")]
    FurtherTwice(String),
    /// A letter stands for two sizes.
    #[error("the axis `{letter}` has the sizes {} and {}", .sizes.0, .sizes.1)]
    Sizes {
        /// What users know the axis by.
        letter: String,
        /// Both sizes.
        sizes: Box<(Dim, Dim)>,
    },
}

impl Notation {
    /// What a text such as `bqd,bkd->bqk` says. Without a result it has the letters that occur once, in the order of the
    /// alphabet.
    ///
    /// # Errors
    ///
    /// If the text is none.
    pub fn parse(text: &str) -> Result<Self> {
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
                return Err(NotationError::Twice(letter_name));
            }
            if !operands.iter().flatten().any(|other| other == letter) {
                return Err(NotationError::Nowhere(letter_name));
            }
        }
        Ok(Self { operands, output })
    }

    /// The same with letters in place of `...`, for operands with so many axes.
    ///
    /// # Errors
    ///
    /// If the result has no place for them.
    pub fn expand(mut self, ranks: impl Iterator<Item = usize>) -> Result<Self> {
        let mut most = 0;
        for (operand, rank) in self.operands.iter_mut().zip(ranks) {
            if operand.contains(&FURTHER) {
                let count = rank.saturating_sub(operand.len() - 1);
                replace(operand, count);
                most = most.max(count);
            }
        }
        if most > 0 && !self.output.contains(&FURTHER) {
            return Err(NotationError::Lacks);
        }
        replace(&mut self.output, most);
        Ok(self)
    }

    /// Refuses a letter that stands for several sizes; an axis of one behind `...` fits any size.
    ///
    /// # Errors
    ///
    /// The first such letter.
    pub fn check<'s>(&self, shapes: impl Iterator<Item = &'s Shape>) -> Result<()> {
        let operands = self.operands.iter().zip(shapes);
        let axes = operands.flat_map(|(letters, shape)| letters.iter().zip(shape.dims()));
        let mut sizes: Vec<(char, &Dim)> = Vec::new();
        for (letter, dim) in axes {
            let fits_any = |dim: &Dim| is_further(*letter) && dim.is_one();
            match sizes.iter_mut().find(|(other, _)| other == letter) {
                None => sizes.push((*letter, dim)),
                Some((_, known)) if fits_any(known) => *known = dim,
                Some((_, known)) if *known == dim || fits_any(dim) => {}
                Some((_, known)) => {
                    return Err(NotationError::Sizes {
                        letter: name(*letter),
                        sizes: Box::new(((*known).clone(), dim.clone())),
                    });
                }
            }
        }
        Ok(())
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
fn name(letter: char) -> String {
    match is_further(letter) {
        true => "...".to_owned(),
        false => letter.to_string(),
    }
}

fn letters(text: &str) -> Result<Vec<char>> {
    let letters: Vec<char> = text.replace("...", &FURTHER.to_string()).chars().collect();
    let known = |letter: &&char| letter.is_ascii_alphabetic() || **letter == FURTHER;
    if let Some(other) = letters.iter().find(|letter| !known(letter)) {
        return Err(NotationError::NoLetter(*other));
    }
    if letters.iter().filter(|letter| **letter == FURTHER).count() > 1 {
        return Err(NotationError::FurtherTwice(text.to_owned()));
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

    fn parse(text: &str) -> Result<(String, String)> {
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
            Ok::<_, NotationError>(format!(
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

    #[test]
    fn a_letter_has_one_size() {
        let check = |text: &str, shapes: &[&[usize]]| {
            let ranks = shapes.iter().map(|shape| shape.len());
            let shapes: Vec<_> = shapes.iter().map(|shape| Shape::from(*shape)).collect();
            let checked = Notation::parse(text)
                .and_then(|notation| notation.expand(ranks))
                .and_then(|notation| notation.check(shapes.iter()));
            checked.map_err(|error| error.to_string())
        };
        assert_eq!(check("ij,jk", &[&[2, 3], &[3, 4]]), Ok(()));
        let sizes = "the axis `j` has the sizes 3 and 2";
        assert_eq!(check("ij,jk", &[&[2, 3], &[2, 4]]), Err(sizes.to_owned()));
        assert!(check("ij,jk", &[&[2, 1], &[3, 4]]).is_err());
        assert_eq!(check("...i,...i", &[&[1, 3], &[5, 3]]), Ok(()));
        let further = "the axis `...` has the sizes 4 and 5";
        let shapes: [&[usize]; 3] = [&[4, 3], &[1, 3], &[5, 3]];
        assert_eq!(check("...i,...i,...i", &shapes), Err(further.to_owned()));
    }
}
