use crate::{
    Code, Device, Error, IreeError, Result,
    ffi::{self, Profiling, Record, Span as RawSpan, SpanKind},
};
use std::{
    collections::BTreeMap,
    mem,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// What a device notes of the work that it does while this lives.
///
/// The times are those of IREE's own devices: each dispatch is timed from when its first part starts to when
/// its last one ends. Noting them takes time too, so what is profiled is slower than what is not.
///
/// # Examples
///
/// ```no_run
/// use iree_runtime::{Device, Module, Session};
///
/// # fn main() -> iree_runtime::Result<()> {
/// let device = Device::builder("local-sync").profiled().open()?;
/// let session = Session::new(&device, [Module::from_file("program.vmfb")?])?;
/// let profiler = device.profile()?;
/// session.function("run")?.call(&[])?;
/// for span in profiler.take()?.spans {
///     println!("{:?} {:?}", span.work, span.duration);
/// }
/// # Ok(())
/// # }
/// ```
pub struct Profiler {
    // Dropped before the device.
    recording: Arc<Recording>,
    _device: Device,
}

/// What a device did, and how long it took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// In the order in which the device began them.
    pub spans: Vec<ProfiledSpan>,
    /// How many more there were that the device could not keep.
    pub lost: u64,
}

/// Something that a device did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfiledSpan {
    /// What it was.
    pub work: Work,
    /// From the beginning of the first part to the end of the last.
    pub duration: Duration,
    /// Into how many parts it was split.
    pub parts: u64,
    /// What the parts took together, on however many threads.
    pub busy: Duration,
}

/// What a device did.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Work {
    /// It ran compiled code, the function of this name.
    Dispatch(Arc<str>),
    /// It copied memory.
    Copy,
    /// It filled memory with a value.
    Fill,
}

/// What a device notes, for the one profiler that it may have.
#[derive(Default)]
pub(crate) struct Recording {
    lanes: Mutex<Vec<Noting>>,
    has_profiler: AtomicBool,
}

/// A lane of a device that notes what its work takes.
struct Noting {
    profiling: Profiling,
    notes: Arc<Mutex<Notes>>,
}

#[derive(Default)]
struct Notes {
    functions: BTreeMap<(u64, u32), Arc<str>>,
    spans: Vec<RawSpan>,
    lost: u64,
}

impl Notes {
    fn add(&mut self, record: Record) {
        match record {
            Record::Function {
                executable,
                ordinal,
                name,
            } => {
                self.functions.insert((executable, ordinal), name.into());
            }
            Record::Span(span) => self.spans.push(span),
            Record::Lost(count) => self.lost += count,
        }
    }

    /// All spans, with their starts, and how many were lost.
    fn take(&mut self) -> (Vec<(i64, ProfiledSpan)>, u64) {
        let spans = mem::take(&mut self.spans);
        let with_start = |span: &RawSpan| Some((span.start, self.span(span)?));
        let spans = spans.iter().filter_map(with_start).collect();
        (spans, mem::take(&mut self.lost))
    }

    fn span(&self, span: &RawSpan) -> Option<ProfiledSpan> {
        let work = match span.kind {
            SpanKind::Dispatch => {
                let name = self.functions.get(&(span.executable, span.ordinal));
                Work::Dispatch(name.cloned().unwrap_or_else(|| "unnamed".into()))
            }
            SpanKind::Copy => Work::Copy,
            SpanKind::Fill => Work::Fill,
            SpanKind::Other => return None,
        };
        let nanoseconds = |time: i64| Duration::from_nanos(time.try_into().unwrap_or(0));
        Some(ProfiledSpan {
            work,
            duration: nanoseconds(span.end.saturating_sub(span.start)),
            parts: span.tiles,
            busy: nanoseconds(span.tile_time),
        })
    }
}

impl Recording {
    /// Has a lane that has done nothing yet note what its work takes.
    pub(crate) fn begin(&self, lane: &ffi::Device) -> Result<(), IreeError> {
        let notes = Arc::<Mutex<Notes>>::default();
        let receiver = notes.clone();
        let receive = move |record| {
            let mut notes = receiver.lock().unwrap_or_else(PoisonError::into_inner);
            notes.add(record);
        };
        let profiling = Profiling::begin(lane, Arc::new(receive))?;
        self.lock_lanes().push(Noting { profiling, notes });
        Ok(())
    }

    fn take(&self) -> Result<Profile, IreeError> {
        let lanes = self.lock_lanes();
        lanes.iter().try_for_each(|lane| lane.profiling.flush())?;
        let mut profile = Profile::default();
        let mut all = Vec::new();
        for lane in lanes.iter() {
            let mut notes = lane.notes.lock().unwrap_or_else(PoisonError::into_inner);
            let (spans, lost) = notes.take();
            all.extend(spans);
            profile.lost += lost;
        }
        all.sort_by_key(|(start, _)| *start);
        profile.spans = all.into_iter().map(|(_, span)| span).collect();
        Ok(profile)
    }

    fn lock_lanes(&self) -> MutexGuard<'_, Vec<Noting>> {
        self.lanes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Device {
    /// Hands out what the device notes from now on. It has one profiler at a time.
    ///
    /// # Errors
    ///
    /// [`Error::Profile`] if it has one already, or was not opened with [`profiled`](crate::DeviceBuilder::profiled).
    pub fn profile(&self) -> Result<Profiler> {
        let cannot = |message| Error::Profile {
            source: IreeError::new(Code::FailedPrecondition, message),
        };
        let recording = self.recording();
        let recording = recording.ok_or_else(|| cannot("it was not opened with `profiled()`"))?;
        if recording.has_profiler.swap(true, Ordering::Acquire) {
            return Err(cannot("it has a profiler already"));
        }
        let profiler = Profiler {
            recording: recording.clone(),
            _device: self.clone(),
        };
        // What it did before.
        profiler.take()?;
        Ok(profiler)
    }
}

impl Profiler {
    /// What was noted since the last time: of calls that are queued, what is done. The device keeps some
    /// thousand spans, so this is called about as often as a program.
    ///
    /// # Errors
    ///
    /// [`Error::Profile`], which IREE gives no reason for so far.
    pub fn take(&self) -> Result<Profile> {
        let profile = self.recording.take();
        profile.map_err(|source| Error::Profile { source })
    }
}

impl Drop for Profiler {
    fn drop(&mut self) {
        self.recording.has_profiler.store(false, Ordering::Release);
    }
}
