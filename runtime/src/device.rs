use crate::{Argument, DeviceArray, Element, Error, Result, ffi};
use ndarray::Dimension;
use std::{fmt, num::NonZeroUsize, sync::Arc};

/// A place where programs run and arrays live.
///
/// Clones are the same device; it is closed when the last clone and the last array on it are gone.
///
/// # Examples
///
/// ```
/// use iree_runtime::Device;
///
/// let device = Device::open("local-task?workers=4")?;
/// assert_eq!(device.name(), "local-task");
/// # Ok::<(), iree_runtime::Error>(())
/// ```
#[derive(Clone)]
pub struct Device(Arc<Inner>);

struct Inner {
    kind: Kind,
    handle: ffi::Device,
}

/// How much memory arrays and programs have on a device, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeviceMemory {
    /// What is in use.
    pub live: usize,
    /// The most that was in use at a time.
    pub peak: usize,
    /// All that was ever asked for.
    pub allocated: usize,
}

/// Opens a [`Device`] with limits.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct DeviceBuilder<'s> {
    spec: &'s str,
    memory_limit: Option<usize>,
}

impl DeviceBuilder<'_> {
    /// Bounds the memory of the device: what arrays, what programs compute with and the device itself take.
    /// What would be more is an error with the code [`ResourceExhausted`](crate::Code::ResourceExhausted),
    /// after which the device goes on. Archives that are used in place do not count.
    ///
    /// `local-task` takes memory for results in blocks of 64 MiB, so a limit below that leaves it none.
    pub const fn memory_limit(mut self, bytes: usize) -> Self {
        self.memory_limit = Some(bytes);
        self
    }

    /// Opens the device.
    ///
    /// # Errors
    ///
    /// As [`Device::open`].
    pub fn open(self) -> Result<Device> {
        let Self { spec, memory_limit } = self;
        let (name, options) = spec.split_once('?').unwrap_or((spec, ""));
        let kind = Kind::ALL
            .into_iter()
            .find(|kind| kind.info().name == name)
            .ok_or_else(|| Error::UnknownDevice {
                name: name.to_owned(),
                available: Kind::ALL.map(|kind| kind.info().name.to_owned()).into(),
            })?;
        let workers = workers(kind, options).map_err(|reason| Error::DeviceOption {
            spec: spec.to_owned(),
            reason,
        })?;
        let handle = match kind {
            Kind::Sync => ffi::Device::sync(memory_limit),
            Kind::Task => ffi::Device::task(workers, memory_limit),
        };
        let handle = handle.map_err(|source| Error::Device {
            name: name.to_owned(),
            source,
        })?;
        Ok(Device(Arc::new(Inner { kind, handle })))
    }
}

/// A kind of device that [`Device::open`] knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeviceInfo {
    /// What to open it by.
    pub name: &'static str,
    /// What it is.
    pub description: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Sync,
    Task,
}

impl Kind {
    const ALL: [Self; 2] = [Self::Sync, Self::Task];

    const fn info(self) -> DeviceInfo {
        match self {
            Self::Sync => DeviceInfo {
                name: "local-sync",
                description: "the CPU, on the calling thread",
            },
            Self::Task => DeviceInfo {
                name: "local-task",
                description: "the CPU, on worker threads: one for each core, or `?workers=N`, which stay on cores \
                              of their own with `&pinned`",
            },
        }
    }
}

impl Device {
    /// The devices that this build can open.
    pub fn available() -> Vec<DeviceInfo> {
        Kind::ALL.into_iter().map(Kind::info).collect()
    }

    /// Opens a device: `local-sync`, `local-task`, `local-task?workers=4`.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownDevice`], [`Error::DeviceOption`], or IREE's.
    pub fn open(spec: &str) -> Result<Self> {
        Self::builder(spec).open()
    }

    /// Opens a device with limits.
    ///
    /// # Examples
    ///
    /// ```
    /// use iree_runtime::Device;
    /// use ndarray::Array1;
    ///
    /// let device = Device::builder("local-sync").memory_limit(1 << 20).open()?;
    /// assert!(device.upload(&Array1::<f32>::zeros(1 << 20)).is_err());
    /// assert!(device.upload(&Array1::<f32>::zeros(1 << 10)).is_ok());
    /// # Ok::<(), iree_runtime::Error>(())
    /// ```
    pub const fn builder(spec: &str) -> DeviceBuilder<'_> {
        DeviceBuilder {
            spec,
            memory_limit: None,
        }
    }

    /// What the device was opened by, without options.
    pub fn name(&self) -> &'static str {
        self.0.kind.info().name
    }

    /// Copies an array to the device.
    ///
    /// # Errors
    ///
    /// If memory runs out.
    ///
    /// # Examples
    ///
    /// ```
    /// use iree_runtime::Device;
    ///
    /// let device = Device::open("local-sync")?;
    /// let array = device.upload([[1.0f32, 2.0], [3.0, 4.0]])?;
    /// assert_eq!(array.shape(), [2, 2]);
    /// # Ok::<(), iree_runtime::Error>(())
    /// ```
    pub fn upload<'a, T: Element, D: Dimension + 'a>(
        &self,
        array: impl Into<Argument<'a, T, D>>,
    ) -> Result<DeviceArray<T, D>> {
        array.into().into_device_array(self)
    }

    /// How much memory is in use on the device, as its allocator counts it: arrays, and what programs keep
    /// and compute with.
    ///
    /// # Examples
    ///
    /// ```
    /// use iree_runtime::Device;
    ///
    /// let device = Device::open("local-sync")?;
    /// let before = device.memory().live;
    /// let array = device.upload([1.0f32; 1024])?;
    /// assert_eq!(device.memory().live, before + 4096);
    /// drop(array);
    /// assert_eq!(device.memory().live, before);
    /// # Ok::<(), iree_runtime::Error>(())
    /// ```
    pub fn memory(&self) -> DeviceMemory {
        self.0.handle.memory()
    }

    pub(crate) fn handle(&self) -> &ffi::Device {
        &self.0.handle
    }
}

impl PartialEq for Device {
    /// Whether both are the same open device.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Device {}

impl fmt::Debug for Device {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Device({})", self.name())
    }
}

fn workers(kind: Kind, options: &str) -> Result<ffi::Workers, String> {
    let mut workers = ffi::Workers::default();
    for option in options.split('&').filter(|option| !option.is_empty()) {
        let (key, value) = option.split_once('=').unwrap_or((option, ""));
        match (kind, key, value) {
            (Kind::Task, "workers", _) => workers.count = Some(worker_count(value)?),
            (Kind::Task, "pinned", "") => workers.are_pinned = true,
            (Kind::Task, _, _) => {
                return Err(format!(
                    "unknown option `{option}`, expected `workers=N` or `pinned`"
                ));
            }
            (Kind::Sync, _, _) => return Err("this device takes no options".to_owned()),
        }
    }
    Ok(workers)
}

/// The most workers that IREE's task system has.
const MAX_WORKERS: usize = 256;

fn worker_count(value: &str) -> Result<NonZeroUsize, String> {
    value
        .parse::<NonZeroUsize>()
        .ok()
        .filter(|workers| workers.get() <= MAX_WORKERS)
        .ok_or_else(|| {
            format!("`workers` must be a number from 1 to {MAX_WORKERS}, found `{value}`")
        })
}
