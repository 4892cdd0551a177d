//! The CUDA context of a device, which has to be current on each thread that uses the device.
//!
//! IREE makes it current on the thread that opens the device, and on threads of its own.

use super::status::{Code, IreeError};
use std::{ffi::c_void, ptr, sync::OnceLock};

/// What each thread needs before it uses a device: the CUDA context; nothing for devices without one.
#[derive(Clone, Copy)]
pub(super) struct Context {
    current: Option<Current>,
}

#[derive(Clone, Copy)]
struct Current {
    context: *mut c_void,
    set: unsafe extern "C" fn(*mut c_void) -> i32,
}

// SAFETY: a context may be current on any number of threads, and the pointer is only handed to CUDA.
unsafe impl Send for Current {}
// SAFETY: as above.
unsafe impl Sync for Current {}

impl Context {
    /// Nothing.
    pub(super) const NONE: Self = Self { current: None };

    /// What the driver of this name left on this thread when it opened a device here.
    pub(super) fn after_opening(driver: &str) -> Result<Self, IreeError> {
        let current = match driver {
            "cuda" => Some(Current::of_this_thread()?),
            _ => None,
        };
        Ok(Self { current })
    }

    /// Makes the context current on this thread. Other libraries may make another one current between two
    /// calls, so this is not remembered.
    pub(super) fn bind(self) {
        if let Some(Current { context, set }) = self.current {
            // SAFETY: the device, which is alive, holds the context. A failure shows in the call that
            // follows, which says more about it.
            let _ = unsafe { set(context) };
        }
    }
}

impl Current {
    fn of_this_thread() -> Result<Self, IreeError> {
        let functions = functions()?;
        let mut context = ptr::null_mut();
        // SAFETY: the out pointer is valid.
        let failure = unsafe { (functions.get_current)(&mut context) };
        if failure != 0 || context.is_null() {
            let reason = format!("CUDA has no context for the device ({failure})");
            return Err(IreeError::new(Code::Internal, reason));
        }
        let set = functions.set_current;
        Ok(Self { context, set })
    }
}

/// The functions of CUDA's driver that IREE does not call for us.
struct Functions {
    get_current: unsafe extern "C" fn(*mut *mut c_void) -> i32,
    set_current: unsafe extern "C" fn(*mut c_void) -> i32,
}

fn functions() -> Result<&'static Functions, IreeError> {
    static FUNCTIONS: OnceLock<Result<Functions, IreeError>> = OnceLock::new();
    let functions = FUNCTIONS.get_or_init(|| {
        let library = if cfg!(windows) {
            "nvcuda.dll"
        } else {
            "libcuda.so.1"
        };
        let missing = |error: libloading::Error| {
            IreeError::new(Code::Unavailable, format!("{library}: {error}"))
        };
        // SAFETY: IREE has loaded the driver already.
        let library = unsafe { libloading::Library::new(library) }.map_err(missing)?;
        // SAFETY: CUDA declares it with this type.
        let get_current = *unsafe { library.get(b"cuCtxGetCurrent\0") }.map_err(missing)?;
        // SAFETY: as above.
        let set_current = *unsafe { library.get(b"cuCtxSetCurrent\0") }.map_err(missing)?;
        // The functions are used as long as the process runs.
        std::mem::forget(library);
        Ok(Functions {
            get_current,
            set_current,
        })
    });
    functions.as_ref().map_err(Clone::clone)
}
