use std::fmt::{self, Display, Formatter};

/// The value of an option of a pass.
///
/// # Examples
///
/// ```
/// use iree_dialects::{PassOption, Pipeline};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let options = [
///     ("max-iterations", PassOption::from(3)),
///     ("region-simplify", "disabled".into()),
///     ("top-down", false.into()),
/// ];
/// let pipeline = Pipeline::new("builtin.module").pass("canonicalize", options)?;
/// assert_eq!(
///     pipeline.to_string(),
///     "builtin.module(canonicalize{max-iterations=3 region-simplify=disabled top-down=false})"
/// );
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum PassOption {
    /// Whether something is done.
    Bool(bool),
    /// A number.
    Integer(i64),
    /// A text, such as the name of a case.
    Text(String),
    /// Several values, none of which are lists.
    List(Vec<PassOption>),
}

impl PassOption {
    /// Whether MLIR reads a text as it is meant.
    pub(crate) fn is_readable(&self) -> bool {
        match self {
            Self::Bool(_) | Self::Integer(_) => true,
            // It knows no escapes, and a brace ends what a brace has begun.
            Self::Text(text) => !text.contains(['\0', '"', '\'', '{', '}', '\n']),
            Self::List(values) => values
                .iter()
                .all(|value| !matches!(value, Self::List(_)) && value.is_readable()),
        }
    }
}

impl Display for PassOption {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => value.fmt(formatter),
            Self::Integer(value) => value.fmt(formatter),
            Self::Text(text)
                if text.is_empty() || text.contains([' ', ',', '(', ')', '[', ']']) =>
            {
                write!(formatter, "\"{text}\"")
            }
            Self::Text(text) => formatter.write_str(text),
            Self::List(values) => {
                for (index, value) in values.iter().enumerate() {
                    let comma = if index == 0 { "" } else { "," };
                    write!(formatter, "{comma}{value}")?;
                }
                Ok(())
            }
        }
    }
}

impl From<bool> for PassOption {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for PassOption {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

impl From<&str> for PassOption {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl<T: Into<PassOption>, const N: usize> From<[T; N]> for PassOption {
    fn from(values: [T; N]) -> Self {
        Self::List(values.map(Into::into).into())
    }
}
