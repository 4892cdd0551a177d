//! Traces and assertions: what the host hears of a program while it runs.

use iree_dsl::{Error, Trace, prelude::*, trace_to_files};
use ndarray::{Array1, Ix0, Ix1, IxDyn, array};
use std::{
    fs,
    sync::{Arc, Mutex},
};

#[program]
mod steps {
    pub struct Pair {
        a: Tensor<f32, 2>,
        b: Tensor<i32>,
    }

    pub struct Steps {
        #[global]
        count: Tensor<i32>,
        #[global]
        log: Tensor<i32, 8>,
    }

    impl Steps {
        /// Traces in a kernel, in a loop, in branches, and of sizes that are known at the call.
        pub fn run<const B: usize>(&mut self, x: Tensor<f32, B>, n: Tensor<i32>) -> Tensor<f32, B> {
            trace!("start", x, n);
            let mut y = x;
            for i in range(0, n) {
                y = double(y);
                if i == 1 {
                    trace!("one", i);
                } else {
                    trace!("other", i, y);
                }
                assert!(i < 3, "at most three rounds");
            }
            self.count += 1;
            trace!("end", self.count);
            y
        }

        pub fn tree(&self, pair: Pair) -> Tensor<f32, 2> {
            trace!("pair", pair, 2.5);
            pair.a
        }

        /// Stores before and behind an assertion.
        pub fn store(&mut self, i: Tensor<i32>, limit: Tensor<i32>) -> Tensor<i32> {
            self.log[i] = 1;
            self.count = 100;
            assert!(i <= limit, "the place is below the limit");
            self.count += i;
            self.count
        }

        /// Traces where nothing else depends on the branch, the loop or the kernel.
        pub fn watch(&self, x: Tensor<f32, 2>, n: Tensor<i32>) {
            if n > 1 {
                let _ = double(x);
            }
            for i in range(0, n) {
                trace!("round", i);
                if i == 0 {
                    check(x);
                }
            }
        }

        pub fn count(&self) -> Tensor<i32> {
            self.count
        }

        pub fn finite<const B: usize>(&self, x: Tensor<f32, B>) -> Tensor<f32> {
            mean(x)
        }
    }

    #[kernel]
    fn double<const B: usize>(x: Tensor<f32, B>) -> Tensor<f32, B> {
        trace!("double", x.sum());
        x + x
    }

    #[kernel]
    fn check(x: Tensor<f32, 2>) {
        assert!(x.sum() > 0.0, "the sum is positive");
    }

    #[kernel]
    fn mean<const B: usize>(x: Tensor<f32, B>) -> Tensor<f32> {
        assert!(x.is_finite().all(), "every number is finite");
        x.mean()
    }
}

use steps::Steps;

/// What was traced, as text.
type Log = Arc<Mutex<Vec<String>>>;

fn load(device: &str) -> (Steps, Log) {
    load_on(&Device::open(device).unwrap())
}

fn load_on(device: &Device) -> (Steps, Log) {
    let log = Log::default();
    let written = log.clone();
    let sink = move |trace: &Trace| {
        let arrays = trace.arrays().iter().map(ToString::to_string);
        let arrays = arrays.collect::<Vec<_>>().join(" ");
        written
            .lock()
            .unwrap()
            .push(format!("{} {arrays}", trace.key()));
    };
    (Steps::loader(device).trace(sink).load().unwrap(), log)
}

fn take(log: &Log) -> Vec<String> {
    std::mem::take(&mut *log.lock().unwrap())
}

const DEVICES: [&str; 2] = ["local-sync", "local-task?workers=2"];

#[test]
fn traces_come_in_the_order_of_the_program() {
    for device in DEVICES {
        let (mut program, log) = load(device);
        let y = program.run(&array![1.0, 2.0, 3.0], 3).unwrap();
        assert_eq!(y.to_array().unwrap(), array![8.0, 16.0, 24.0]);
        let expected = [
            "start [1, 2, 3] 3",
            "double 6",
            "other 0 [2, 4, 6]",
            "double 12",
            "one 1",
            "double 24",
            "other 2 [8, 16, 24]",
            "end 1",
        ];
        assert_eq!(take(&log), expected, "{device}");
        program.run(&array![1.0], 0).unwrap();
        assert_eq!(take(&log), ["start [1] 0", "end 2"]);
    }
}

#[test]
fn trees_and_numbers_are_shown() {
    let device = Device::open("local-sync").unwrap();
    let (program, log) = load_on(&device);
    let pair = steps::Pair::upload(&device, [1.0, 2.0], 7).unwrap();
    program.tree(&pair).unwrap();
    assert_eq!(take(&log), ["pair [1, 2] 7 2.5"]);
}

#[test]
fn what_only_traces_is_not_left_out() {
    let (program, log) = load("local-sync");
    program.watch([1.0, 2.0], 2).unwrap();
    assert_eq!(take(&log), ["double 3", "round 0", "round 1"]);
    program.watch([1.0, 2.0], 0).unwrap();
    assert!(take(&log).is_empty());
    let error = program.watch([1.0, -2.0], 1).unwrap_err();
    assert_eq!(broken(error).1, "the sum is positive");
    assert_eq!(take(&log), ["round 0"]);
}

fn broken(error: Error) -> (String, String, String) {
    match error {
        Error::Assertion {
            function,
            message,
            place,
        } => (function, message, place),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_broken_assertion_tells_what_and_where() {
    for device in DEVICES {
        let (mut program, log) = load(device);
        let error = program.run(&array![1.0, 1.0], 6).unwrap_err();
        let text = error.to_string();
        let (function, message, place) = broken(error);
        assert_eq!(
            (function.as_str(), message.as_str()),
            ("run", "at most three rounds")
        );
        assert!(place.contains("observation.rs:"), "{place}");
        let line: usize = place.split(':').nth(1).unwrap().parse().unwrap();
        let source = include_str!("observation.rs")
            .lines()
            .nth(line - 1)
            .unwrap();
        assert!(source.contains("at most three rounds"), "{source}");
        assert_eq!(
            text,
            format!("`run` failed: at most three rounds ({place})")
        );
        assert_eq!(take(&log).last().unwrap(), "other 3 [16, 16]");
        // The session goes on, and what was stored behind the assertion was not.
        assert_eq!(program.count().unwrap().to_scalar().unwrap(), 0);
        let y = program.run(&array![1.0], 1).unwrap();
        assert_eq!(y.to_array().unwrap(), array![2.0]);
        assert_eq!(program.count().unwrap().to_scalar().unwrap(), 1);
    }
}

#[test]
fn assertions_hold_in_kernels() {
    let (program, _) = load("local-sync");
    let mean = program.finite(&array![1.0, 2.0, 3.0]).unwrap();
    assert_eq!(mean.to_scalar().unwrap(), 2.0);
    let error = program.finite(&array![1.0, f32::NAN]).unwrap_err();
    assert_eq!(broken(error).1, "every number is finite");
    assert_eq!(
        program.finite(&array![4.0]).unwrap().to_scalar().unwrap(),
        4.0
    );
}

#[test]
fn a_call_that_fails_stores_nothing_whole() {
    for device in DEVICES {
        let (mut program, _) = load(device);
        assert_eq!(program.store(2, 5).unwrap().to_scalar().unwrap(), 102);
        for _ in 0..100 {
            let error = program.store(6, 5).unwrap_err();
            assert_eq!(broken(error).1, "the place is below the limit");
            assert_eq!(program.count().unwrap().to_scalar().unwrap(), 102);
        }
        assert_eq!(program.store(1, 5).unwrap().to_scalar().unwrap(), 101);
    }
}

#[test]
fn a_sink_that_panics_fails_the_call() {
    let device = Device::open("local-sync").unwrap();
    let sink = |trace: &Trace| assert!(trace.key() != "one", "no one");
    let mut program = Steps::loader(&device).trace(sink).load().unwrap();
    assert!(program.run(&array![1.0], 1).is_ok());
    let error = program.run(&array![1.0], 2).unwrap_err();
    assert!(
        format!("{error:?}").contains("the sink panicked"),
        "{error:?}"
    );
    assert!(program.run(&array![1.0], 1).is_ok());
}

#[test]
fn traces_go_to_files() {
    let folder = tempfile::tempdir().unwrap();
    let device = Device::open("local-sync").unwrap();
    let loader = Steps::loader(&device).trace(trace_to_files(folder.path()));
    let mut program = loader.load().unwrap();
    program.run(&array![1.5, 2.5], 0).unwrap();
    let start: Array1<f32> = ndarray_npy::read_npy(folder.path().join("start.0.npy")).unwrap();
    assert_eq!(start, array![1.5, 2.5]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

/// A trace of each element type.
macro_rules! types {
    ($($name:ident: $ty:ty, $value:expr, $text:literal;)+) => {
        #[program]
        mod types {
            pub struct Types;

            impl Types {
                $(pub fn $name<const B: usize>(&self, x: Tensor<$ty, B>, y: Tensor<$ty>) -> Tensor<$ty> {
                    trace!("both", x, y);
                    y
                })+
            }
        }

        #[test]
        fn every_element_type_is_shown() {
            let device = Device::open("local-sync").unwrap();
            let log = Log::default();
            $({
                let written = log.clone();
                let sink = move |trace: &Trace| {
                    let [x, y] = trace.arrays() else { panic!("two") };
                    assert_eq!(x.view::<$ty, Ix1>().unwrap().to_vec(), [$value; 2]);
                    assert_eq!(y.view::<$ty, Ix0>().unwrap()[()], $value);
                    assert!(y.view::<$ty, Ix1>().is_err() && y.view::<$ty, IxDyn>().is_ok());
                    written.lock().unwrap().push(y.to_string());
                };
                let program = types::Types::loader(&device).trace(sink).load().unwrap();
                program.$name(&array![$value, $value], $value).unwrap();
                assert_eq!(take(&log), [$text]);
            })+
        }
    };
}

types! {
    of_bool: bool, true, "true";
    of_i8: i8, -100, "-100";
    of_i16: i16, -30_000, "-30000";
    of_i32: i32, -2_000_000_000, "-2000000000";
    of_i64: i64, i64::MIN, "-9223372036854775808";
    of_u8: u8, 200, "200";
    of_u16: u16, 60_000, "60000";
    of_u32: u32, 4_000_000_000, "4000000000";
    of_u64: u64, u64::MAX, "18446744073709551615";
    of_f16: f16, f16::from_f32(1.5), "1.5";
    of_bf16: bf16, bf16::from_f32(-2.5), "-2.5";
    of_f32: f32, 0.1, "0.1";
    of_f64: f64, 0.1, "0.1";
    of_c64: Complex<f32>, Complex::new(1.0, -2.0), "1-2i";
    of_c128: Complex<f64>, Complex::new(0.5, 2.0), "0.5+2i";
}
