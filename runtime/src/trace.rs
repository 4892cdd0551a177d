use crate::{
    HostArray,
    ffi::{BufferView, Sink},
};
use iree_abi::Site;
use std::{
    fmt,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

/// What a program shows where it has `trace!("key", x, y)`.
pub struct Trace {
    key: String,
    place: Option<String>,
    arrays: Vec<HostArray>,
}

impl Trace {
    /// What the program calls it.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Where it is in the source, `src/main.rs:12:9`; `None` for modules that were compiled elsewhere.
    pub fn place(&self) -> Option<&str> {
        self.place.as_deref()
    }

    /// The tensors, those of trees one after the other.
    pub fn arrays(&self) -> &[HostArray] {
        &self.arrays
    }
}

impl fmt::Display for Trace {
    /// Writes the key, the place, and the elements as [`ndarray`] does.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "[trace] {}", self.key)?;
        if let Some(place) = &self.place {
            write!(formatter, " ({place})")?;
        }
        self.arrays
            .iter()
            .try_for_each(|array| write!(formatter, "\n{}: {array}", array.ty()))
    }
}

/// Where traces go.
pub(crate) type Observer = dyn Fn(&Trace) + Send + Sync;

/// Writes each trace to standard error.
pub(crate) fn to_standard_error(trace: &Trace) {
    eprintln!("{trace}");
}

/// Writes each traced tensor to a file in NumPy's format, `key.0.npy` for the first, in a folder that must
/// exist. What cannot be written is told on standard error.
pub fn trace_to_files(folder: impl Into<PathBuf>) -> impl Fn(&Trace) + Send + Sync + 'static {
    let (folder, count) = (folder.into(), AtomicUsize::new(0));
    move |trace| {
        let name = |character: char| match character.is_alphanumeric() {
            true => character,
            false => '_',
        };
        let key: String = trace.key.chars().map(name).collect();
        for array in &trace.arrays {
            let number = count.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!("{key}.{number}.npy"));
            if let Err(error) = array.save_npy(&path) {
                eprintln!("{error:?}");
            }
        }
    }
}

/// The sink of a session, which knows what the source says of its sites.
pub(crate) fn sink(observer: Arc<Observer>, sites: &'static [Site]) -> Arc<Sink> {
    Arc::new(move |marked: &str, views: &[BufferView]| {
        let site = Site::number(marked).and_then(|number| sites.get(number));
        let dtype = |index: usize| site.and_then(|site| site.dtypes.get(index)).copied();
        let arrays = views.iter().enumerate();
        let arrays = arrays.map(|(index, view)| HostArray::of(view, dtype(index)));
        observer(&Trace {
            key: site.map_or(marked, |site| site.text.as_str()).to_owned(),
            place: site.map(|site| site.place.clone()),
            arrays: arrays.collect::<Result<_, _>>()?,
        });
        Ok(())
    })
}
