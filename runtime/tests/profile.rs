//! What devices note of the time that their work takes.

mod common;

use common::{ADD, DEVICES, add_signature, artifacts, compile};
use iree_abi::DType;
use iree_runtime::{
    Device, Error, HostArray, Module, ProfiledSpan, Session, Work, program::Program,
};
use ndarray::arr1;
use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

fn profiled(name: &str) -> Device {
    Device::builder(name).profiled().open().unwrap()
}

#[test]
fn every_dispatch_is_noted_with_its_name_and_time() {
    let module = Module::from_bytes(&compile(ADD)).unwrap();
    for name in DEVICES {
        let device = profiled(name);
        let session = Session::new(&device, [&module]).unwrap();
        let add = session.function("add").unwrap();
        let ones = arr1(&[1.0f32; 4]);
        let profiler = device.profile().unwrap();
        for count in [1, 3] {
            let begin = Instant::now();
            for _ in 0..count {
                add.call(&[&ones, &ones]).unwrap();
            }
            let passed = begin.elapsed();
            let profile = profiler.take().unwrap();
            assert_eq!(profile.lost, 0);
            let dispatches = profile.spans.iter().filter_map(|span| match &span.work {
                Work::Dispatch(name) => Some((name, span)),
                _ => None,
            });
            let dispatches: Vec<_> = dispatches.collect();
            assert_eq!(dispatches.len(), count);
            for (name, span) in &dispatches {
                assert!(name.starts_with("add_dispatch_0"), "{name}");
                assert!(span.duration > Duration::ZERO && span.busy > Duration::ZERO);
                assert_eq!(span.parts, 1);
            }
            let all: Duration = dispatches.iter().map(|(_, span)| span.duration).sum();
            assert!(all <= passed, "{all:?} of {passed:?}");
        }
        assert!(profiler.take().unwrap().spans.is_empty());
    }
}

/// Devices are profiled while threads call, and closed when workers have just done their work.
#[test]
fn profilers_come_and_go_while_threads_call() {
    let module = Module::from_bytes(&compile(ADD)).unwrap();
    for name in DEVICES {
        for _ in 0..20 {
            let device = profiled(name);
            let is_over = AtomicBool::new(false);
            thread::scope(|scope| {
                for _ in 0..2 {
                    scope.spawn(|| {
                        let session = Session::new(&device, [&module]).unwrap();
                        let add = session.function("add").unwrap();
                        let ones = device.upload([1.0f32; 4]).unwrap();
                        let mut calls = 0;
                        while !is_over.load(Ordering::Relaxed) || calls == 0 {
                            add.call(&[&ones, &ones]).unwrap();
                            calls += 1;
                        }
                    });
                }
                let profiles = (0..10).try_for_each(|_| device.profile()?.take().map(drop));
                is_over.store(true, Ordering::Relaxed);
                profiles.unwrap();
            });
        }
    }
}

#[test]
fn a_device_that_notes_nothing_has_no_profiler() {
    let device = Device::open("local-sync").unwrap();
    let error = format!("{:?}", device.profile().err().unwrap());
    assert!(
        error.contains("was not opened with `profiled()`"),
        "{error}"
    );
}

#[test]
fn all_sessions_of_a_device_are_noted() {
    let module = Module::from_bytes(&compile(ADD)).unwrap();
    for name in DEVICES {
        let device = profiled(name);
        let session = || Session::new(&device, [&module]).unwrap();
        let mut sessions = vec![session(), session()];
        let profiler = device.profile().unwrap();
        sessions.push(session());
        for session in &sessions {
            let add = session.function("add").unwrap();
            let ones = arr1(&[1.0f32; 4]);
            add.call(&[&ones, &ones]).unwrap();
        }
        let spans = profiler.take().unwrap().spans;
        let is_dispatch = |span: &&ProfiledSpan| matches!(span.work, Work::Dispatch(_));
        assert_eq!(spans.iter().filter(is_dispatch).count(), 3, "{spans:?}");
    }
}

#[test]
fn a_device_has_one_profiler_at_a_time() {
    let device = profiled("local-sync");
    let first = device.profile().unwrap();
    assert!(matches!(device.profile(), Err(Error::Profile { .. })));
    drop(first);
    let second = device.profile().unwrap();
    drop(device);
    assert!(second.take().unwrap().spans.is_empty());
}

#[test]
fn spans_that_are_not_kept_are_counted() {
    let module = Module::from_bytes(&compile(ADD)).unwrap();
    let device = profiled("local-sync");
    let session = Session::new(&device, [&module]).unwrap();
    let add = session.function("add").unwrap();
    let ones = device.upload([1.0f32; 4]).unwrap();
    let profiler = device.profile().unwrap();
    for _ in 0..20_000 {
        add.call(&[&ones, &ones]).unwrap();
    }
    let profile = profiler.take().unwrap();
    let noted = profile.spans.len() as u64;
    assert!(
        noted < 20_000 && profile.lost >= 20_000 - noted,
        "{} of {noted}",
        profile.lost
    );
}

#[test]
fn programs_are_called_with_arrays_of_types_that_are_known_at_run_time() {
    let device = Device::open("local-sync").unwrap();
    let program = Program::load(&device, artifacts(compile(ADD)), add_signature()).unwrap();
    let bytes = |numbers: [f32; 4]| numbers.map(f32::to_ne_bytes).concat();
    let array = HostArray::new(
        "Tensor<f32, 4>".parse().unwrap(),
        &bytes([1.0, 2.0, 3.0, 4.0]),
    );
    let array = array.unwrap();
    let placed = array.upload(&device).unwrap();
    let mut call = program.call(0).unwrap();
    call.dynamic(DType::F32, &placed).unwrap();
    assert!(
        call.dynamic(DType::I32, &placed).is_err(),
        "the element type is another"
    );
    call.dynamic(DType::F32, &placed).unwrap();
    let sum = call.invoke().unwrap().next_dynamic().unwrap();
    let sum = sum.to_host(Some(DType::F32)).unwrap();
    assert_eq!(sum.bytes(), bytes([2.0, 4.0, 6.0, 8.0]));
    assert_eq!(sum.to_string(), "[2, 4, 6, 8]");
}
