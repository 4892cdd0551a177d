//! GPUs, which IREE reaches through drivers.

use super::{
    Device,
    context::Context,
    handle::Handle,
    instance::{instance, loading},
    status::{IreeError, check},
    sys,
};
use std::{
    ptr, slice,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

/// A driver of IREE's for GPUs of some kind.
pub(crate) struct Driver {
    name: &'static str,
    handle: Handle<sys::iree_hal_driver_t>,
}

/// A GPU that a driver finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Gpu {
    id: sys::iree_hal_device_id_t,
    /// What it is called whatever other GPUs there are: `GPU-…`.
    pub(crate) path: String,
    /// What its maker calls it.
    pub(crate) name: String,
}

impl Driver {
    /// The driver of this name, made when it is first needed and kept: opening one takes long.
    ///
    /// # Errors
    ///
    /// IREE's, if this build or this machine has none.
    pub(crate) fn of_name(name: &'static str) -> Result<Arc<Self>, IreeError> {
        static DRIVERS: Mutex<Vec<Arc<Driver>>> = Mutex::new(Vec::new());
        let mut drivers = DRIVERS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(driver) = drivers.iter().find(|driver| driver.name == name) {
            return Ok(driver.clone());
        }
        let driver = Arc::new(Self::create(name)?);
        drivers.push(driver.clone());
        Ok(driver)
    }

    fn create(name: &'static str) -> Result<Self, IreeError> {
        let registry = registry()?;
        let handle = Handle::create(|out| {
            let (text, host) = (sys::string_view(name), sys::system_allocator());
            // SAFETY: the registry is never freed, and locks itself.
            unsafe { sys::iree_hal_driver_registry_try_create(registry.0, text, host, out) }
        })?;
        Ok(Self { name, handle })
    }

    /// The GPUs of this machine that the driver can use.
    ///
    /// # Errors
    ///
    /// IREE's.
    pub(crate) fn gpus(&self) -> Result<Vec<Gpu>, IreeError> {
        let (mut count, mut infos) = (0, ptr::null_mut());
        let (driver, host) = (self.handle.as_ptr(), sys::system_allocator());
        // SAFETY: the driver is live, and the out pointers valid.
        check(unsafe {
            sys::iree_hal_driver_query_available_devices(driver, host, &mut count, &mut infos)
        })?;
        if infos.is_null() {
            return Ok(Vec::new());
        }
        // SAFETY: as many as the driver says.
        let found = unsafe { slice::from_raw_parts(infos, count) }.iter();
        let gpus = found.map(|info| Gpu {
            id: info.device_id,
            // SAFETY: in the same memory as the infos.
            path: unsafe { sys::to_string(info.path) },
            // SAFETY: as above.
            name: unsafe { sys::to_string(info.name) },
        });
        let gpus = gpus.collect();
        // SAFETY: allocated by the driver with this allocator, and not used again.
        unsafe { sys::iree_allocator_free(host, infos.cast()) };
        Ok(gpus)
    }

    /// Opens one of the driver's GPUs.
    ///
    /// # Errors
    ///
    /// IREE's.
    pub(crate) fn open(&self, gpu: &Gpu) -> Result<Device, IreeError> {
        let _lock = loading();
        let params = instance()?.create_params();
        let device = Handle::create(|out| {
            let (driver, host) = (self.handle.as_ptr(), sys::system_allocator());
            // SAFETY: the driver is live, and there are no options.
            unsafe {
                sys::iree_hal_driver_create_device_by_id(
                    driver,
                    gpu.id,
                    0,
                    ptr::null(),
                    &params,
                    host,
                    out,
                )
            }
        })?;
        Device::in_group_of_its_own(device, Context::after_opening(self.name)?, None)
    }
}

struct Registry(*mut sys::iree_hal_driver_registry_t);

// SAFETY: a registry locks itself.
unsafe impl Send for Registry {}
// SAFETY: as above.
unsafe impl Sync for Registry {}

/// The drivers that this build has.
fn registry() -> Result<&'static Registry, IreeError> {
    static REGISTRY: OnceLock<Result<Registry, IreeError>> = OnceLock::new();
    let registry = REGISTRY.get_or_init(|| {
        let mut registry = ptr::null_mut();
        // SAFETY: the out pointer is valid.
        check(unsafe {
            sys::iree_hal_driver_registry_allocate(sys::system_allocator(), &mut registry)
        })?;
        // SAFETY: the registry is live.
        check(unsafe { sys::iree_hal_register_all_available_drivers(registry) })?;
        Ok(Registry(registry))
    });
    registry.as_ref().map_err(Clone::clone)
}
