/// What the header of a file says: a dictionary of Python with these keys, and no other.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Literal<'h> {
    /// What describes the elements, in quotes if it is a name.
    pub(super) element: &'h str,
    pub(super) fortran_order: bool,
    /// `None` for numbers that are too large.
    pub(super) sizes: Option<Vec<usize>>,
}

impl<'h> Literal<'h> {
    pub(super) fn parse(text: &'h str) -> Option<Self> {
        let mut rest = text.trim().strip_prefix('{')?.strip_suffix('}')?;
        let (mut element, mut fortran_order, mut sizes) = (None, None, None);
        while !rest.trim().is_empty() {
            let (entry, after) = split_at_comma(rest);
            let (key, value) = entry.split_once(':')?;
            let value = value.trim();
            match key.trim().trim_matches(['\'', '"']) {
                "descr" => element = Some(value),
                "fortran_order" => fortran_order = Some(truth(value)?),
                "shape" => sizes = Some(tuple(value)?),
                _ => return None,
            }
            rest = after;
        }
        Some(Self {
            element: element?,
            fortran_order: fortran_order?,
            sizes: sizes?.into_iter().collect(),
        })
    }
}

/// What is before the first comma that is in no brackets, and what is behind it.
fn split_at_comma(text: &str) -> (&str, &str) {
    let mut depth = 0usize;
    let comma = text.find(|character| {
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        character == ',' && depth == 0
    });
    match comma {
        Some(comma) => (&text[..comma], &text[comma + 1..]),
        None => (text, ""),
    }
}

fn truth(text: &str) -> Option<bool> {
    match text {
        "True" => Some(true),
        "False" => Some(false),
        _ => None,
    }
}

/// The numbers of a tuple, which end with `L` where an old Python wrote them. The inner `None` is a number that is too large.
fn tuple(text: &str) -> Option<Vec<Option<usize>>> {
    let list = text.strip_prefix('(')?.strip_suffix(')')?.trim();
    let list = list.strip_suffix(',').unwrap_or(list);
    if list.is_empty() {
        return Some(Vec::new());
    }
    let numbers = list.split(',').map(|number| {
        let number = number.trim();
        let number = number.strip_suffix('L').unwrap_or(number);
        let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| number.parse().ok())
    });
    numbers.collect()
}
