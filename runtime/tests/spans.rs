//! Spans of the crate `tracing` around what takes time.

mod common;

use common::{add_signature, artifacts, compile};
use iree_runtime::{Argument, Device, DeviceArray, program::Program};
use ndarray::Ix1;
use std::{
    fmt::Debug,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
};
use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
};

/// Writes down the spans of this crate with their fields.
#[derive(Clone, Default)]
struct Recorder {
    spans: Arc<Mutex<Vec<String>>>,
    next: Arc<AtomicU64>,
}

struct Fields<'s>(&'s mut String);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        *self.0 += &format!(" {}={value:?}", field.name());
    }
}

impl Subscriber for Recorder {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("iree_runtime")
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut text = span.metadata().name().to_owned();
        span.record(&mut Fields(&mut text));
        self.spans.lock().unwrap().push(text);
        Id::from_u64(1 + self.next.fetch_add(1, Ordering::Relaxed))
    }

    fn record(&self, _span: &Id, _values: &Record<'_>) {}
    fn record_follows_from(&self, _span: &Id, _follows: &Id) {}
    fn event(&self, _event: &Event<'_>) {}
    fn enter(&self, _span: &Id) {}
    fn exit(&self, _span: &Id) {}
}

#[test]
fn loading_calling_and_copying_are_spans() {
    let recorder = Recorder::default();
    tracing::subscriber::with_default(recorder.clone(), || {
        let device = Device::open("local-sync").unwrap();
        let artifacts = artifacts(compile(common::ADD));
        let program = Program::load(&device, artifacts, add_signature()).unwrap();
        let mut call = program.call(0).unwrap();
        for x in [[1.0f32; 4], [2.0; 4]] {
            call.argument(Argument::<f32, Ix1>::from(x)).unwrap();
        }
        let sum: DeviceArray<f32, Ix1> = call.invoke().unwrap().next().unwrap();
        sum.to_array().unwrap();
    });
    let expected = [
        "load modules=[\"arith\"]",
        "upload bytes=16",
        "upload bytes=16",
        "call function=\"add\"",
        "read",
    ];
    assert_eq!(*recorder.spans.lock().unwrap(), expected);
}
