//! Many calls, sessions and futures. The long versions are run by hand, one after the other:
//! `cargo test --release -p iree-runtime --test stress -- --ignored --test-threads=1`

mod common;

use common::{ADD, DEVICES, add_signature, artifacts, assert_live, compile_with};
use iree_runtime::{
    Device, DeviceArray, Result, Wait,
    program::{Loader, Pool, Program},
};
use ndarray::Ix1;
use std::{
    pin::pin,
    task::{Context, Waker},
    thread,
};

type Array = DeviceArray<f32, Ix1>;

struct Add(Program);

impl Add {
    fn loader(device: &Device) -> Loader<'_, Self> {
        let vmfb = compile_with(ADD, &["--iree-execution-model=async-external"]);
        Loader::new(device, artifacts(vmfb), add_signature(), Self)
    }

    fn add(&self, a: &Array, b: &Array) -> Result<Array> {
        let mut call = self.0.call(0)?;
        call.argument(a.into())?;
        call.argument(b.into())?;
        call.invoke()?.next()
    }
}

fn each_device(test: impl Fn(&Device)) {
    for name in DEVICES {
        test(&Device::open(name).unwrap());
    }
}

/// Eight threads count with programs of a pool: `sessions` of them.
fn call_from_eight_threads(sessions: usize, calls: u16) {
    each_device(|device| {
        let pool: Pool<Add> = Add::loader(device).pool(sessions).unwrap();
        let live = device.memory().live;
        thread::scope(|scope| {
            for step in 1..=8u8 {
                let pool = &pool;
                scope.spawn(move || {
                    let by = device.upload([f32::from(step); 4]).unwrap();
                    let mut sum = device.upload([0.0f32; 4]).unwrap();
                    for _ in 0..calls {
                        sum = pool.get().add(&sum, &by).unwrap();
                    }
                    let expected = f32::from(step) * f32::from(calls);
                    assert_eq!(sum.to_array().unwrap().to_vec(), [expected; 4]);
                });
            }
        });
        assert_live(device, live);
    });
}

#[test]
fn eight_threads_call_at_the_same_time() {
    call_from_eight_threads(8, 500);
    call_from_eight_threads(3, 500);
}

#[test]
#[ignore = "takes minutes"]
fn eight_threads_make_a_hundred_thousand_calls_each() {
    // Sums stay below 2^24, up to which an f32 counts exactly.
    for _ in 0..2 {
        call_from_eight_threads(8, 50_000);
    }
}

#[test]
fn a_pool_lends_each_session_to_one_at_a_time() {
    each_device(|device| {
        let pool = Add::loader(device).pool(2).unwrap();
        assert_eq!(pool.sessions(), 2);
        let (one, other) = (pool.get(), pool.try_get().unwrap());
        assert!(pool.try_get().is_none());
        drop(one);
        let one = pool.try_get().unwrap();
        // Somebody who waits gets what is returned.
        thread::scope(|scope| {
            let waiting = scope.spawn(|| pool.get().add(&ones(device), &ones(device)));
            drop(other);
            let sum = waiting.join().unwrap().unwrap();
            assert_eq!(sum.to_array().unwrap().to_vec(), [2.0; 4]);
        });
        drop(one);
        // A panic of its user returns it too.
        let user = thread::scope(|scope| {
            let user = scope.spawn(|| {
                let _first = pool.get();
                let _second = pool.get();
                std::panic::resume_unwind(Box::new("a user"));
            });
            user.join()
        });
        assert!(user.is_err());
        drop((pool.try_get().unwrap(), pool.try_get().unwrap()));
    });
}

fn ones(device: &Device) -> Array {
    device.upload([1.0f32; 4]).unwrap()
}

/// The memory of the process, in bytes.
fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: usize = text.split(' ').nth(1).unwrap().parse().unwrap();
    pages * 4096
}

fn make_and_drop_sessions(count: usize) {
    let vmfb = compile_with(ADD, &["--iree-execution-model=async-external"]);
    let (artifacts, signature) = (artifacts(vmfb), add_signature());
    each_device(|device| {
        let array = ones(device);
        let live = device.memory().live;
        let make = || {
            let program = Program::load(device, artifacts, signature)
                .map(Add)
                .unwrap();
            // The session goes before what it has queued is read.
            program.add(&array, &array).unwrap()
        };
        (0..count / 10).for_each(|_| drop(make()));
        let before = resident();
        (0..count).for_each(|_| drop(make()));
        let grown = resident().saturating_sub(before);
        assert_live(device, live);
        println!("{}: {count} sessions, {grown} bytes more", device.name());
        // Other tests of this process have memory too.
        assert!(grown < 8 << 20, "{}: {grown} bytes more", device.name());
    });
}

#[test]
fn sessions_come_and_go() {
    make_and_drop_sessions(200);
}

#[test]
#[ignore = "takes a minute"]
fn ten_thousand_sessions_come_and_go() {
    make_and_drop_sessions(10_000);
}

fn drop_futures(count: usize) {
    each_device(|device| {
        let program = Add::loader(device).load().unwrap();
        let one = ones(device);
        let mut context = Context::from_waker(Waker::noop());
        let mut random = 1u32;
        let live = device.memory().live;
        let mut sum = one.clone();
        for _ in 0..count {
            random ^= random << 13;
            random ^= random >> 17;
            random ^= random << 5;
            let next = program.add(&sum, &one).unwrap();
            let mut future = next.clone().ready();
            for _ in 0..random % 3 {
                if pin!(&mut future).poll(&mut context).is_ready() {
                    break;
                }
            }
            match random % 5 {
                0 => sum = one.clone(),
                1 => next.wait().unwrap(),
                _ => sum = next,
            }
            drop(future);
        }
        assert!(sum.view().unwrap()[0] >= 1.0);
        drop(sum);
        assert_live(device, live);
    });
}

#[test]
fn futures_are_dropped_at_random() {
    drop_futures(2000);
}

#[test]
#[ignore = "takes a minute"]
fn a_million_futures_are_dropped_at_random() {
    drop_futures(1_000_000);
}
