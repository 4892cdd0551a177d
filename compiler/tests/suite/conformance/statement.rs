//! An operation in the form in which the suite writes it, taken apart.

use super::literal::{UnknownType, tensor_type};
use iree_abi::TensorType;

/// An operation: `stablehlo.add %a, %b : tensor<i64>`.
pub(super) struct Statement<'t> {
    /// Its name without the dialect.
    pub(super) op: &'t str,
    /// What its results are called in the language.
    pub(super) results: Vec<String>,
    /// What its operands are called in the language.
    pub(super) operands: Vec<String>,
    /// Everything behind its name.
    pub(super) text: &'t str,
    pub(super) regions: Vec<Region<'t>>,
    /// The types of the operands, or the one type of everything.
    pub(super) operand_types: Vec<TensorType>,
    pub(super) result_types: Vec<TensorType>,
}

/// What stands between braces.
pub(super) struct Region<'t> {
    /// What its parameters are called in the language.
    pub(super) parameters: Vec<String>,
    pub(super) statements: Vec<Statement<'t>>,
    /// What is handed back.
    pub(super) results: Vec<String>,
}

impl<'t> Statement<'t> {
    pub(super) fn new(op: &'t str, results: &str, text: &'t str) -> Result<Self, UnknownType> {
        let blocks = blocks(text);
        let regions = blocks
            .iter()
            .filter(|block| block.contains("stablehlo.return"));
        let (operand_types, result_types) = types(text)?;
        let head = text.split(['{', ':']).next().unwrap_or(text);
        Ok(Self {
            op: op.split_once('.').map_or(op, |(_, name)| name),
            results: result_names(results),
            operands: names(head),
            text,
            regions: regions
                .map(|region| Region::new(region))
                .collect::<Result<_, _>>()?,
            operand_types,
            result_types,
        })
    }

    /// The numbers of an attribute: `name = array<i64: 1, 2>`, `name = [1, 2]` or `name = 1`.
    pub(super) fn list(&self, name: &str) -> Option<Vec<i64>> {
        let value = self.attribute(name)?;
        let end = match value.strip_prefix("dense<") {
            Some(_) => value.find("> :")?,
            None if value.starts_with('[') => closing(value)?,
            None if value.starts_with("array") => value.find('>')?,
            None => value.find([',', ' ', '\n']).unwrap_or(value.len()),
        };
        let value = &value[..end];
        let value = value.strip_prefix("array<i64").unwrap_or(value);
        let digits = |letter: char| !letter.is_ascii_digit() && letter != '-';
        let numbers = value.split(digits).filter(|number| !number.is_empty());
        Some(
            numbers
                .map(|number| number.parse().expect("a number"))
                .collect(),
        )
    }

    /// A list of places or sizes, empty if it is left out.
    pub(super) fn axes(&self, name: &str) -> Vec<usize> {
        let numbers = self.list(name).unwrap_or_default();
        let places = numbers.into_iter().map(usize::try_from);
        places.collect::<Result<_, _>>().expect("places")
    }

    pub(super) fn number(&self, name: &str) -> Option<usize> {
        self.axes(name).first().copied()
    }

    /// Everything behind `name =`.
    pub(super) fn attribute(&self, name: &str) -> Option<&'t str> {
        let mut rest = self.text;
        loop {
            let at = rest.find(name)?;
            let before = rest[..at].chars().next_back();
            let behind = rest[at + name.len()..].trim_start();
            let whole = !before.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
            match behind.strip_prefix('=') {
                Some(value) if whole => return Some(value.trim_start()),
                _ => rest = &rest[at + name.len()..],
            }
        }
    }

    pub(super) fn is(&self, name: &str, value: &str) -> bool {
        self.attribute(name)
            .is_some_and(|text| text.starts_with(value))
    }
}

impl<'t> Region<'t> {
    fn new(block: &'t str) -> Result<Self, UnknownType> {
        let mut region = Self {
            parameters: Vec::new(),
            statements: Vec::new(),
            results: Vec::new(),
        };
        for line in lines(block) {
            if line.starts_with("^bb0") {
                region.parameters = names(line);
            } else if let Some(results) = line.strip_prefix("stablehlo.return") {
                region.results = names(results);
            } else {
                let (results, operation) = line.split_once('=').expect("an operation has a result");
                let (op, text) = operation.trim().split_once(' ').expect("an operation");
                region.statements.push(Statement::new(op, results, text)?);
            }
        }
        Ok(region)
    }
}

/// What a value is called in the language.
pub(super) fn identifier(name: &str) -> String {
    let name = name.trim().trim_start_matches('%');
    format!("v_{}", name.replace('#', "_"))
}

/// The names of the results: `%a`, `%a,%b` or `%a:2`, of which the parts are `%a#0` and `%a#1`.
fn result_names(results: &str) -> Vec<String> {
    match results.trim().split_once(':') {
        Some((name, count)) => {
            let count: usize = count.parse().expect("the number of results");
            let part = |index| identifier(&format!("{name}#{index}"));
            (0..count).map(part).collect()
        }
        None => names(results),
    }
}

/// The values that a text mentions.
fn names(text: &str) -> Vec<String> {
    let inside = |letter: char| letter.is_alphanumeric() || "_#".contains(letter);
    let parts = text.split('%').skip(1);
    parts
        .map(|part| {
            let end = part.find(|letter| !inside(letter)).unwrap_or(part.len());
            identifier(&part[..end])
        })
        .collect()
}

/// The lines of a block, each with those behind it that it goes on in.
fn lines(block: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = block.trim();
    while !rest.is_empty() {
        let ends = rest.match_indices('\n').map(|(end, _)| end);
        let goes_on = |end: usize| {
            let (line, behind) = rest.split_at(end);
            line.trim_end().ends_with(',') || behind.trim_start().starts_with(':')
        };
        let end = ends.chain([rest.len()]).find(|end| !goes_on(*end));
        let (line, behind) = rest.split_at(end.unwrap_or(rest.len()));
        lines.push(line.trim());
        rest = behind.trim();
    }
    lines
}

/// What stands between the outermost braces.
fn blocks(text: &str) -> Vec<&str> {
    let mut blocks = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '{' if depth == 0 => (depth, start) = (1, at + 1),
            '{' => depth += 1,
            '}' if depth == 1 => {
                depth = 0;
                blocks.push(&text[start..at]);
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    blocks
}

/// Where the bracket at the start is closed.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.char_indices().find_map(|(at, letter)| {
        depth += match letter {
            '[' => 1,
            ']' => -1,
            _ => 0,
        };
        (depth == 0).then_some(at)
    })
}

/// The types behind the last colon: of the operands, and of the results behind an arrow.
fn types(text: &str) -> Result<(Vec<TensorType>, Vec<TensorType>), UnknownType> {
    let outside = match text.rfind('}') {
        Some(end) if text[end..].contains("tensor<") => &text[end..],
        _ => text,
    };
    let listed = outside.rfind(" :").map_or("", |at| &outside[at + 2..]);
    let (operands, results) = match listed.rsplit_once("->") {
        Some((operands, results)) => (operands, results),
        None => (listed, listed),
    };
    Ok((type_list(operands)?, type_list(results)?))
}

fn type_list(text: &str) -> Result<Vec<TensorType>, UnknownType> {
    let parts = text.split("tensor<").skip(1);
    parts
        .map(|part| {
            let complex = part
                .find("complex<")
                .is_some_and(|at| part.find('>') > Some(at));
            let end = if complex { ">>" } else { ">" };
            let inside = part.find(end).expect("a type has an end") + end.len();
            tensor_type(&format!("tensor<{}", &part[..inside]))
        })
        .collect()
}
