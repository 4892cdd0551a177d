//! Points in the work of a device.

use super::{
    handle::Handle,
    status::{self, IreeError, check},
    sys,
    watch::{Sleeper, Watch, wake},
};
use std::{
    slice,
    task::{Context, Poll, Waker},
    time::{Duration, Instant},
};

/// A point in the work of a device, which is reached once or fails.
#[derive(Clone)]
pub(crate) struct Fence(Handle<sys::iree_hal_fence_t>);

impl Fence {
    /// One that the work reaches which is given it.
    pub(super) fn new(device: &Handle<sys::iree_hal_device_t>) -> Result<Self, IreeError> {
        let semaphore = Handle::create(|out| {
            let any_queue = u64::MAX;
            let flags = sys::iree_hal_semaphore_flag_bits_t_IREE_HAL_SEMAPHORE_FLAG_DEFAULT.into();
            // SAFETY: the device is live.
            unsafe { sys::iree_hal_semaphore_create(device.as_ptr(), any_queue, 0, flags, out) }
        })?;
        let fence = Handle::create(|out| {
            let host = sys::system_allocator();
            // SAFETY: the semaphore is live, and the fence retains it.
            unsafe { sys::iree_hal_fence_create_at(semaphore.as_ptr(), 1, host, out) }
        })?;
        Ok(Self(fence))
    }

    /// One of IREE's.
    pub(super) const fn from_handle(handle: Handle<sys::iree_hal_fence_t>) -> Self {
        Self(handle)
    }

    /// One that is reached when all are; `None` if there are none.
    pub(super) fn all(fences: &[Self]) -> Result<Option<Self>, IreeError> {
        match fences {
            [] => Ok(None),
            [only] => Ok(Some(only.clone())),
            _ => {
                let mut pointers: Vec<_> = fences.iter().map(|fence| fence.0.as_ptr()).collect();
                let joined = Handle::create(|out| {
                    let (count, host) = (pointers.len(), sys::system_allocator());
                    // SAFETY: all fences are live; what they wait for is retained.
                    unsafe { sys::iree_hal_fence_join(count, pointers.as_mut_ptr(), host, out) }
                })?;
                Ok(Some(Self(joined)))
            }
        }
    }

    pub(super) fn as_reference(&self) -> sys::iree_vm_ref_t {
        // SAFETY: the fence is live; the reference owns a count of it.
        unsafe { sys::iree_hal_fence_retain_ref(self.0.as_ptr()) }
    }

    /// Whether the point is reached.
    ///
    /// # Errors
    ///
    /// What failed before it.
    pub(crate) fn is_reached(&self) -> Result<bool, IreeError> {
        // SAFETY: the fence is live.
        let status = unsafe { sys::iree_hal_fence_query(self.0.as_ptr()) };
        match status::is_deferred(status) {
            true => Ok(false),
            false => check(status).map(|()| true),
        }
    }

    /// Whether the point is neither reached nor has failed.
    pub(super) fn is_pending(&self) -> bool {
        matches!(self.is_reached(), Ok(false))
    }

    /// Waits for the point, at most as long as the limit says. Returns whether it is reached.
    ///
    /// IREE's own wait ends when whoever reached the point has said so, by going round until then; if that thread
    /// has to make room for the one that it woke, the round takes as long as the system lets a thread run.
    ///
    /// # Errors
    ///
    /// What failed before it.
    pub(crate) fn wait(&self, limit: Option<Duration>) -> Result<bool, IreeError> {
        if self.is_reached()? {
            return Ok(true);
        }
        let end = limit.and_then(|limit| Instant::now().checked_add(limit));
        let sleeper = Sleeper::of_this_thread();
        self.watch(&sleeper.watch)?;
        let waker = Waker::from(sleeper.clone());
        let outcome = loop {
            // What woke it may be the point of an earlier wait, or a part of this one.
            sleeper.watch.set(&waker);
            match self.is_reached() {
                Ok(false) if sleeper.sleep(end) => {}
                Ok(false) => break self.is_reached(),
                outcome => break outcome,
            }
        };
        sleeper.watch.clear();
        outcome
    }

    /// Looks whether the point is reached, and has the task woken when it is.
    ///
    /// # Errors
    ///
    /// What failed before it.
    pub(crate) fn poll(
        &self,
        watch: &mut Option<Watch>,
        context: &mut Context<'_>,
    ) -> Poll<Result<(), IreeError>> {
        if self.is_reached()? {
            return Poll::Ready(Ok(()));
        }
        match watch {
            Some(watch) => watch.set(context.waker()),
            None => {
                let new = watch.insert(Watch::default());
                new.set(context.waker());
                self.watch(new)?;
            }
        }
        // It may have been reached before the waker was in its place.
        match self.is_reached()? {
            true => Poll::Ready(Ok(())),
            false => Poll::Pending,
        }
    }

    /// Has a watch woken when the point is reached.
    fn watch(&self, watch: &Watch) -> Result<(), IreeError> {
        // SAFETY: the fence is live.
        let points = unsafe { sys::iree_hal_fence_semaphore_list(self.0.as_ptr()) };
        let count = points.count;
        // SAFETY: the fence holds so many semaphores, at least one.
        let semaphores = unsafe { slice::from_raw_parts(points.semaphores, count) };
        // SAFETY: and so many values.
        let values = unsafe { slice::from_raw_parts(points.payload_values, count) };
        for (semaphore, value) in semaphores.iter().zip(values) {
            let owner = watch.to_raw();
            // SAFETY: every semaphore of a device begins with one of this type, and calls back exactly
            // once, at the latest when it is destroyed.
            let registered = check(unsafe {
                sys::iree_async_semaphore_resolve(
                    semaphore.cast(),
                    *value,
                    sys::INFINITE_TIMEOUT,
                    Some(wake),
                    owner,
                )
            });
            if let Err(error) = registered {
                // SAFETY: it does not call back if it could not be registered.
                drop(unsafe { Watch::from_raw(owner) });
                return Err(error);
            }
        }
        Ok(())
    }
}
