//! The calls that run on a device, and what is done while none does.

use super::{Device, order::Order};
use std::{
    cell::Cell,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak},
    thread,
    time::Duration,
};

/// What runs on a device.
#[derive(Default)]
pub(super) struct Running {
    calls: Mutex<Calls>,
    changed: Condvar,
    /// What the calls of each session have left to do.
    orders: Mutex<Vec<Weak<Order>>>,
}

#[derive(Default)]
struct Calls {
    count: usize,
    /// Whether somebody waits until there are none. Then only those begin that others, which run, wait for.
    is_closing: bool,
    /// Whether none may begin.
    is_closed: bool,
}

thread_local! {
    /// How many calls run on this thread, on any device: the functions of the host that one calls may call others.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// A call that runs.
pub(super) struct Call<'r>(&'r Running);

impl Drop for Call<'_> {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
        let mut calls = self.0.calls();
        calls.count -= 1;
        if calls.count == 0 && calls.is_closing {
            self.0.changed.notify_all();
        }
    }
}

/// How long a worker may take to forget work that it has said is done. Nothing tells when it has: most need some
/// microseconds, and those that the system has stopped in between need to be let go on.
const FORGETTING: Duration = Duration::from_millis(100);

impl Running {
    /// Begins a call.
    pub(super) fn call(&self) -> Call<'_> {
        let is_outermost = DEPTH.replace(DEPTH.get() + 1) == 0;
        let has_to_wait = |calls: &mut Calls| calls.is_closed || calls.is_closing && is_outermost;
        self.when_not(has_to_wait).count += 1;
        Call(self)
    }

    /// Whether a call runs on this thread, on any device.
    pub(super) fn is_here() -> bool {
        DEPTH.get() > 0
    }

    /// Counts what a session has left to do.
    pub(super) fn add(&self, order: &Arc<Order>) {
        let mut orders = self.orders();
        orders.retain(|order| order.strong_count() > 0);
        orders.push(Arc::downgrade(order));
    }

    /// Does something while the device does nothing and knows of nothing that it did. For threads on which no call runs.
    pub(super) fn alone<R>(&self, device: &Device, act: impl FnOnce() -> R) -> R {
        self.when_not(|calls| calls.is_closing).is_closing = true;
        self.when_not(|calls| calls.count > 0).is_closed = true;
        let _open = Open(self);
        for order in self.orders().iter().filter_map(Weak::upgrade) {
            order.finish();
        }
        if !device.works_at_once {
            thread::sleep(FORGETTING);
        }
        act()
    }

    fn when_not(&self, holds: impl FnMut(&mut Calls) -> bool) -> MutexGuard<'_, Calls> {
        let calls = self.changed.wait_while(self.calls(), holds);
        calls.unwrap_or_else(PoisonError::into_inner)
    }

    fn calls(&self) -> MutexGuard<'_, Calls> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn orders(&self) -> MutexGuard<'_, Vec<Weak<Order>>> {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lets calls begin again.
struct Open<'r>(&'r Running);

impl Drop for Open<'_> {
    fn drop(&mut self) {
        let mut calls = self.0.calls();
        calls.is_closing = false;
        calls.is_closed = false;
        self.0.changed.notify_all();
    }
}
