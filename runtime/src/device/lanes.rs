use super::DeviceMemory;
use crate::{IreeError, ffi, profile::Recording};
use std::{
    iter,
    num::NonZeroUsize,
    sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError},
    thread,
};

/// The HAL devices that a device consists of. Where threads do the work themselves, each session has one of its own, as
/// long as there are no more than cores: counting the references and the memory of one that they share would hold them up.
/// Elsewhere there is one.
pub(super) struct Lanes {
    // Dropped before the lanes.
    recording: Option<Arc<Recording>>,
    first: Arc<ffi::Device>,
    more: Mutex<Vec<Arc<ffi::Device>>>,
}

impl Lanes {
    /// Those of a device that notes what its work takes if there is a recording.
    pub(super) fn new(first: ffi::Device, recording: Option<Recording>) -> Result<Self, IreeError> {
        let lanes = Self {
            recording: recording.map(Arc::new),
            first: Arc::new(first),
            more: Mutex::default(),
        };
        lanes.record(&lanes.first)?;
        Ok(lanes)
    }

    /// The one that what comes from the host is on.
    pub(super) fn first(&self) -> &ffi::Device {
        &self.first
    }

    pub(super) const fn recording(&self) -> Option<&Arc<Recording>> {
        self.recording.as_ref()
    }

    /// The one for one more session, which keeps a reference of it: one with the fewest references.
    pub(super) fn least_used(&self) -> Result<Arc<ffi::Device>, IreeError> {
        let more = self.lock();
        let least = self.least(&more);
        if Arc::strong_count(&least) == UNUSED || !self.has_room(&more) {
            return Ok(least);
        }
        // Without the lock: who opens devices waits for those that load modules, whose functions may ask for the memory.
        drop(more);
        let lane = Arc::new(self.first.beside()?);
        self.record(&lane)?;
        let mut more = self.lock();
        // Others may have been as fast.
        if self.has_room(&more) {
            more.push(lane.clone());
            return Ok(lane);
        }
        Ok(self.least(&more))
    }

    fn least(&self, more: &[Arc<ffi::Device>]) -> Arc<ffi::Device> {
        let least = self.all(more).min_by_key(|lane| Arc::strong_count(lane));
        least.unwrap_or(&self.first).clone()
    }

    fn has_room(&self, more: &[Arc<ffi::Device>]) -> bool {
        // To find out how many there are takes the system longer than many calls.
        static CORES: LazyLock<usize> =
            LazyLock::new(|| thread::available_parallelism().map_or(1, NonZeroUsize::get));
        self.first.works_at_once() && self.all(more).count() < *CORES
    }

    fn all<'l>(
        &'l self,
        more: &'l [Arc<ffi::Device>],
    ) -> impl Iterator<Item = &'l Arc<ffi::Device>> {
        iter::once(&self.first).chain(more)
    }

    fn record(&self, lane: &ffi::Device) -> Result<(), IreeError> {
        let recording = self.recording.as_ref();
        recording.map_or(Ok(()), |recording| recording.begin(lane))
    }

    /// What all of them count. They were not all at their peak at the same time.
    pub(super) fn memory(&self) -> DeviceMemory {
        let more = self.lock();
        let counted = self.all(&more).map(|lane| lane.memory());
        counted.fold(DeviceMemory::default(), |sum, lane| DeviceMemory {
            live: sum.live + lane.live,
            peak: sum.peak + lane.peak,
            allocated: sum.allocated + lane.allocated,
        })
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<ffi::Device>>> {
        self.more.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The references of a lane without sessions: that of the device, and one to look at it.
const UNUSED: usize = 2;
