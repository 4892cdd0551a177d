//! Short calls of a device with workers, done by the thread that calls: to wake a worker and to wait for it would take longer
//! than their work.

use super::{
    Device, Fence,
    commands::{self, Bindings},
    handle::Handle,
    native::{Inner, Values},
    status::{self, IreeError},
    sys,
};
use std::{
    num::NonZeroU64,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// How much work a call is expected to be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Estimate {
    /// How long one core is busy with it.
    pub(crate) picoseconds: u64,
    /// How many pieces it is handed out in, each after the one before.
    pub(crate) launches: u64,
}

/// What it takes until a worker has heard of a call, and the caller of its end, in picoseconds.
const WAKING: u64 = 40_000_000;

/// What it takes until all workers have heard that a piece of the work is done, and of the next: the median of products, recurrent
/// nets and transformers on two cores, where it was next to nothing for pieces that one worker does, and up to 40 µs for others.
const CHANGING: u64 = 14_000_000;

/// What the calling thread does the work of short calls on.
pub(super) struct Inline {
    /// Has no workers, and the memory of the device that has.
    device: Device,
    workers: NonZeroU64,
}

impl Inline {
    pub(super) const fn new(device: Device, workers: NonZeroU64) -> Self {
        Self { device, workers }
    }

    /// Whether a call takes less time this way. Even where one worker does all of it the caller is free meanwhile, so it is
    /// counted as two.
    fn is_faster(&self, estimate: Estimate) -> bool {
        let workers = self.workers.get().max(2);
        let saved = estimate.picoseconds / workers * (workers - 1);
        saved <= WAKING.saturating_add(estimate.launches.saturating_mul(CHANGING))
    }

    /// Calls a function whose first argument is the device.
    pub(super) fn call(
        &self,
        arguments: &mut Values<'_>,
        inner: Inner<'_>,
    ) -> Result<(), IreeError> {
        let device = self.device.place().device().as_ptr();
        // SAFETY: the device is live; the reference owns a count of it.
        let device = unsafe { sys::iree_hal_device_retain_ref(device) };
        let _exchange = arguments.place()?.exchange(device);
        inner.call()
    }

    /// Executes commands. Arguments are the device, which queue, the fences to wait for and to signal, the commands, and
    /// flags; then the buffers, if the commands do not say them.
    pub(super) fn execute(
        &self,
        arguments: &mut Values<'_>,
        has_bindings: bool,
    ) -> Result<(), IreeError> {
        let _device = arguments.reference()?;
        let _queue = arguments.i64()?;
        let wait = arguments.object(sys::iree_hal_fence_check_deref)?;
        let signal = arguments.object(sys::iree_hal_fence_check_deref)?;
        let commands = arguments.object(sys::iree_hal_command_buffer_check_deref)?;
        let _flags = arguments.i64()?;
        let bindings = match has_bindings {
            true => Bindings::read(arguments)?,
            false => Bindings::default(),
        };
        let outcome = execute(wait, commands, &bindings);
        if let Some(signal) = signal {
            reach(&signal, &outcome)?;
        }
        outcome
    }
}

/// Who does the work of one call after the other of a session.
pub(super) struct Route {
    inline: Option<Arc<Inline>>,
    is_inline: AtomicBool,
}

impl Route {
    pub(super) fn of(device: &Device) -> Self {
        Self {
            inline: device.inline.clone(),
            is_inline: AtomicBool::new(false),
        }
    }

    /// Chooses for the next call.
    pub(super) fn choose(&self, estimate: Option<Estimate>, is_free: impl FnOnce() -> bool) {
        let faster = self.inline.as_ref().zip(estimate);
        let is_inline = faster.is_some_and(|(inline, estimate)| inline.is_faster(estimate));
        self.is_inline
            .store(is_inline && is_free(), Ordering::Relaxed);
    }

    /// What does the work of this call, if it is the calling thread.
    pub(super) fn inline(&self) -> Option<&Inline> {
        let is_inline = self.is_inline.load(Ordering::Relaxed);
        self.inline.as_deref().filter(|_| is_inline)
    }
}

fn execute(
    wait: Option<Handle<sys::iree_hal_fence_t>>,
    commands: Option<Handle<sys::iree_hal_command_buffer_t>>,
    bindings: &Bindings,
) -> Result<(), IreeError> {
    if let Some(wait) = wait {
        Fence::from_handle(wait).wait(None)?;
    }
    commands.map_or(Ok(()), |commands| commands::execute(&commands, bindings))
}

/// Tells those that wait how the work has ended.
fn reach(
    fence: &Handle<sys::iree_hal_fence_t>,
    outcome: &Result<(), IreeError>,
) -> Result<(), IreeError> {
    match outcome {
        // SAFETY: the fence is live.
        Ok(()) => status::check(unsafe { sys::iree_hal_fence_signal(fence.as_ptr()) }),
        Err(error) => {
            // SAFETY: as above; the status is given away.
            unsafe { sys::iree_hal_fence_fail(fence.as_ptr(), status::from_error(error)) };
            Ok(())
        }
    }
}
