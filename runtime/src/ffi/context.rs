//! What a GPU's driver keeps for each thread.

#[cfg(feature = "cuda")]
use super::status::{Code, IreeError};
#[cfg(feature = "cuda")]
use std::{ffi::c_void, ptr, sync::OnceLock};

/// The CUDA context of a device, which has to be current on each thread that uses the device; nothing for
/// other devices.
///
/// IREE makes it current on the thread that opens the device, and on threads of its own.
#[derive(Clone, Copy, Default)]
pub(super) struct Context {
    #[cfg(feature = "cuda")]
    cuda: Option<Cuda>,
}

impl Context {
    /// Makes the context current on this thread. Other libraries may make another one current between two
    /// calls, so this is not remembered.
    #[cfg_attr(
        not(feature = "cuda"),
        expect(
            clippy::unused_self,
            reason = "other devices have nothing for each thread"
        )
    )]
    pub(super) fn bind(self) {
        #[cfg(feature = "cuda")]
        if let Some(cuda) = self.cuda {
            cuda.bind();
        }
    }
}

#[cfg(feature = "cuda")]
impl Context {
    /// The context that is current on this thread, which it is after a device was opened here.
    pub(super) fn of_this_thread() -> Result<Self, IreeError> {
        let functions = functions()?;
        let mut context = ptr::null_mut();
        // SAFETY: the out pointer is valid.
        let failure = unsafe { (functions.get_current)(&mut context) };
        if failure != 0 || context.is_null() {
            let reason = format!("CUDA has no context for the device ({failure})");
            return Err(IreeError::new(Code::Internal, reason));
        }
        let set_current = functions.set_current;
        let cuda = Some(Cuda {
            context,
            set_current,
        });
        Ok(Self { cuda })
    }
}

#[cfg(feature = "cuda")]
#[derive(Clone, Copy)]
struct Cuda {
    context: *mut c_void,
    set_current: unsafe extern "C" fn(*mut c_void) -> i32,
}

// SAFETY: a context may be current on any number of threads, and the pointer is only handed to CUDA.
#[cfg(feature = "cuda")]
unsafe impl Send for Cuda {}
// SAFETY: as above.
#[cfg(feature = "cuda")]
unsafe impl Sync for Cuda {}

#[cfg(feature = "cuda")]
impl Cuda {
    fn bind(self) {
        // SAFETY: the device, which is alive, holds the context. A failure shows in the call that follows,
        // which says more about it.
        let _ = unsafe { (self.set_current)(self.context) };
    }
}

/// The functions of CUDA's driver that IREE does not call for us.
#[cfg(feature = "cuda")]
struct Functions {
    get_current: unsafe extern "C" fn(*mut *mut c_void) -> i32,
    set_current: unsafe extern "C" fn(*mut c_void) -> i32,
}

#[cfg(feature = "cuda")]
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
