use super::sys;
use std::{fmt, ptr};

/// The kind of a failure inside IREE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Code {
    /// The operation was cancelled.
    Cancelled,
    /// An argument is not valid.
    InvalidArgument,
    /// Time ran out.
    DeadlineExceeded,
    /// Something that was asked for does not exist.
    NotFound,
    /// Something to be created exists.
    AlreadyExists,
    /// The caller may not do this.
    PermissionDenied,
    /// Memory or another resource ran out.
    ResourceExhausted,
    /// The system is not in a state that allows the operation.
    FailedPrecondition,
    /// The operation was aborted.
    Aborted,
    /// A position or size is past the end.
    OutOfRange,
    /// IREE lacks the operation.
    Unimplemented,
    /// An invariant of IREE is broken.
    Internal,
    /// A device or service is not there.
    Unavailable,
    /// Data is lost or damaged.
    DataLoss,
    /// The operation has not finished.
    Deferred,
    /// The module and the runtime or device do not go together.
    Incompatible,
    /// Any other code.
    Unknown,
}

impl Code {
    const fn from_raw(code: u32) -> Self {
        match code {
            1 => Self::Cancelled,
            3 => Self::InvalidArgument,
            4 => Self::DeadlineExceeded,
            5 => Self::NotFound,
            6 => Self::AlreadyExists,
            7 => Self::PermissionDenied,
            8 => Self::ResourceExhausted,
            9 => Self::FailedPrecondition,
            10 => Self::Aborted,
            11 => Self::OutOfRange,
            12 => Self::Unimplemented,
            13 => Self::Internal,
            14 => Self::Unavailable,
            15 => Self::DataLoss,
            17 => Self::Deferred,
            18 => Self::Incompatible,
            _ => Self::Unknown,
        }
    }

    /// As IREE counts them.
    pub(super) const fn to_raw(self) -> u32 {
        match self {
            Self::Cancelled => 1,
            Self::Unknown => 2,
            Self::InvalidArgument => 3,
            Self::DeadlineExceeded => 4,
            Self::NotFound => 5,
            Self::AlreadyExists => 6,
            Self::PermissionDenied => 7,
            Self::ResourceExhausted => 8,
            Self::FailedPrecondition => 9,
            Self::Aborted => 10,
            Self::OutOfRange => 11,
            Self::Unimplemented => 12,
            Self::Internal => 13,
            Self::Unavailable => 14,
            Self::DataLoss => 15,
            Self::Deferred => 17,
            Self::Incompatible => 18,
        }
    }

    /// The name that IREE prints.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cancelled => "CANCELLED",
            Self::InvalidArgument => "INVALID_ARGUMENT",
            Self::DeadlineExceeded => "DEADLINE_EXCEEDED",
            Self::NotFound => "NOT_FOUND",
            Self::AlreadyExists => "ALREADY_EXISTS",
            Self::PermissionDenied => "PERMISSION_DENIED",
            Self::ResourceExhausted => "RESOURCE_EXHAUSTED",
            Self::FailedPrecondition => "FAILED_PRECONDITION",
            Self::Aborted => "ABORTED",
            Self::OutOfRange => "OUT_OF_RANGE",
            Self::Unimplemented => "UNIMPLEMENTED",
            Self::Internal => "INTERNAL",
            Self::Unavailable => "UNAVAILABLE",
            Self::DataLoss => "DATA_LOSS",
            Self::Deferred => "DEFERRED",
            Self::Incompatible => "INCOMPATIBLE",
            Self::Unknown => "UNKNOWN",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// A failure inside IREE, with its own words for it; or of the interpreter, on its device.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{origin}: {code}: {message}")]
pub struct IreeError {
    /// Who says so.
    origin: &'static str,
    code: Code,
    message: String,
}

impl IreeError {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            origin: "IREE",
            code,
            message: message.into(),
        }
    }

    /// A failure of the interpreter.
    #[cfg(feature = "interpreter")]
    pub(crate) fn of_interpreter(code: Code, message: impl Into<String>) -> Self {
        Self {
            origin: "interpreter",
            ..Self::new(code, message)
        }
    }

    /// The kind of failure.
    pub const fn code(&self) -> Code {
        self.code
    }

    /// What IREE says about it.
    pub fn message(&self) -> &str {
        &self.message
    }
}

/// Turns a status of the C library, which is consumed, into a result.
pub(super) fn check(status: sys::iree_status_t) -> Result<(), IreeError> {
    if status.is_null() {
        Ok(())
    } else {
        Err(to_error(status))
    }
}

/// A status of the C library, for its caller to consume.
pub(super) fn from_error(error: &IreeError) -> sys::iree_status_t {
    let (file, message) = (sys::string_view(""), sys::string_view(&error.message));
    // SAFETY: both texts are copied; other functions that make a status may only refer to them.
    unsafe { sys::iree_status_allocate_copy(error.code.to_raw(), file, 0, message) }
}

/// Whether the call that returned this status waits for something.
pub(super) fn is_deferred(status: sys::iree_status_t) -> bool {
    raw_code(status) == sys::iree_status_code_e_IREE_STATUS_DEFERRED
}

/// A status is a pointer with the code in its lowest bits.
fn raw_code(status: sys::iree_status_t) -> u32 {
    status.addr() as u32 & sys::iree_status_code_e_IREE_STATUS_CODE_MASK
}

#[cold]
fn to_error(status: sys::iree_status_t) -> IreeError {
    let code = Code::from_raw(raw_code(status));
    let text = format(status);
    // SAFETY: the status is owned here and not used again.
    unsafe { sys::iree_status_free(status) };
    IreeError::new(code, without_source_location(&text, code))
}

fn format(status: sys::iree_status_t) -> String {
    let allocator = sys::system_allocator();
    let mut buffer = ptr::null_mut();
    let mut length = 0;
    // SAFETY: the status is live and the out pointers are valid.
    if !unsafe { sys::iree_status_to_string(status, &allocator, &mut buffer, &mut length) } {
        return String::new();
    }
    if buffer.is_null() {
        return String::new();
    }
    // SAFETY: the call above wrote `length` bytes at `buffer`.
    let bytes = unsafe { std::slice::from_raw_parts(buffer.cast::<u8>(), length) };
    let text = String::from_utf8_lossy(bytes).into_owned();
    // SAFETY: the buffer came from this allocator and nothing refers to it any more.
    unsafe { sys::iree_allocator_free(allocator, buffer.cast()) };
    text
}

/// IREE starts its messages with its own source location and the code, which help none of our users.
fn without_source_location(text: &str, code: Code) -> &str {
    let rest = text
        .split_once(code.name())
        .map_or(text, |(_, message)| message);
    rest.trim_start_matches([';', ':', ' ']).trim_end()
}
