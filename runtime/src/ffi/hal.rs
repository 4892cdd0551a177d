//! `hal`, the module that programs reach a device through.

use super::{
    Device, Fence, NativeModule,
    deadline::Clock,
    handle::Handle,
    instance::{instance, loading},
    native::{NativeFunction, Values},
    sink::{self, Sink},
    status::{Code, IreeError},
    sys,
};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// IREE's module, and what takes its place where programs wait: [`Fence::wait`] says why.
pub(super) struct Hal {
    module: Handle<sys::iree_vm_module_t>,
    waiting: NativeModule,
}

impl Hal {
    /// The module of a device. What programs trace goes to the sink, and they wait as long as the clock says.
    pub(super) fn new(
        device: &Device,
        sink: Arc<Sink>,
        clock: Arc<Clock>,
    ) -> Result<Self, IreeError> {
        let module = module(device, sink)?;
        let functions = vec![NativeFunction {
            name: "fence.await".into(),
            convention: "0iICrD_i".into(),
            call: Box::new(move |arguments, results| wait(&clock, arguments, results)),
        }];
        let waiting = NativeModule::over(module.clone(), functions)?;
        Ok(Self { module, waiting })
    }

    /// What a context needs, in this order.
    pub(super) fn modules(&self) -> [*mut sys::iree_vm_module_t; 2] {
        [self.module.as_ptr(), self.waiting.as_ptr()]
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
