//! Safe, owned wrappers over IREE's C API.
//!
//! This is the only module with `unsafe` in it. What it exports upholds these rules:
//!
//! - A [`Handle`] owns one reference of a reference-counted object; the counts are atomic.
//! - There is one VM instance in a process, and it is never destroyed. Loading modules and creating
//!   devices and contexts take a lock, since they touch type registrations that are global in C.
//! - The bytes of a module are owned by the module's C object and freed when that goes.
//! - Memory of archives, and of copies that programs share, is lent only for buffers that IREE promises not to write to,
//!   and lives as long as they do.
//! - Closures that C calls do not unwind into it, and get counts of their own of what they are handed.
//! - The contents of a buffer never change while anybody has it: the compiler gives globals their own
//!   storage and copies where they meet arguments or results, and what a function writes to is given to it
//!   as the last reference.
//! - What is queued keeps what it uses alive, and a session waits for what it queued before it goes.
#![allow(unsafe_code)]

mod buffer;
mod bytes;
mod commands;
#[cfg_attr(feature = "cuda", path = "cuda.rs")]
mod context;
mod deadline;
mod device;
mod entry;
mod fence;
mod gpu;
mod hal;
mod handle;
mod inline;
mod instance;
mod invocation;
mod io_parameters;
mod lent;
mod local;
mod mapped;
mod module;
mod native;
mod order;
mod place;
mod plain;
mod pool;
mod profile;
mod quota;
mod resident;
mod shared;
mod sink;
mod status;
mod storage;
mod sys;
mod watch;

pub(crate) use buffer::{BufferView, Mapping};
pub(crate) use bytes::{ALIGNMENT, AlignedBytes, Archive};
pub(crate) use deadline::Deadline;
pub(crate) use device::Device;
pub(crate) use entry::Entry;
pub(crate) use fence::Fence;
pub(crate) use gpu::Driver;
pub(crate) use inline::Estimate;
pub(crate) use invocation::{Invocation, Queued, Rules};
pub(crate) use io_parameters::{Find, Supply, io_parameters};
pub(crate) use local::Workers;
pub(crate) use mapped::Mapped;
pub(crate) use module::{Export, Module};
pub(crate) use native::NativeModule;
pub(crate) use plain::{Plain, as_bytes, from_bytes};
pub(crate) use profile::{Profiling, Record, Span, SpanKind};
pub(crate) use resident::Residents;
pub(crate) use shared::{Shared, shared_module};
pub(crate) use sink::Sink;
pub use status::{Code, IreeError};
pub(crate) use storage::Storage;
pub(crate) use watch::Watch;
