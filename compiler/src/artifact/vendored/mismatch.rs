//! Why artifacts of the repository are not those of a program.

use std::{fmt, path::PathBuf};

/// What does not agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// There is nothing of this program.
    Absent {
        /// Where it should be.
        path: PathBuf,
    },
    /// The file is there, and says nothing that could be understood.
    Unreadable {
        /// The file.
        path: PathBuf,
    },
    /// The program was another when it was compiled.
    Source {
        /// The file that says so.
        path: PathBuf,
    },
    /// Another version of iree-dsl or of IREE made them.
    Maker {
        /// What made them.
        found: String,
        /// What would make them now.
        expected: String,
    },
    /// They were made with other passes left out.
    Passes {
        /// The file that says so.
        path: PathBuf,
    },
    /// There are artifacts, but for other targets.
    Target {
        /// The target that there is none for.
        target: String,
        /// Those that there are some for.
        others: Vec<String>,
    },
    /// The flags were others.
    Flags {
        /// The target that was compiled for with other flags.
        target: String,
    },
    /// A file is not the one that was written.
    Damaged {
        /// The file.
        path: PathBuf,
    },
}

impl Mismatch {
    /// What mends it.
    pub fn help(&self) -> String {
        match self {
            Self::Target { target, .. } => format!(
                "compile it, with what makes this build want `{target}`: `cargo iree vendor`"
            ),
            Self::Damaged { .. } => "restore it from the repository (where Git LFS is used, with \
                `git lfs pull`), or write it anew: `cargo iree vendor`"
                .to_owned(),
            _ => "compile the program where there is a compiler: `cargo iree vendor`".to_owned(),
        }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent { path } => {
                let path = path.display();
                write!(
                    formatter,
                    "the program has no artifacts: there is no `{path}`"
                )
            }
            Self::Unreadable { path } => {
                write!(formatter, "`{}` describes no artifacts", path.display())
            }
            Self::Source { path } => {
                let path = path.display();
                write!(
                    formatter,
                    "the program has changed since its artifacts were made, as `{path}` says"
                )
            }
            Self::Maker { found, expected } => write!(
                formatter,
                "the program's artifacts were made by {found}, and this is {expected}"
            ),
            Self::Passes { path } => write!(
                formatter,
                "the program's artifacts were made with other passes left out than this build, as `{}` says",
                path.display()
            ),
            Self::Target { target, others } => write!(
                formatter,
                "the program has no artifact for `{target}`; there are some for `{}`",
                others.join("`, `")
            ),
            Self::Flags { target } => write!(
                formatter,
                "the program's artifact for `{target}` was compiled with other flags"
            ),
            Self::Damaged { path } => write!(
                formatter,
                "`{}` is missing, or is not what was written",
                path.display()
            ),
        }
    }
}
