//! Work that is queued, and how to wait for it.

use crate::{
    Device, DynamicArray, Error, Result,
    ffi::{Fence, IreeError, Queued, Watch},
    program::Tree,
};
use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::{Duration, Instant},
};

/// A call that is queued.
#[derive(Clone)]
pub(crate) struct Pending {
    queued: Queued,
    function: Arc<str>,
}

impl Pending {
    pub(crate) fn new(queued: Queued, function: Arc<str>) -> Self {
        Self { queued, function }
    }

    pub(crate) const fn fence(&self) -> &Fence {
        &self.queued.fence
    }

    pub(crate) fn wait(&self) -> Result<()> {
        self.wait_for(None).map(drop)
    }

    /// Waits at most so long. Returns whether the results are there.
    fn wait_for(&self, limit: Option<Duration>) -> Result<bool> {
        let waited = self.queued.wait(limit);
        waited.map_err(|source| self.failed(source))
    }

    #[cold]
    fn failed(&self, source: IreeError) -> Error {
        Error::Call {
            function: self.function.to_string(),
            source,
        }
    }
}

/// Waiting for what calls return: arrays, and trees of them.
///
/// A call on a device with workers of its own may return when its work is queued, and reading waits. What
/// fails until then is an error of whoever waits or reads.
///
/// # Examples
///
/// ```
/// use iree_runtime::{Device, Wait};
///
/// let device = Device::open("local-sync")?;
/// let array = device.upload([1.0f32, 2.0])?;
/// array.wait()?;
/// # Ok::<(), iree_runtime::Error>(())
/// ```
pub trait Wait: Tree {
    /// Waits until all elements are computed.
    ///
    /// # Errors
    ///
    /// [`Error::Call`] if the call failed.
    fn wait(&self) -> Result<()> {
        let mut outcome = Ok(());
        self.visit(&mut |array| {
            if outcome.is_ok() {
                outcome = array.wait();
            }
        });
        outcome
    }

    /// Waits until all elements are computed, but no longer than this. Returns whether they are. The call
    /// goes on.
    ///
    /// # Errors
    ///
    /// [`Error::Call`] if the call failed.
    fn wait_for(&self, limit: Duration) -> Result<bool> {
        let end = Instant::now().checked_add(limit);
        let mut outcome = Ok(true);
        self.visit(&mut |array| {
            let Some(pending) = array.pending().filter(|_| matches!(outcome, Ok(true))) else {
                return;
            };
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            outcome = pending.wait_for(left);
        });
        outcome
    }

    /// A future of the same arrays with all elements computed. It needs no particular executor, and may be
    /// dropped at any time: the call then goes on and its results are dropped when it is done.
    ///
    /// # Errors
    ///
    /// The future returns [`Error::Call`] if the call failed.
    fn ready(self) -> Ready<Self> {
        let mut points = Vec::new();
        self.visit(&mut |array| points.extend(Point::of(array)));
        Ready {
            arrays: Some(self),
            points,
        }
    }
}

impl<T: Tree> Wait for T {}

/// A future of arrays whose elements are computed, made by [`Wait::ready`].
#[must_use = "futures do nothing unless they are awaited"]
pub struct Ready<T> {
    arrays: Option<T>,
    /// What is waited for.
    points: Vec<Point>,
}

struct Point {
    // Dropped before the device.
    watch: Option<Watch>,
    pending: Pending,
    _device: Device,
}

impl Point {
    fn of(array: &DynamicArray) -> Option<Self> {
        Some(Self {
            watch: None,
            pending: array.pending()?.clone(),
            _device: array.device().clone(),
        })
    }
}

// Nothing in it is pinned.
impl<T> Unpin for Ready<T> {}

impl<T> Future for Ready<T> {
    type Output = Result<T>;

    /// # Panics
    ///
    /// If it returned its result before.
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<T>> {
        while let Some(Point { pending, watch, .. }) = self.points.last_mut() {
            match pending.fence().poll(watch, context) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Ok(())) => self.points.pop(),
                Poll::Ready(Err(source)) => return Poll::Ready(Err(pending.failed(source))),
            };
        }
        let arrays = self.arrays.take();
        Poll::Ready(Ok(arrays.expect("a future is not polled after it returned")))
    }
}
