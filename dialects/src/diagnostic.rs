use std::fmt::{self, Display, Formatter};

use melior::ir::{Location, Module, operation::OperationLike};

use crate::raw;

/// What MLIR says about a module, with its reason and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The message without its place.
    pub message: String,
    /// The place in a source, if there is one.
    pub location: Option<SourceLocation>,
    /// What belongs to it.
    pub notes: Vec<Diagnostic>,
}

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The module is wrong.
    Error,
    /// The module is suspicious.
    Warning,
    /// It belongs to another diagnostic.
    Note,
    /// It is worth knowing.
    Remark,
}

/// A place in a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLocation {
    /// The name of the file.
    pub file: String,
    /// The line, from one.
    pub line: usize,
    /// The column, from one.
    pub column: usize,
}

/// Diagnostics in the order in which MLIR emitted them.
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
pub struct Diagnostics(Vec<Diagnostic>);

/// Has MLIR check a module.
///
/// It checks operations of dialects that it knows, and for all others that values are defined
/// before they are used.
///
/// # Errors
///
/// What MLIR says, if the module is wrong.
pub fn verify(module: &Module<'_>) -> Result<(), Diagnostics> {
    let operation = module.as_operation();
    let (valid, diagnostics) =
        raw::capture(raw::context(operation.location()), || operation.verify());

    if valid { Ok(()) } else { Err(diagnostics) }
}

impl Severity {
    pub(crate) fn from_raw(severity: mlir_sys::MlirDiagnosticSeverity) -> Self {
        match severity {
            mlir_sys::MlirDiagnosticSeverity_MlirDiagnosticWarning => Self::Warning,
            mlir_sys::MlirDiagnosticSeverity_MlirDiagnosticNote => Self::Note,
            mlir_sys::MlirDiagnosticSeverity_MlirDiagnosticRemark => Self::Remark,
            _ => Self::Error,
        }
    }
}

impl SourceLocation {
    /// The first place in a file that a location leads to.
    pub(crate) fn find(location: Location<'_>) -> Option<Self> {
        if location.is_file_line_col_range() {
            Some(Self {
                file: raw::text(
                    location
                        .file_line_col_range_filename()
                        .as_string_ref()
                        .to_raw(),
                ),
                line: location.file_line_col_range_start_line(),
                column: location.file_line_col_range_start_column(),
            })
        } else if location.is_name() {
            Self::find(location.name_child_location())
        } else if location.is_call_site() {
            Self::find(location.call_site_callee())
        } else if location.is_fused() {
            (0..location.fused_num_locations())
                .find_map(|index| Self::find(location.fused_location(index)))
        } else {
            None
        }
    }
}

impl Diagnostics {
    /// Diagnostics with one error that has no place.
    pub(crate) fn error(message: impl Into<String>) -> Self {
        Self(vec![Diagnostic {
            severity: Severity::Error,
            message: message.into(),
            location: None,
            notes: vec![],
        }])
    }

    /// The diagnostics in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.0.iter()
    }

    /// Whether MLIR gave no reason.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<Vec<Diagnostic>> for Diagnostics {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Self(diagnostics)
    }
}

impl From<Diagnostics> for Vec<Diagnostic> {
    fn from(diagnostics: Diagnostics) -> Self {
        diagnostics.0
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Display for Diagnostics {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return formatter.write_str("MLIR gave no reason");
        }

        for (index, diagnostic) in self.iter().enumerate() {
            if index > 0 {
                formatter.write_str("\n")?;
            }
            diagnostic.fmt(formatter)?;
        }

        Ok(())
    }
}

impl Display for Diagnostic {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        if let Some(location) = &self.location {
            write!(formatter, "{location}: ")?;
        }
        write!(formatter, "{}: {}", self.severity, self.message)?;

        for note in &self.notes {
            write!(formatter, "\n{note}")?;
        }

        Ok(())
    }
}

impl Display for Severity {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
            Self::Remark => "remark",
        })
    }
}

impl Display for SourceLocation {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}:{}", self.file, self.line, self.column)
    }
}
