//! Loads IREE modules and runs them on the IREE HAL.
//!
//! A [`Device`] is where programs run and arrays live. A [`Module`] is a compiled program; a
//! [`Session`] is one instance of it on a device, with values for its globals. Calls take arrays of
//! the [`ndarray`] crate, which are copied to the device, or [`DeviceArray`]s, which are not copied.
//!
//! ```no_run
//! use iree_runtime::{Device, Module, Session};
//! use ndarray::{Ix1, arr1};
//!
//! # fn main() -> iree_runtime::Result<()> {
//! let device = Device::open("local-sync")?;
//! let module = Module::from_file("add.vmfb")?;
//! let session = Session::new(&device, [&module])?;
//! let add = session.function("add")?;
//! let sums = add.call(&[&arr1(&[1.0f32, 2.0, 3.0, 4.0]), &[10.0f32, 20.0, 30.0, 40.0]])?;
//! let sum = sums[0].downcast::<f32, Ix1>()?;
//! assert_eq!(sum.to_array()?, arr1(&[11.0, 22.0, 33.0, 44.0]));
//! # Ok(())
//! # }
//! ```
//!
//! # Observation
//!
//! What takes time is a span of the crate [`tracing`], at the level `DEBUG`: `load` with the modules, `call`
//! with the function, `upload` with the number of bytes, and `read`. [`Device::memory`] counts bytes, and
//! [`Device::profile`] notes what each part of a program takes on the device.
//!
//! # Waiting
//!
//! A call may return when its work is queued: if the module was compiled so, and the device has workers of its
//! own. Reading then waits, and [`Wait`] does without reading. What fails after the call has returned is an
//! error of who waits or reads.
//!
//! # Trust
//!
//! A VMFB holds native code, so load only what you trust. Damage is another matter: a file that was
//! cut off or altered by accident is found before any of its code runs.

mod archive;
mod argument;
mod array;
mod bytecode;
mod check;
mod convert;
mod declaration;
mod device;
mod dynamic;
mod element;
mod error;
mod executor;
mod ffi;
mod host;
mod host_array;
mod input;
#[cfg_attr(not(feature = "interpreter"), path = "interpreter/absent.rs")]
mod interpreter;
mod module;
mod npy;
mod parameters;
mod pending;
mod profile;
pub mod program;
mod session;
#[cfg_attr(not(feature = "check"), path = "shadow/absent.rs")]
mod shadow;
mod trace;
mod turns;

pub use argument::Argument;
pub use array::{DeviceArray, View};
pub use device::{Device, DeviceBuilder, DeviceInfo, DeviceMemory};
pub use dynamic::DynamicArray;
pub use element::Element;
pub use error::{Error, Result};
pub use ffi::{Code, IreeError};
pub use host::HostModule;
pub use host_array::HostArray;
pub use input::Input;
pub use module::Module;
pub use parameters::Parameters;
use pending::Pending;
pub use pending::{Ready, Wait};
pub use profile::{Profile, ProfiledSpan, Profiler, Work};
pub use session::{Function, Session, SessionLoader};
#[cfg(feature = "check")]
pub use shadow::{Difference, DifferenceKind, Subject};
pub use trace::{Trace, trace_to_files};
