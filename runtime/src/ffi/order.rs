//! The order of the calls of a session.

use super::{Fence, status::IreeError};
use std::{
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// What the calls of a session have a device do. Where they share globals, each does it after what the one before it left.
///
/// IREE has what reads a global wait for what was stored to it, and nothing wait for what has read it: the part of a
/// global that a call replaces may be what an earlier one has yet to read.
pub(super) struct Order {
    is_kept: bool,
    work: Mutex<Work>,
}

#[derive(Default)]
struct Work {
    /// What all work of the call that runs waits for.
    before: Option<Fence>,
    /// What is reached when work is done, the oldest first.
    begun: Vec<Fence>,
    /// How many of these are reached before the others, since they are of earlier calls.
    earlier: usize,
    /// Whether the call that runs has begun any.
    has_begun: bool,
}

/// How much work is begun and not done at most. All of it has memory, and a loop of a program may begin some in each
/// round without waiting.
const MAX_BEGUN: usize = 256;

impl Order {
    /// Of calls that share globals, or of others.
    pub(super) fn new(is_kept: bool) -> Self {
        Self {
            is_kept,
            work: Mutex::new(Work {
                // Calls allocate nothing.
                begun: Vec::with_capacity(MAX_BEGUN + 1),
                ..Work::default()
            }),
        }
    }

    /// Whether all that a call has a device do comes after what earlier ones left.
    pub(super) const fn is_kept(&self) -> bool {
        self.is_kept
    }

    /// Begins a call.
    pub(super) fn start(&self) -> Result<(), IreeError> {
        if self.is_kept {
            let before = self.left()?;
            let mut work = self.work();
            work.before = before;
            work.has_begun = false;
        }
        Ok(())
    }

    /// What some work of the call that runs has to wait for in the place of a point, if that is not enough.
    pub(super) fn after(&self, wait: Option<Fence>) -> Result<Option<Fence>, IreeError> {
        let mut work = self.work();
        work.before = work.before.take().filter(Fence::is_pending);
        let Some(before) = work.before.clone() else {
            return Ok(None);
        };
        let both: Vec<_> = wait.into_iter().chain([before]).collect();
        Fence::all(&both)
    }

    /// Takes note of work that was begun, and of what it reaches. Returns what to wait for before there is more, if
    /// there is too much.
    pub(super) fn begun(&self, signal: Option<Fence>) -> Option<Fence> {
        let mut work = self.work();
        if !mem::replace(&mut work.has_begun, true) {
            work.earlier = work.begun.len();
        }
        work.begun.extend(signal);
        if work.begun.len() > MAX_BEGUN {
            work.forget_done();
        }
        match work.begun.len() > MAX_BEGUN {
            true => work.begun.get(MAX_BEGUN / 2).cloned(),
            false => None,
        }
    }

    /// What is reached when all is done that was begun by calls that share globals, if that is not yet the case.
    pub(super) fn left(&self) -> Result<Option<Fence>, IreeError> {
        let work = self.work();
        let latest = work.begun.iter().skip(work.earlier);
        let left: Vec<_> = latest.filter(|fence| fence.is_pending()).cloned().collect();
        Fence::all(&left)
    }

    /// Waits for all that was begun.
    pub(super) fn finish(&self) {
        let begun = mem::take(&mut self.work().begun);
        for fence in begun {
            // Who reads the results is told of failures.
            let _ = fence.wait(None);
        }
    }

    fn work(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Work {
    fn forget_done(&mut self) {
        let mut earlier = mem::take(&mut self.earlier);
        self.begun.retain(|fence| {
            let is_pending = fence.is_pending();
            if earlier > 0 {
                earlier -= 1;
                self.earlier += usize::from(is_pending);
            }
            is_pending
        });
    }
}
