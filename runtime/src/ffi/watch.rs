//! Who waits for a point in the work of a device.

use super::sys;
use std::{
    ffi::c_void,
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Condvar, Mutex, PoisonError},
    task::{Wake, Waker},
    time::Instant,
};

/// Who is woken when a point is reached. It may be dropped at any time.
#[derive(Default)]
pub(crate) struct Watch(Arc<Watched>);

type Watched = Mutex<Option<Waker>>;

impl Watch {
    /// A count of it for [`wake`].
    pub(super) fn to_raw(&self) -> *mut c_void {
        Arc::into_raw(self.0.clone()).cast_mut().cast()
    }

    /// Takes the count back.
    ///
    /// # Safety
    ///
    /// The pointer is one of `to_raw`, and used once.
    pub(super) unsafe fn from_raw(watch: *mut c_void) -> Self {
        // SAFETY: as the caller promises.
        Self(unsafe { Arc::from_raw(watch.cast::<Watched>()) })
    }

    pub(super) fn set(&self, waker: &Waker) {
        let mut place = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match place.as_mut() {
            Some(old) => old.clone_from(waker),
            None => *place = Some(waker.clone()),
        }
    }

    pub(super) fn clear(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Wakes who is in a watch.
///
/// # Safety
///
/// The pointer is one of `Watch::to_raw`, and used once.
pub(super) unsafe extern "C" fn wake(watch: *mut c_void, status: sys::iree_status_t) {
    // SAFETY: the status is ours; whoever is woken asks the fence.
    unsafe { sys::iree_status_free(status) };
    // SAFETY: as the caller promises.
    let watch = unsafe { Watch::from_raw(watch) };
    let waker = (watch.0)
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take();
    // A panic may not cross into C.
    let _ = catch_unwind(AssertUnwindSafe(|| waker.map(Waker::wake)));
}

thread_local! {
    /// Kept, so that waiting allocates nothing.
    static THREAD: Arc<Sleeper> = Arc::default();
}

/// A thread that waits for a point.
#[derive(Default)]
pub(super) struct Sleeper {
    pub(super) watch: Watch,
    is_woken: Mutex<bool>,
    changed: Condvar,
}

impl Sleeper {
    /// The one that this thread has, which is made where it is first asked for.
    pub(super) fn of_this_thread() -> Arc<Self> {
        // A thread that ends, and drops what it holds, has none any more.
        THREAD.try_with(Arc::clone).unwrap_or_default()
    }

    /// Sleeps until woken, at most until some time. Returns whether it was woken.
    pub(super) fn sleep(&self, end: Option<Instant>) -> bool {
        let mut is_woken = self.is_woken.lock().unwrap_or_else(PoisonError::into_inner);
        while !*is_woken {
            is_woken = match end {
                None => (self.changed.wait(is_woken)).unwrap_or_else(PoisonError::into_inner),
                Some(end) => {
                    let left = end.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return false;
                    }
                    let waited = self.changed.wait_timeout(is_woken, left);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            }
        }
        mem::take(&mut *is_woken)
    }
}

impl Wake for Sleeper {
    fn wake(self: Arc<Self>) {
        *self.is_woken.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.changed.notify_one();
    }
}
