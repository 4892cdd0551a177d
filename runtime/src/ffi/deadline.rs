//! How long calls may take.

use super::{
    Fence,
    status::{Code, IreeError},
};
use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// When a call must be done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    limit: Duration,
    start: Instant,
}

impl Deadline {
    pub(super) fn from_now(limit: Duration) -> Self {
        Self {
            limit,
            start: Instant::now(),
        }
    }

    /// How much time there is.
    fn left(&self) -> Duration {
        self.limit.saturating_sub(self.start.elapsed())
    }

    /// Waits for a point in the work of the call, at most as long as given.
    ///
    /// # Errors
    ///
    /// What failed before it, or that the call takes too long.
    pub(crate) fn wait(&self, fence: &Fence, limit: Option<Duration>) -> Result<bool, IreeError> {
        let left = self.left();
        let is_reached = fence.wait(Some(limit.map_or(left, |limit| limit.min(left))))?;
        match is_reached || !self.left().is_zero() {
            true => Ok(is_reached),
            false => Err(self.missed()),
        }
    }

    fn missed(&self) -> IreeError {
        let message = format!("the call takes longer than {:?}", self.limit);
        IreeError::new(Code::DeadlineExceeded, message)
    }
}

/// What a session knows of the time of its calls, for the module that waits in the middle of them.
#[derive(Default)]
pub(super) struct Clock {
    /// That of the call that runs.
    deadline: Mutex<Option<Deadline>>,
    /// What calls that took too long left for the device to do.
    unfinished: Mutex<Vec<Fence>>,
}

impl Clock {
    /// Begins a call, once the device has done what others left, which may write to the same globals.
    pub(super) fn start(&self, deadline: Option<Deadline>) -> Result<(), IreeError> {
        *self.deadline() = deadline;
        loop {
            let Some(fence) = self.unfinished().pop() else {
                return Ok(());
            };
            // What else it fails with was an error of that call.
            let waited = self.wait(&fence, None);
            if fence.is_pending() {
                return waited.map(drop);
            }
        }
    }

    /// Waits for a point in the work of the call that runs.
    pub(super) fn wait(&self, fence: &Fence, limit: Option<Duration>) -> Result<bool, IreeError> {
        let deadline = *self.deadline();
        let Some(deadline) = deadline else {
            return fence.wait(limit);
        };
        let outcome = deadline.wait(fence, limit);
        if outcome.is_err() && fence.is_pending() {
            self.unfinished().push(fence.clone());
        }
        outcome
    }

    /// Waits for all that calls left.
    pub(super) fn finish(&self) {
        for fence in self.unfinished().drain(..) {
            // Whoever called was told.
            let _ = fence.wait(None);
        }
    }

    fn deadline(&self) -> MutexGuard<'_, Option<Deadline>> {
        self.deadline.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unfinished(&self) -> MutexGuard<'_, Vec<Fence>> {
        self.unfinished
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
