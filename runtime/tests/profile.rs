//! What devices note of the time that their work takes.

mod common;

use common::{ADD, DEVICES, add_signature, artifacts, compile};
use iree_abi::DType;
use iree_runtime::{
    Device, DynamicArray, Error, HostArray, HostModule, Module, ProfiledSpan, Session, Work,
    program::Program,
};
use ndarray::arr1;
use std::{
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

#[test]
fn every_dispatch_is_noted_with_its_name_and_time() {
    let module = Module::from_bytes(&compile(ADD)).unwrap();
    for name in DEVICES {
        let device = Device::open(name).unwrap();
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

/// Threads that call see nothing of it.
#[test]
fn profiles_begin_and_end_while_threads_call() {
    let module = Module::from_bytes(&compile(ADD)).unwrap();
    for name in DEVICES {
        let device = Device::open(name).unwrap();
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            let threads = [0, 1].map(|_| {
                scope.spawn(|| {
                    let session = Session::new(&device, [&module]).unwrap();
                    let add = session.function("add").unwrap();
                    let ones = device.upload([1.0f32; 4]).unwrap();
                    let mut calls = 0;
                    while !is_over.load(Ordering::Relaxed) || calls == 0 {
                        add.call(&[&ones, &ones]).unwrap();
                        calls += 1;
                    }
                })
            });
            let profiles = (0..10).try_for_each(|_| device.profile()?.take().map(drop));
            is_over.store(true, Ordering::Relaxed);
            profiles.unwrap();
            for thread in threads {
                thread.join().unwrap();
            }
        });
    }
}

/// Calls whose threads are in the middle of one are not waited for.
#[test]
fn functions_of_the_host_end_profiles_and_begin_none() {
    let module = Module::from_bytes(&compile(
        "func.func private @host.profile()
         func.func @run() { func.call @host.profile() : () -> () return }",
    ));
    let module = module.unwrap();
    for name in DEVICES {
        let device = Device::open(name).unwrap();
        let profiler = Mutex::new(Some(device.profile().unwrap()));
        let host = HostModule::new("host").function("profile", {
            let device = device.clone();
            move |[]: [DynamicArray; 0]| {
                *profiler.lock().unwrap() = None;
                assert!(device.profile().is_err());
                Ok([])
            }
        });
        let session = Session::loader(&device).host(host).load([&module]);
        let session = session.unwrap();
        session.function("run").unwrap().call(&[]).unwrap();
        let end = Instant::now() + Duration::from_secs(60);
        while device.profile().is_err() {
            assert!(Instant::now() < end, "the profile does not end");
        }
    }
}

#[test]
fn all_sessions_of_a_device_are_noted() {
    let module = Module::from_bytes(&compile(ADD)).unwrap();
    for name in DEVICES {
        let device = Device::open(name).unwrap();
        let session = || Session::new(&device, [&module]).unwrap();
        let mut sessions = vec![session(), session()];
        let profiler = device.profile().unwrap();
        sessions.push(session());
        profiler.take().unwrap();
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
    let device = Device::open("local-sync").unwrap();
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
    let device = Device::open("local-sync").unwrap();
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
