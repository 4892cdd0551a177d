mod kind;
mod lanes;

pub(crate) use kind::Runs;

use crate::{Argument, DeviceArray, Element, Error, IreeError, Result, ffi, profile::Recording};
use kind::Kind;
use lanes::Lanes;
use ndarray::Dimension;
use std::{fmt, sync::Arc};

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
    name: String,
    #[cfg(feature = "interpreter")]
    memory_limit: Option<usize>,
    lanes: Lanes,
}

/// How much memory arrays and programs have on a device, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeviceMemory {
    /// What is in use.
    pub live: usize,
    /// The most that was in use at a time; with several sessions on `local-sync`, it was at most this.
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
    is_profiled: bool,
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

    /// Has the device note what its work takes, for [`Device::profile`]. What it does takes a little longer then, and 0.6 MB for
    /// each such device but `local-sync` are kept until the process ends. The workers of `local-task` do all the work then.
    pub const fn profiled(mut self) -> Self {
        self.is_profiled = true;
        self
    }

    /// Opens the device.
    ///
    /// # Errors
    ///
    /// As [`Device::open`].
    pub fn open(self) -> Result<Device> {
        let (kind, name, first) = kind::open(self.spec, self.memory_limit, self.is_profiled)?;
        if self.is_profiled && !kind.notes() {
            return Err(Error::DeviceOption {
                spec: self.spec.to_owned(),
                reason: "it does not note what its work takes".to_owned(),
            });
        }
        let lanes = Lanes::new(first, self.is_profiled.then(Recording::default));
        let lanes = lanes.map_err(|source| Error::Device {
            name: self.spec.to_owned(),
            source,
        })?;
        Ok(Device(Arc::new(Inner {
            kind,
            name,
            #[cfg(feature = "interpreter")]
            memory_limit: self.memory_limit,
            lanes,
        })))
    }
}

/// A device that [`Device::open`] can open.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeviceInfo {
    /// What to open it by: `local-task`, `vulkan://0`.
    pub name: String,
    /// What it is.
    pub description: String,
}

impl Device {
    /// The devices that this build can open on this machine. GPUs are there if the features `cuda` and
    /// `vulkan` are on and their drivers are installed.
    pub fn available() -> Vec<DeviceInfo> {
        kind::available()
    }

    /// Opens a device: `local-sync`, `local-task`, `local-task?workers=4`, or with the features of these
    /// names `cuda` and `vulkan`: the first GPU, or `vulkan://1` for the second one. What
    /// [`Device::available`] calls a GPU stays the same only as long as the machine does; its path
    /// (`cuda://GPU-…`) and the name its maker gives it (`cuda://NVIDIA H100`) work too.
    ///
    /// With the feature `interpreter`, `interpreter` evaluates programs operation by operation, as these are defined, and
    /// takes the place of every other device where the variable `IREE_DSL_BACKEND` is `interpreter`.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownDevice`](crate::Error::UnknownDevice),
    /// [`Error::DeviceFeature`](crate::Error::DeviceFeature),
    /// [`Error::DeviceOption`](crate::Error::DeviceOption), or IREE's.
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
            is_profiled: false,
        }
    }

    /// What the device was opened by, without options.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// What code it runs.
    pub(crate) fn runs(&self) -> Runs {
        self.0.kind.runs(self.handle())
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
        self.0.lanes.memory()
    }

    /// How many bytes it may take, if that is limited.
    #[cfg(feature = "interpreter")]
    pub(crate) fn memory_limit(&self) -> Option<usize> {
        self.0.memory_limit
    }

    /// What its arrays are on.
    pub(crate) fn handle(&self) -> &ffi::Device {
        self.0.lanes.first()
    }

    /// What one more session is to run on.
    pub(crate) fn lane(&self) -> Result<Arc<ffi::Device>, IreeError> {
        self.0.lanes.least_used()
    }

    /// What it notes of its work.
    pub(crate) fn recording(&self) -> Option<&Arc<Recording>> {
        self.0.lanes.recording()
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
