use iree_dsl_interpreter::Mismatch;
use std::fmt;

/// What a device computed otherwise than the interpreter, beyond what rounding explains.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Difference {
    /// The procedure.
    pub procedure: String,
    /// The device.
    pub device: String,
    /// What differs.
    pub kind: DifferenceKind,
}

/// What differs between a device and the interpreter.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum DifferenceKind {
    /// An element of a result, or of a global after the call.
    Element {
        /// What it is an element of.
        of: Subject,
        /// The path to that: `.1`, `params.x`; nothing for the only result.
        path: String,
        /// Its index.
        index: Vec<usize>,
        /// It on the device.
        found: String,
        /// It on the interpreter.
        expected: String,
        /// How far they may be apart.
        bound: f64,
        /// How many elements differ.
        count: usize,
    },
    /// Something that has other sizes.
    Sizes {
        /// What it is.
        of: Subject,
        /// The path to it.
        path: String,
        /// Its sizes on the device.
        found: Vec<usize>,
        /// Its sizes on the interpreter.
        expected: Vec<usize>,
    },
    /// An assertion, which only the device found to hold.
    Assertion {
        /// What it says.
        message: String,
        /// Where it is in the source.
        place: Option<String>,
    },
}

/// What a call leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Subject {
    /// What it returns.
    Result,
    /// What the program has in a global after it.
    Global,
}

impl fmt::Display for Subject {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Result => "result",
            Self::Global => "global",
        })
    }
}

/// Where an element is: `.1[3, 4]`.
fn place(path: &str, index: &[usize]) -> String {
    match (path, index) {
        ("", []) => String::new(),
        (path, []) => format!(" `{path}`"),
        (path, index) => format!(" `{path}{index:?}`"),
    }
}

impl DifferenceKind {
    pub(super) fn element(of: Subject, path: String, mismatch: Mismatch) -> Self {
        let Mismatch {
            index,
            expected,
            found,
            bound,
            count,
        } = mismatch;
        Self::Element {
            of,
            path,
            index,
            found,
            expected,
            bound,
            count,
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            procedure,
            device,
            kind,
        } = self;
        write!(formatter, "`{procedure}` differs from the interpreter: ")?;
        match kind {
            DifferenceKind::Element {
                of,
                path,
                index,
                found,
                expected,
                bound,
                count,
            } => {
                let place = place(path, index);
                write!(formatter, "its {of}{place}\n  is      {found} on {device}")?;
                write!(formatter, "\n  but     {expected} on the interpreter")?;
                match *bound {
                    0.0 => write!(formatter, "\n  which are to be equal")?,
                    bound => write!(formatter, "\n  and may be {bound:.2e} apart")?,
                }
                match count {
                    1 => Ok(()),
                    count => write!(
                        formatter,
                        "\n  {count} elements differ, of which this is the first"
                    ),
                }
            }
            DifferenceKind::Sizes {
                of,
                path,
                found,
                expected,
            } => write!(
                formatter,
                "its {of}{} has the sizes {found:?} on {device}, but {expected:?} on the interpreter",
                place(path, &[])
            ),
            DifferenceKind::Assertion { message, place } => {
                write!(
                    formatter,
                    "on {device} this holds, on the interpreter it does not: {message}"
                )?;
                match place {
                    Some(place) => write!(formatter, " ({place})"),
                    None => Ok(()),
                }
            }
        }
    }
}
