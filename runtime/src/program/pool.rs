use std::{
    fmt,
    ops::Deref,
    sync::{Condvar, Mutex, PoisonError},
};

/// Sessions of one program, for threads that call it at the same time. Made by
/// [`Loader::pool`](super::Loader::pool).
///
/// Only procedures with `&self` can be called, so all sessions keep the same globals:
///
/// ```compile_fail,E0596
/// use iree_runtime::program::{Pool, Program};
///
/// struct Counter(Program);
///
/// impl Counter {
///     fn next(&mut self) {}
/// }
///
/// fn count(pool: &Pool<Counter>) {
///     pool.get().next();
/// }
/// ```
pub struct Pool<P> {
    idle: Mutex<Vec<P>>,
    returned: Condvar,
    sessions: usize,
}

impl<P> Pool<P> {
    pub(super) fn new(sessions: Vec<P>) -> Self {
        Self {
            sessions: sessions.len(),
            idle: Mutex::new(sessions),
            returned: Condvar::new(),
        }
    }

    /// How many sessions there are.
    pub const fn sessions(&self) -> usize {
        self.sessions
    }

    /// A session that nobody uses, until it is dropped. Waits for one if all are in use; so a thread that
    /// holds all of them waits for ever.
    pub fn get(&self) -> Pooled<'_, P> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let mut idle = self
            .returned
            .wait_while(idle, |idle| idle.is_empty())
            .unwrap_or_else(PoisonError::into_inner);
        Pooled {
            session: idle.pop(),
            pool: self,
        }
    }

    /// A session that nobody uses; `None` if all are in use.
    pub fn try_get(&self) -> Option<Pooled<'_, P>> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let session = Some(idle.pop()?);
        Some(Pooled {
            session,
            pool: self,
        })
    }

    fn put_back(&self, session: P) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(session);
        drop(idle);
        self.returned.notify_one();
    }
}

impl<P: fmt::Debug> fmt::Debug for Pool<P> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Pool of {} sessions", self.sessions)
    }
}

/// A session of a [`Pool`], which gets it back when this is dropped.
pub struct Pooled<'p, P> {
    /// There until this is dropped.
    session: Option<P>,
    pool: &'p Pool<P>,
}

impl<P> Deref for Pooled<'_, P> {
    type Target = P;

    fn deref(&self) -> &P {
        self.session.as_ref().expect("it is there until the drop")
    }
}

impl<P> Drop for Pooled<'_, P> {
    fn drop(&mut self) {
        if let Some(session) = self.session.take() {
            self.pool.put_back(session);
        }
    }
}

impl<P: fmt::Debug> fmt::Debug for Pooled<'_, P> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, formatter)
    }
}
