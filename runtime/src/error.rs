use crate::ffi::IreeError;
use iree_abi::{DType, SaveError, TensorType};
use std::{error::Error as _, fmt, io, path::PathBuf};

/// What can go wrong.
///
/// `Debug` writes the same as `Display`, and the causes after it: that is what a `main` shows that
/// returns an error.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no device of that name.
    #[error("there is no device `{name}`; there {} {}", are(.available), list(.available))]
    UnknownDevice {
        /// The name that was asked for.
        name: String,
        /// The names that exist.
        available: Vec<String>,
    },

    /// A device was asked for that this build leaves out.
    #[error(
        "cannot open the device `{spec}`: this build leaves out such devices; \
         enable the feature `{feature}` of `iree-dsl`"
    )]
    DeviceFeature {
        /// What was asked for.
        spec: String,
        /// The feature of the crate that brings it.
        feature: &'static str,
    },

    /// A device was asked for with an option that it does not have.
    #[error("cannot open the device `{spec}`: {reason}")]
    DeviceOption {
        /// What was asked for.
        spec: String,
        /// What is wrong with it.
        reason: String,
    },

    /// IREE could not make the device.
    #[error("cannot open the device `{name}`")]
    Device {
        /// The device's name.
        name: String,
        /// What IREE says.
        source: IreeError,
    },

    /// A file could not be read or written.
    #[error("cannot {action} {}", .path.display())]
    Io {
        /// What was attempted: `read`, `write`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },

    /// An archive of parameters is damaged, or not what it should be.
    #[error("cannot use the archive {}: {reason}", .path.display())]
    Archive {
        /// The file.
        path: PathBuf,
        /// What was found.
        reason: String,
    },

    /// The archives that a program is loaded with do not have what it needs.
    #[error("the parameters do not fit the program `{program}`:{}", lines(.problems))]
    Parameters {
        /// The program's name.
        program: String,
        /// Everything that is wrong: scope, key and type of a parameter, and what was found, or one text for several that
        /// differ in the same way. The message has the first ten.
        problems: Vec<String>,
    },

    /// The functions that a program imports are not those that it was loaded with.
    #[error("the program `{program}` does not find what it imports:{}", lines(.problems))]
    Imports {
        /// The program's name.
        program: String,
        /// Everything that is wrong: the function as the program declares it, and what was found.
        problems: Vec<String>,
    },

    /// A module is not what the compiler wrote.
    #[error("the module is damaged: {reason}")]
    Damaged {
        /// What was found.
        reason: String,
    },

    /// IREE refused the module.
    #[error("cannot load the module")]
    Load {
        /// What IREE says.
        source: IreeError,
    },

    /// The compiled program and the signature that it was loaded with disagree.
    #[error("the module `{module}` does not have the signature of the program: {reason}")]
    Signature {
        /// The module's name.
        module: String,
        /// Where they differ.
        reason: String,
    },

    /// No artifact of the program runs on the device.
    #[error(
        "no artifact {}fits the device `{device}`, which runs {}; the program has {}",
        of_target(.wanted),
        list(.accepted),
        list(.available)
    )]
    NoArtifact {
        /// The device's name.
        device: String,
        /// The target that was named.
        wanted: Option<String>,
        /// The targets that the device runs, best first.
        accepted: Vec<String>,
        /// The targets that exist.
        available: Vec<String>,
    },

    /// There is no function of that name.
    #[error("there is no function `{name}`; the session has {}", list(.available))]
    UnknownFunction {
        /// The name that was asked for.
        name: String,
        /// The names that exist.
        available: Vec<String>,
    },

    /// A function cannot be called from here.
    #[error("cannot call `{function}`: {reason}")]
    UnsupportedFunction {
        /// The function's name.
        function: String,
        /// What about it is not supported.
        reason: String,
    },

    /// The number of arguments is wrong.
    #[error("`{function}` takes {}, found {given}", count(*.expected, "argument"))]
    ArgumentCount {
        /// The function's name.
        function: String,
        /// How many arguments it takes.
        expected: usize,
        /// How many were given.
        given: usize,
    },

    /// An argument has the wrong element type.
    #[error(
        "`{function}`: argument `{parameter}` has the wrong element type: \
         expected `{expected}`, found `{given}`"
    )]
    ArgumentDType {
        /// The function's name.
        function: String,
        /// The parameter, with the path of the leaf: `params.x`.
        parameter: String,
        /// The type that the function takes.
        expected: Box<TensorType>,
        /// The type of the argument.
        given: Box<TensorType>,
    },

    /// An argument has the wrong shape.
    #[error(
        "`{function}`: argument `{parameter}` has the wrong shape: \
         expected `{expected}`, found `{given}`"
    )]
    ArgumentShape {
        /// The function's name.
        function: String,
        /// The parameter, with the path of the leaf.
        parameter: String,
        /// The type that the function takes.
        expected: Box<TensorType>,
        /// The type of the argument.
        given: Box<TensorType>,
    },

    /// Two arguments disagree in a dimension that has one name.
    #[error(
        "`{function}`: the dimension `{dimension}` is {expected} in `{first}` and {given} in \
         `{parameter}`"
    )]
    ArgumentDimension {
        /// The function's name.
        function: String,
        /// The dimension's name.
        dimension: String,
        /// The parameter that has the dimension first.
        first: String,
        /// Its size there.
        expected: usize,
        /// The parameter that disagrees.
        parameter: String,
        /// Its size there.
        given: usize,
    },

    /// A dimension is not what it is computed to be from others.
    #[error(
        "`{function}`: the size of `{parameter}` along axis {axis} should be `{expected}`, but it is {given}{}",
        and_others(.sizes)
    )]
    ArgumentExtent {
        /// The function's name.
        function: String,
        /// The parameter that disagrees.
        parameter: String,
        /// The axis.
        axis: usize,
        /// What the size is computed from.
        expected: String,
        /// The sizes of the dimensions that it is computed from, but for one that it tells itself.
        sizes: String,
        /// The size that was given.
        given: usize,
    },

    /// The sizes of arguments are not what the program needs them to be.
    #[error("`{function}` needs `{requirement}`, but {sizes}")]
    Requirement {
        /// The function's name.
        function: String,
        /// What must hold.
        requirement: String,
        /// The sizes that were given.
        sizes: String,
    },

    /// The sizes of arguments are such that no memory has room for what the program computes of them.
    #[error("`{function}` would compute more than fits in any memory: {sizes}")]
    Memory {
        /// The function's name.
        function: String,
        /// The sizes that were given.
        sizes: String,
    },

    /// An argument lives on another device than the program.
    #[error(
        "`{function}`: argument `{parameter}` is on another device: {}",
        devices(.expected, .given)
    )]
    ArgumentDevice {
        /// The function's name.
        function: String,
        /// The parameter, with the path of the leaf.
        parameter: String,
        /// The program's device.
        expected: String,
        /// The argument's device.
        given: String,
    },

    /// A call was started while another one of the same program was not finished.
    #[error("cannot call `{function}`: this thread has not finished another call of the program")]
    Reentered {
        /// The function's name.
        function: String,
    },

    /// An assertion of the program did not hold.
    #[error("`{function}` failed: {message} ({place})")]
    Assertion {
        /// The function's name; `load` for what initialises globals.
        function: String,
        /// What the assertion says.
        message: String,
        /// Where it is in the source.
        place: String,
    },

    /// A call failed while it ran.
    #[error("`{function}` failed")]
    Call {
        /// The function's name.
        function: String,
        /// What IREE says.
        source: IreeError,
    },

    /// An array has another element type or number of axes than asked for.
    #[error("the array is a `{given}`, not a `{expected}`")]
    ArrayType {
        /// The type that was asked for; `_` stands for any size.
        expected: Box<TensorType>,
        /// The type of the array.
        given: Box<TensorType>,
    },

    /// The element type of an array is not one of [`DType`].
    #[error("arrays with IREE's element type {code:#010x} are not supported")]
    ElementType {
        /// IREE's code of the type.
        code: u32,
    },

    /// An array could not be moved to or from the device.
    #[error("cannot {action} the array")]
    Transfer {
        /// What was attempted: `upload`, `read`, `copy`.
        action: &'static str,
        /// What IREE says.
        source: IreeError,
    },

    /// The interpreter, which checks the calls, computed something else.
    #[cfg(feature = "check")]
    #[error("{0}")]
    Difference(Box<crate::Difference>),

    /// A device cannot note what its work takes, or has a profiler already.
    #[error("the device cannot be profiled")]
    Profile {
        /// What IREE says.
        source: IreeError,
    },

    /// The memory of an array does not hold values of its type.
    #[error("the memory of the array does not hold values of type `{dtype}`")]
    Contents {
        /// The element type.
        dtype: DType,
    },
}

impl From<SaveError> for Error {
    fn from(SaveError { path, source }: SaveError) -> Self {
        Self::Io {
            action: "write",
            path,
            source,
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{self}")?;
        let mut cause = self.source();
        while let Some(error) = cause {
            write!(formatter, ": {error}")?;
            cause = error.source();
        }
        Ok(())
    }
}

/// A result with this crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// So many problems are listed; more are counted.
const LISTED: usize = 10;

fn lines(problems: &[String]) -> String {
    // What takes no more room than its count is listed.
    let listed = match problems.len() {
        count if count <= LISTED + 1 => count,
        _ => LISTED,
    };
    let (first, others) = problems.split_at(listed);
    let first = first.iter().map(|problem| format!("\n  {problem}"));
    let first = first.collect::<String>();
    match others.len() {
        0 => first,
        count => format!("{first}\n  … and {count} more"),
    }
}

fn and_others(sizes: &str) -> String {
    match sizes {
        "" => String::new(),
        sizes => format!(" and {sizes}"),
    }
}

fn of_target(target: &Option<String>) -> String {
    let target = target.as_ref();
    target.map_or_else(String::new, |target| format!("for `{target}` "))
}

fn are(things: &[String]) -> &'static str {
    match things {
        [_] => "is",
        _ => "are",
    }
}

/// Two devices of one name are told apart by how they were opened.
fn devices(expected: &str, given: &str) -> String {
    match expected == given {
        true => format!(
            "{given} was opened twice; open it once, and clone the device wherever it is needed"
        ),
        false => format!("expected {expected}, found {given}"),
    }
}

fn list(names: &[String]) -> String {
    match names {
        [] => "none".to_owned(),
        _ => names
            .iter()
            .map(|name| format!("`{name}`"))
            .collect::<Vec<_>>()
            .join(", "),
    }
}

fn count(number: usize, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::Error;
    use std::{error::Error as _, io, path::PathBuf};

    #[test]
    fn many_problems_are_counted() {
        let message = |count: usize| {
            let problems = (0..count).map(|number| format!("w.{number}"));
            let error = Error::Parameters {
                program: "p".to_owned(),
                problems: problems.collect(),
            };
            error.to_string()
        };
        assert!(message(11).ends_with("\n  w.10"));
        assert!(message(12).ends_with("\n  w.9\n  … and 2 more"));
    }

    #[test]
    fn debug_reads_like_display_with_the_causes() {
        let error = Error::Io {
            action: "read",
            path: PathBuf::from("weights.npy"),
            source: io::Error::other("the disk is on fire"),
        };
        assert_eq!(error.to_string(), "cannot read weights.npy");
        assert_eq!(
            format!("{error:?}"),
            "cannot read weights.npy: the disk is on fire"
        );
        assert_eq!(error.source().unwrap().to_string(), "the disk is on fire");
        let error = Error::ArgumentDevice {
            function: "run".to_owned(),
            parameter: "x".to_owned(),
            expected: "local-task".to_owned(),
            given: "local-task".to_owned(),
        };
        assert!(error.to_string().contains("opened twice"), "{error}");
        let error = Error::Reentered {
            function: "run".to_owned(),
        };
        assert_eq!(format!("{error:?}"), error.to_string());
    }
}
