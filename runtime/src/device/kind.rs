//! The kinds of devices: what they are called, and what they run.

use super::DeviceInfo;
use crate::{Error, IreeError, Result, ffi};
use iree_abi::INTERPRETER;
use std::{env, num::NonZeroUsize};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Sync,
    Task,
    Cuda,
    Vulkan,
    Interpreter,
}

/// The code that a device runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Runs {
    /// That of this machine's CPU.
    Cpu,
    /// That of a CUDA chip, such as 89 for `sm_89`.
    Cuda(u32),
    /// What Vulkan's drivers compile.
    Vulkan,
    /// None: what a program was before it was compiled.
    Interpreter,
}

impl Kind {
    const ALL: [Self; 5] = [
        Self::Sync,
        Self::Task,
        Self::Cuda,
        Self::Vulkan,
        Self::Interpreter,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Sync => "local-sync",
            Self::Task => "local-task",
            Self::Cuda => "cuda",
            Self::Vulkan => "vulkan",
            Self::Interpreter => INTERPRETER,
        }
    }

    /// Whether there may be several, with memory of their own.
    const fn is_gpu(self) -> bool {
        matches!(self, Self::Cuda | Self::Vulkan)
    }

    /// Whether such devices can note what their work takes.
    pub(super) const fn notes(self) -> bool {
        !matches!(self, Self::Interpreter)
    }

    /// Whether this build can open such devices.
    const fn is_built(self) -> bool {
        match self {
            Self::Sync | Self::Task => true,
            Self::Cuda => cfg!(feature = "cuda"),
            Self::Vulkan => cfg!(feature = "vulkan"),
            Self::Interpreter => cfg!(feature = "interpreter"),
        }
    }

    /// The devices of this kind; none if their driver cannot be used.
    fn infos(self) -> Vec<DeviceInfo> {
        let info = |description: &str| DeviceInfo {
            name: self.name().to_owned(),
            description: description.to_owned(),
        };
        match self {
            Self::Sync => vec![info("the CPU, on the calling thread")],
            Self::Task => vec![info(
                "the CPU, on worker threads: one for each core, or `?workers=N`, which stay on cores of their own \
                 with `&pinned`, and do all the work with `&queued`",
            )],
            Self::Interpreter => vec![info(
                "no processor: evaluates each operation as it is defined, to compare with",
            )],
            Self::Cuda | Self::Vulkan => {
                let gpus = ffi::Driver::of_name(self.name()).and_then(|driver| driver.gpus());
                let gpus = gpus.unwrap_or_default().into_iter().enumerate();
                let gpus = gpus.map(|(index, gpu)| DeviceInfo {
                    name: self.gpu(index),
                    description: gpu.name,
                });
                gpus.collect()
            }
        }
    }

    /// What a GPU is called.
    fn gpu(self, index: usize) -> String {
        format!("{}://{index}", self.name())
    }

    /// What code a device of this kind runs.
    pub(super) fn runs(self, device: &ffi::Device) -> Runs {
        match self {
            Self::Sync | Self::Task => Runs::Cpu,
            Self::Vulkan => Runs::Vulkan,
            Self::Interpreter => Runs::Interpreter,
            Self::Cuda => {
                let number = |key| {
                    let number = device.property("cuda.device", key);
                    number.and_then(|number| u32::try_from(number).ok())
                };
                let [major, minor] =
                    ["compute_capability_major", "compute_capability_minor"].map(number);
                Runs::Cuda(major.unwrap_or(0) * 10 + minor.unwrap_or(0))
            }
        }
    }
}

/// The devices that can be opened.
pub(super) fn available() -> Vec<DeviceInfo> {
    let kinds = Kind::ALL.into_iter().filter(|kind| kind.is_built());
    kinds.flat_map(Kind::infos).collect()
}

/// Opens the device that a text such as `local-task?workers=4` or `cuda://0` names, and says what it is called.
pub(super) fn open(
    spec: &str,
    memory_limit: Option<usize>,
    is_profiled: bool,
) -> Result<(Kind, String, ffi::Device)> {
    let (kind, path, options) = parse(spec)?;
    let refused = |reason| Error::DeviceOption {
        spec: spec.to_owned(),
        reason,
    };
    let mut workers = workers(kind, options).map_err(refused)?;
    // What the calling thread does, it does not note.
    workers.do_all |= is_profiled;
    if kind.is_gpu() && memory_limit.is_some() {
        return Err(refused("the memory of a GPU cannot be limited".to_owned()));
    }
    let kind = match is_replaced().map_err(refused)? {
        true => Kind::Interpreter,
        false => kind,
    };
    let cpu = |device| Some((kind.name().to_owned(), device));
    let opened = match kind {
        // Arrays are on the host.
        Kind::Sync | Kind::Interpreter => ffi::Device::sync(memory_limit).map(cpu),
        Kind::Task => ffi::Device::task(workers, memory_limit).map(cpu),
        Kind::Cuda | Kind::Vulkan => open_gpu(kind, path.unwrap_or("0")),
    };
    let opened = opened.map_err(|source| Error::Device {
        name: spec.to_owned(),
        source,
    })?;
    let (name, device) = opened.ok_or_else(|| unknown(spec))?;
    Ok((kind, name, device))
}

/// Has the interpreter take the place of every device that is opened, for test-suites that open others.
const BACKEND: &str = "IREE_DSL_BACKEND";

/// Whether the interpreter takes the place of other devices; in builds without it, it never does.
fn is_replaced() -> Result<bool, String> {
    let backend = env::var_os(BACKEND).filter(|_| Kind::Interpreter.is_built());
    match backend.as_deref().and_then(|backend| backend.to_str()) {
        None | Some("") => Ok(false),
        Some(INTERPRETER) => Ok(true),
        Some(other) => Err(format!(
            "the variable `{BACKEND}` is `{other}`; it can be `{INTERPRETER}`"
        )),
    }
}

/// The kind of device that a text names, the path of a GPU, and the options.
fn parse(spec: &str) -> Result<(Kind, Option<&str>, &str)> {
    let (named, options) = spec.split_once('?').unwrap_or((spec, ""));
    let (family, path) = match named.split_once("://") {
        Some((family, path)) => (family, Some(path)),
        None => (named, None),
    };
    let known = Kind::ALL.into_iter().find(|kind| kind.name() == family);
    let named = known.filter(|kind| path.is_none() || kind.is_gpu());
    let kind = named.ok_or_else(|| unknown(spec))?;
    match kind.is_built() {
        true => Ok((kind, path, options)),
        false => Err(Error::DeviceFeature {
            spec: spec.to_owned(),
            feature: kind.name(),
        }),
    }
}

/// Opens a GPU by its place, its path or its name, and says what it is called; `None` if there is no such GPU.
fn open_gpu(kind: Kind, path: &str) -> Result<Option<(String, ffi::Device)>, IreeError> {
    let driver = ffi::Driver::of_name(kind.name())?;
    let gpus = driver.gpus()?;
    let index = match path.parse::<usize>() {
        Ok(index) => Some(index),
        Err(_) => gpus
            .iter()
            .position(|gpu| gpu.path == path || gpu.name == path),
    };
    let found = index.and_then(|index| Some((index, gpus.get(index)?)));
    let opened = found.map(|(index, gpu)| Ok((kind.gpu(index), driver.open(gpu)?)));
    opened.transpose()
}

fn unknown(spec: &str) -> Error {
    Error::UnknownDevice {
        name: spec.to_owned(),
        available: available().into_iter().map(|info| info.name).collect(),
    }
}

fn workers(kind: Kind, options: &str) -> Result<ffi::Workers, String> {
    let mut workers = ffi::Workers::default();
    for option in options.split('&').filter(|option| !option.is_empty()) {
        let (key, value) = option.split_once('=').unwrap_or((option, ""));
        match (kind, key, value) {
            (Kind::Task, "workers", _) => workers.count = Some(worker_count(value)?),
            (Kind::Task, "pinned", "") => workers.are_pinned = true,
            (Kind::Task, "queued", "") => workers.do_all = true,
            (Kind::Task, _, _) => {
                return Err(format!(
                    "unknown option `{option}`, expected `workers=N`, `pinned` or `queued`"
                ));
            }
            _ => return Err("this device takes no options".to_owned()),
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
