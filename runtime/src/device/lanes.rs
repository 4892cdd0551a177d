use super::DeviceMemory;
use crate::{IreeError, ffi};
use std::{
    iter,
    num::NonZeroUsize,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
};

/// The HAL devices that a device consists of. Where threads do the work themselves, each session has one of its own, as
/// long as there are no more than cores: counting the references and the memory of one that they share would hold them up.
/// Elsewhere there is one.
pub(super) struct Lanes {
    first: Arc<ffi::Device>,
    more: Mutex<Vec<Arc<ffi::Device>>>,
    /// Shared with those who know all lanes, and need to go on doing so.
    are_all: Arc<()>,
}

/// As long as this lives, a device gets no other lanes.
pub(crate) struct AllLanes {
    pub(crate) lanes: Vec<Arc<ffi::Device>>,
    _are_all: Arc<()>,
}

impl Lanes {
    pub(super) fn new(first: ffi::Device) -> Self {
        Self {
            first: Arc::new(first),
            more: Mutex::default(),
            are_all: Arc::default(),
        }
    }

    /// The one that what comes from the host is on.
    pub(super) fn first(&self) -> &ffi::Device {
        &self.first
    }

    /// The one for one more session: one with the fewest. Each keeps a reference of its lane.
    pub(super) fn least_used(&self) -> Result<Arc<ffi::Device>, IreeError> {
        let mut more = self.more();
        let lanes = iter::once(&self.first).chain(more.iter());
        let least = lanes
            .min_by_key(|lane| Arc::strong_count(lane))
            .unwrap_or(&self.first);
        let is_unused = Arc::strong_count(least) == 1;
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let are_all = Arc::strong_count(&self.are_all) > 1;
        if is_unused || are_all || more.len() + 1 >= cores {
            return Ok(least.clone());
        }
        let Some(lane) = self.first.beside() else {
            return Ok(least.clone());
        };
        let lane = Arc::new(lane?);
        more.push(lane.clone());
        Ok(lane)
    }

    pub(super) fn all(&self) -> AllLanes {
        let more = self.more();
        let lanes = iter::once(&self.first).chain(more.iter());
        AllLanes {
            lanes: lanes.cloned().collect(),
            _are_all: self.are_all.clone(),
        }
    }

    /// What all of them count. They were not all at their peak at the same time.
    pub(super) fn memory(&self) -> DeviceMemory {
        let more = self.more();
        let lanes = iter::once(&self.first).chain(more.iter());
        lanes
            .map(|lane| lane.memory())
            .fold(DeviceMemory::default(), |sum, lane| DeviceMemory {
                live: sum.live + lane.live,
                peak: sum.peak + lane.peak,
                allocated: sum.allocated + lane.allocated,
            })
    }

    fn more(&self) -> MutexGuard<'_, Vec<Arc<ffi::Device>>> {
        self.more.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
