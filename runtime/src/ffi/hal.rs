//! `hal`, the module that programs reach a device through.

use super::{
    Device, Fence, NativeModule,
    deadline::Clock,
    handle::Handle,
    inline::Route,
    instance::{instance, loading},
    native::{Inner, NativeFunction, Values},
    order::Order,
    sink::{self, Sink},
    status::{Code, IreeError},
    sys,
};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// IREE's module, and what takes its place where programs wait, as [`Fence::wait`] says why, and where they tell a
/// device what to do.
pub(super) struct Hal {
    module: Handle<sys::iree_vm_module_t>,
    over: NativeModule,
}

/// The functions that tell a device to read or write buffers. The first arguments of all that begin with `device.queue` are the
/// device, which of its queues, and the fences to wait for and to signal.
const QUEUED: [&str; 5] = [
    "device.queue.copy",
    "device.queue.fill",
    "device.queue.read",
    "device.queue.update",
    "device.queue.write",
];

/// Those that have it execute commands.
const EXECUTED: [&str; 2] = ["device.queue.execute", EXECUTE_WITH_BINDINGS];

/// The one of them that says which buffers the commands use.
const EXECUTE_WITH_BINDINGS: &str = "device.queue.execute.indirect";

/// Those that have it take or return memory, or do nothing but signal.
const PREPARED: [&str; 3] = [
    "device.queue.alloca",
    "device.queue.barrier",
    "device.queue.dealloca",
];

impl Hal {
    /// The module of a device. What programs trace goes to the sink, they wait as long as the clock says, and their
    /// work is done by whom the route says, in order if it is done later.
    pub(super) fn new(
        device: &Device,
        sink: Arc<Sink>,
        clock: Arc<Clock>,
        order: Option<&Arc<Order>>,
        route: &Arc<Route>,
    ) -> Result<Self, IreeError> {
        let module = module(device, sink)?;
        let waits = clock.clone();
        let waiting = move |arguments: &mut Values<'_>, results: &mut Values<'_>| {
            wait(&waits, arguments, results)
        };
        let mut functions = vec![NativeFunction::new("fence.await", "0iICrD_i", waiting)];
        if let Some(order) = order {
            let queue = Queue {
                clock,
                order: order.clone(),
                route: route.clone(),
            };
            functions.extend(queue.functions(&module));
        }
        let over = NativeModule::over(module.clone(), functions)?;
        Ok(Self { module, over })
    }

    /// What a context needs, in this order.
    pub(super) fn modules(&self) -> [*mut sys::iree_vm_module_t; 2] {
        [self.module.as_ptr(), self.over.as_ptr()]
    }
}

fn module(device: &Device, sink: Arc<Sink>) -> Result<Handle<sys::iree_vm_module_t>, IreeError> {
    let _lock = loading();
    let instance = instance()?;
    // SAFETY: has no preconditions.
    let policy = unsafe { sys::iree_hal_module_device_policy_default() };
    device.place().bind();
    let sink = sink::debug_sink(device.place().clone(), sink);
    let module = Handle::create(|out| {
        let (vm, group, host) = (
            instance.vm.as_ptr(),
            device.group().as_ptr(),
            sys::system_allocator(),
        );
        let flags = sys::iree_hal_module_flag_bits_t_IREE_HAL_MODULE_FLAG_SYNCHRONOUS;
        // SAFETY: both are live, and the module retains them.
        unsafe { sys::iree_hal_module_create(vm, policy, group, flags, sink, host, out) }
    });
    if module.is_err() {
        sink::release_unused(&sink);
    }
    module
}

/// What tells a device that works later what to do.
#[derive(Clone)]
struct Queue {
    clock: Arc<Clock>,
    order: Arc<Order>,
    route: Arc<Route>,
}

impl Queue {
    /// What takes the place of the module's functions.
    fn functions(
        &self,
        module: &Handle<sys::iree_vm_module_t>,
    ) -> impl Iterator<Item = NativeFunction> {
        let queued = QUEUED.map(|name| {
            let queue = self.clone();
            NativeFunction::around(module, name, move |arguments, inner| {
                match queue.route.inline() {
                    Some(inline) => inline.call(arguments, inner),
                    None => queue.put(arguments, inner),
                }
            })
        });
        let executed = EXECUTED.map(|name| {
            let queue = self.clone();
            NativeFunction::around(module, name, move |arguments, inner| {
                match queue.route.inline() {
                    Some(inline) => inline.execute(arguments, name == EXECUTE_WITH_BINDINGS),
                    None => queue.put(arguments, inner),
                }
            })
        });
        let prepared = PREPARED.map(|name| {
            let route = self.route.clone();
            NativeFunction::around(module, name, move |arguments, inner| match route.inline() {
                Some(inline) => inline.call(arguments, inner),
                None => inner.call(),
            })
        });
        let all = queued.into_iter().chain(executed).chain(prepared);
        all.flatten()
    }

    /// Has work wait for what it has to come after.
    fn put(&self, arguments: &mut Values<'_>, inner: Inner<'_>) -> Result<(), IreeError> {
        let _device = arguments.reference()?;
        let _queue = arguments.i64()?;
        let place = arguments.place()?;
        let wait = place.object(sys::iree_hal_fence_check_deref)?;
        let signal = arguments.object(sys::iree_hal_fence_check_deref)?;
        let after = self.order.after(wait.map(Fence::from_handle))?;
        let exchange = after.map(|after| place.exchange(after.as_reference()));
        let outcome = inner.call();
        drop(exchange);
        // What could not be begun may never reach what it was to.
        outcome?;
        match self.order.begun(signal.map(Fence::from_handle)) {
            Some(earlier) => self.clock.wait(&earlier, None).map(drop),
            None => Ok(()),
        }
    }
}

/// Waits for all fences, at most as many milliseconds as the first argument says. The result is the code of a
/// failure that programs may go on after.
fn wait(
    clock: &Clock,
    arguments: &mut Values<'_>,
    results: &mut Values<'_>,
) -> Result<(), IreeError> {
    let milliseconds = arguments.i32()?.cast_unsigned();
    let limit = (milliseconds != u32::MAX).then(|| Duration::from_millis(milliseconds.into()));
    let end = limit.map(|limit| Instant::now() + limit);
    let _flags = arguments.i64()?;
    let mut code = 0;
    for _ in 0..arguments.i32()? {
        let Some(fence) = arguments.object(sys::iree_hal_fence_check_deref)? else {
            continue;
        };
        let left = end.map(|end| end.saturating_duration_since(Instant::now()));
        if !clock.wait(&Fence::from_handle(fence), left)? {
            code = Code::DeadlineExceeded.to_raw().cast_signed();
        }
    }
    results.give_i32(code)
}
