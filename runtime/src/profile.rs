use crate::{
    Device, Error, Result,
    device::AllLanes,
    ffi::{self, Profiling, Record, Span as RawSpan, SpanKind},
};
use std::{
    collections::BTreeMap,
    mem,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// A device that notes what its work takes, until this is dropped.
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
/// let device = Device::open("local-sync")?;
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
    profiled: Vec<Profiled>,
    _all: AllLanes,
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

/// What was noted, each span with its start.
struct Noted {
    spans: Vec<(i64, ProfiledSpan)>,
    lost: u64,
}

/// One lane of a device.
struct Profiled {
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

    fn take(&mut self) -> Noted {
        let spans = mem::take(&mut self.spans);
        let with_start = |span: &RawSpan| Some((span.start, self.span(span)?));
        Noted {
            spans: spans.iter().filter_map(with_start).collect(),
            lost: mem::take(&mut self.lost),
        }
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

impl Device {
    /// Notes from now on what the work of the device takes. A device has one profiler at a time. This waits for calls that
    /// other threads have running and, as the end of the profiler does, a tenth of a second for the device to rest.
    ///
    /// # Errors
    ///
    /// [`Error::Profile`] if it has one already, or in a function that a program calls.
    pub fn profile(&self) -> Result<Profiler> {
        let all = self.all_lanes();
        let profiled: Result<Vec<_>> = all.lanes.iter().map(Profiled::begin).collect();
        Ok(Profiler {
            profiled: profiled?,
            _all: all,
            _device: self.clone(),
        })
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
        let mut profile = Profile::default();
        let mut spans = Vec::new();
        for profiled in &self.profiled {
            let noted = profiled.take()?;
            spans.extend(noted.spans);
            profile.lost += noted.lost;
        }
        spans.sort_by_key(|(start, _)| *start);
        profile.spans = spans.into_iter().map(|(_, span)| span).collect();
        Ok(profile)
    }
}

impl Profiled {
    fn begin(lane: &Arc<ffi::Device>) -> Result<Self> {
        let notes = Arc::<Mutex<Notes>>::default();
        let receiver = notes.clone();
        let receive = move |record| {
            let mut notes = receiver.lock().unwrap_or_else(PoisonError::into_inner);
            notes.add(record);
        };
        let profiling = Profiling::begin(lane, Arc::new(receive));
        Ok(Self {
            profiling: profiling.map_err(|source| Error::Profile { source })?,
            notes,
        })
    }

    fn take(&self) -> Result<Noted> {
        let flushed = self.profiling.flush();
        flushed.map_err(|source| Error::Profile { source })?;
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(notes.take())
    }
}
