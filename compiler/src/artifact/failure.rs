use super::{
    files::shell_word,
    message::{Message, Severity},
    settings::Origin,
    variables::Misread,
    vendored::Mismatch,
};
use crate::diagnostic::Code;
use iree_abi::build::WITHOUT_PASSES_VARIABLE;
use std::{fmt, io, path::PathBuf, time::Duration};

/// Why a program could not be compiled.
#[derive(Debug)]
pub enum Failure {
    /// The IREE compiler is missing, cannot be run, or has the wrong version.
    Toolchain {
        /// What is wrong.
        message: String,
        /// The cure.
        help: String,
    },
    /// A flag of the user's that is not passed on.
    Flag {
        /// The flag.
        flag: String,
        /// Why.
        reason: String,
    },
    /// A target that does not exist.
    Target {
        /// Its name.
        target: String,
        /// Where it is named.
        origin: Origin,
        /// Why it cannot be compiled for.
        reason: String,
    },
    /// A target whose chip the IREE compiler does not know.
    Chip {
        /// Its name.
        target: String,
    },
    /// The manifest of the package says what cannot be understood.
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A variable of the environment says what cannot be understood.
    Variable(Misread),
    /// A pass that is to be left out and does not exist.
    Pass {
        /// Its name.
        name: String,
        /// The one that was most likely meant.
        nearest: Option<&'static str>,
    },
    /// The artifacts in the repository are not those of the program.
    Vendored(Mismatch),
    /// Another program of the package has the same name, so that the repository could not tell them apart.
    Name {
        /// The name.
        program: String,
    },
    /// The build has no way to get artifacts.
    Features {
        /// What it cannot do.
        message: &'static str,
    },
    /// The IREE compiler refused the program.
    Refused {
        /// What it was compiled for.
        target: String,
        /// Its reasons.
        messages: Vec<Message>,
        /// What shows it again.
        reproducer: Reproducer,
    },
    /// A signal ended the IREE compiler.
    Crashed {
        /// What it was compiled for.
        target: String,
        /// The signal's number.
        signal: i32,
        /// What the compiler said before.
        stderr: String,
        /// What shows it again.
        reproducer: Reproducer,
    },
    /// The IREE compiler said that it succeeded, without leaving an artifact.
    NoArtifact {
        /// What it was compiled for.
        target: String,
        /// What the compiler said.
        stderr: String,
        /// What shows it again.
        reproducer: Reproducer,
    },
    /// What the IREE compiler made cannot be loaded.
    Unloadable {
        /// What it was compiled for.
        target: String,
        /// What is wrong with it.
        reason: String,
        /// What shows it again.
        reproducer: Reproducer,
    },
    /// The IREE compiler did not end in time.
    TimedOut {
        /// What it was compiled for.
        target: String,
        /// The time that it had.
        limit: Duration,
        /// What shows it again.
        reproducer: Reproducer,
    },
    /// Somebody ended the IREE compiler, and most likely the build.
    Interrupted,
    /// A file that the compilation needs could not be written.
    Files {
        /// What was tried.
        action: String,
        /// What the system said.
        error: io::Error,
    },
}

/// The signal with which systems end what uses too much memory: SIGKILL.
pub(super) const OUT_OF_MEMORY: i32 = 9;

/// The script that shows a failure again. The module that the compiler failed on is next to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reproducer(pub Option<PathBuf>);

impl Failure {
    pub(super) fn files(action: impl Into<String>, error: io::Error) -> Self {
        Self::Files {
            action: action.into(),
            error,
        }
    }

    /// The rule that stands for it.
    pub fn code(&self) -> Code {
        match self {
            Self::Toolchain { .. }
            | Self::Features { .. }
            | Self::Variable(_)
            | Self::Pass { .. } => Code::Toolchain,
            Self::Vendored(_) | Self::Name { .. } => Code::Vendored,
            Self::Flag { .. } | Self::Target { .. } | Self::Chip { .. } | Self::Manifest { .. } => {
                Code::Attribute
            }
            _ => Code::Iree,
        }
    }

    /// What the user can do about it.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Toolchain { help, .. } => Some(help.clone()),
            Self::Pass {
                nearest: Some(nearest),
                ..
            } => Some(format!("there is one with a similar name: `{nearest}`")),
            Self::Pass { nearest: None, .. } => {
                Some("`cargo iree show --passes` lists all".to_owned())
            }
            Self::Vendored(mismatch) => Some(mismatch.help()),
            Self::Name { .. } => {
                Some("name one of them with `#[program(name = \"…\")]`".to_owned())
            }
            Self::Features { .. } => Some(
                "iree-dsl has the features `compile`, which is a default, and `vendored`, for which \
                 `cargo iree vendor` puts artifacts into the repository"
                    .to_owned(),
            ),
            Self::TimedOut { .. } => {
                Some("the variable IREE_DSL_COMPILE_TIMEOUT sets the limit, in seconds".to_owned())
            }
            _ => None,
        }
    }

    /// Whether the compiler failed on the program, so that it may compile it in another way.
    pub(super) fn is_of_program(&self) -> bool {
        matches!(
            self,
            Self::Refused { .. }
                | Self::Crashed { .. }
                | Self::Unloadable { .. }
                | Self::TimedOut { .. }
        )
    }

    /// What was being compiled for, if the compiler got as far as failing.
    pub fn target(&self) -> Option<&str> {
        match self {
            Self::Refused { target, .. }
            | Self::Crashed { target, .. }
            | Self::NoArtifact { target, .. }
            | Self::Unloadable { target, .. }
            | Self::TimedOut { target, .. } => Some(target),
            _ => None,
        }
    }

    /// The script that shows the failure again, if the compiler got as far as failing.
    pub fn reproducer(&self) -> Option<&PathBuf> {
        match self {
            Self::Refused { reproducer, .. }
            | Self::Crashed { reproducer, .. }
            | Self::NoArtifact { reproducer, .. }
            | Self::Unloadable { reproducer, .. }
            | Self::TimedOut { reproducer, .. } => reproducer.0.as_ref(),
            _ => None,
        }
    }

    /// The command that shows the failure again, for a shell.
    pub fn command(&self) -> Option<String> {
        Self::command_of(self.reproducer())
    }

    /// The command that runs a script, for a shell.
    pub fn command_of(script: Option<&PathBuf>) -> Option<String> {
        let script = script?.to_string_lossy();
        Some(format!("sh {}", shell_word(&script)))
    }

    /// Adds the file that `keep` writes, if this is a failure of the compiler.
    pub(super) fn with_reproducer(mut self, keep: impl FnOnce() -> Option<PathBuf>) -> Self {
        if let Self::Refused { reproducer, .. }
        | Self::Crashed { reproducer, .. }
        | Self::NoArtifact { reproducer, .. }
        | Self::Unloadable { reproducer, .. }
        | Self::TimedOut { reproducer, .. } = &mut self
        {
            reproducer.0 = keep();
        }
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Toolchain { message, .. } => formatter.write_str(message),
            Self::Vendored(mismatch) => mismatch.fmt(formatter),
            Self::Name { program } => write!(
                formatter,
                "two programs of this package are called `{program}`, so that their artifacts would \
                 have the same names"
            ),
            Self::Features { message } => formatter.write_str(message),
            Self::Variable(misread) => misread.fmt(formatter),
            Self::Pass { name, .. } => write!(
                formatter,
                "there is no pass `{name}`, which the variable {WITHOUT_PASSES_VARIABLE} names"
            ),
            Self::Flag { flag, reason } => {
                write!(formatter, "the flag `{flag}` is refused: {reason}")
            }
            Self::Target {
                target,
                origin,
                reason,
            } => {
                write!(formatter, "cannot compile for the target `{target}`")?;
                match origin {
                    Origin::Program => write!(formatter, ": {reason}"),
                    other => write!(formatter, ", which {other} names: {reason}"),
                }
            }
            Self::Chip { target } => write!(
                formatter,
                "the IREE compiler knows no such chip as that of the target `{target}`"
            ),
            Self::Manifest { path, reason } => {
                let path = path.display();
                write!(
                    formatter,
                    "`[package.metadata.iree]` in `{path}`: {}",
                    reason.trim()
                )
            }
            Self::Refused { messages, .. } => {
                let error = messages
                    .iter()
                    .find(|message| message.severity == Severity::Error);
                let text = error.map_or("no reason given", |message| &message.text);
                write!(formatter, "the IREE compiler refused the program: {text}")
            }
            Self::Crashed { signal, stderr, .. } => {
                write!(formatter, "the IREE compiler crashed with signal {signal}")?;
                first_words(stderr, formatter)
            }
            Self::NoArtifact { stderr, .. } => {
                formatter.write_str("the IREE compiler ended without leaving an artifact")?;
                first_words(stderr, formatter)
            }
            Self::Unloadable { reason, .. } => {
                write!(
                    formatter,
                    "what the IREE compiler made cannot be loaded: {reason}"
                )
            }
            Self::TimedOut { limit, .. } => {
                let seconds = limit.as_secs_f64();
                write!(
                    formatter,
                    "the IREE compiler did not end within {seconds} seconds"
                )
            }
            Self::Interrupted => formatter.write_str("the IREE compiler was interrupted"),
            Self::Files { action, error } => write!(formatter, "could not {action}: {error}"),
        }
    }
}

fn first_words(stderr: &str, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    // What a compiler says first when it crashes is where to report that.
    let asks = |line: &str| line.to_lowercase().starts_with("please ");
    let mut lines = stderr.lines().map(str::trim);
    match lines.find(|line| !line.is_empty() && !asks(line)) {
        Some(line) => write!(formatter, ": {line}"),
        None => Ok(()),
    }
}

impl From<Mismatch> for Failure {
    fn from(mismatch: Mismatch) -> Self {
        Self::Vendored(mismatch)
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Files { error, .. } => Some(error),
            _ => None,
        }
    }
}
