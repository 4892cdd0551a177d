use std::{
    ops::{Deref, DerefMut},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

/// A value that one thread uses at a time. The others wait; the one that has it already is told so, where
/// a mutex would wait for itself for ever.
pub(crate) struct Turns<T> {
    value: Mutex<T>,
    /// The thread that has the value; 0 if none has.
    holder: AtomicUsize,
}

/// The value, until this is dropped.
pub(crate) struct Turn<'t, T> {
    value: MutexGuard<'t, T>,
    holder: &'t AtomicUsize,
}

impl<T> Turns<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self {
            value: Mutex::new(value),
            holder: AtomicUsize::new(0),
        }
    }

    /// Waits for the value; `None` if this thread has it.
    pub(crate) fn take(&self) -> Option<Turn<'_, T>> {
        let thread = this_thread();
        // Only this thread writes its own number, so it sees it in any order.
        if self.holder.load(Ordering::Relaxed) == thread {
            return None;
        }
        // A user that panicked leaves nothing behind that the next one does not clear.
        let value = self.value.lock().unwrap_or_else(PoisonError::into_inner);
        self.holder.store(thread, Ordering::Relaxed);
        Some(Turn {
            value,
            holder: &self.holder,
        })
    }
}

impl<T> Deref for Turn<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Turn<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

impl<T> Drop for Turn<'_, T> {
    fn drop(&mut self) {
        self.holder.store(0, Ordering::Relaxed);
    }
}

/// A number that no other running thread has, and that is not 0.
fn this_thread() -> usize {
    thread_local!(static MARK: u8 = const { 0 });
    MARK.with(|mark| std::ptr::from_ref(mark).addr())
}

#[cfg(test)]
mod tests {
    use super::Turns;
    use std::thread;

    #[test]
    fn a_thread_is_told_that_it_has_the_value() {
        let turns = Turns::new(1);
        let mut turn = turns.take().unwrap();
        *turn += 1;
        assert!(turns.take().is_none());
        drop(turn);
        assert_eq!(turns.take().map(|turn| *turn), Some(2));
    }

    #[test]
    fn other_threads_wait() {
        let turns = Turns::new(0);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        *turns.take().unwrap() += 1;
                    }
                });
            }
        });
        assert_eq!(*turns.take().unwrap(), 400);
    }
}
