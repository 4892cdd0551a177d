//! Calls that take too long.

use iree_dsl::{Code, Error, prelude::*};
use ndarray::Array2;
use std::time::Duration;

#[program]
mod long {
    pub struct Long {
        #[global]
        count: Tensor<i32>,
    }

    impl Long {
        /// Takes a hundred milliseconds or more, looks at what that has given, and counts.
        pub fn work(&mut self, x: Tensor<f32, 512, 512>) -> Tensor<f32> {
            let mut power = x;
            for _ in 0..100 {
                power = power.dot(x) / 512.0;
            }
            let largest = power.max();
            assert!(largest > 0.0, "it is positive");
            self.count += 1;
            largest
        }

        pub fn count(&self) -> Tensor<i32> {
            self.count
        }
    }
}

#[program]
mod queued {
    pub struct Queued;

    impl Queued {
        pub fn work(&self, x: Tensor<f32, 512, 512>) -> Tensor<f32> {
            let mut power = x;
            for _ in 0..100 {
                power = power.dot(x) / 512.0;
            }
            power.max()
        }

        /// Takes a few milliseconds.
        pub fn square(&self, x: Tensor<f32, 512, 512>) -> Tensor<f32, 512, 512> {
            x.dot(x)
        }
    }
}

const SHORT: Duration = Duration::from_millis(1);
const LONG: Duration = Duration::from_secs(3600);

#[track_caller]
fn assert_missed<T>(outcome: iree_dsl::Result<T>, function: &str) {
    let Err(error) = outcome else {
        panic!("it is done in time");
    };
    assert_eq!(error.to_string(), format!("`{function}` failed"));
    let Error::Call { source, .. } = error else {
        panic!("another error: {error}");
    };
    assert_eq!(source.code(), Code::DeadlineExceeded);
    let message = source.message();
    assert!(
        message.starts_with("the call takes longer than 1ms"),
        "{message}"
    );
}

#[test]
fn a_call_that_takes_too_long_is_an_error() {
    let device = Device::open("local-task?workers=2").unwrap();
    let x = device.upload(&Array2::<f32>::ones((512, 512))).unwrap();
    let loader = long::Long::loader(&device);
    let mut program = loader.time_limit(SHORT).load().unwrap();
    assert_missed(program.work(&x), "work");
    // What the device still does belongs to the session: the next call waits for it, in its own time.
    let count = loop {
        match program.count().and_then(|count| count.to_scalar()) {
            Ok(count) => break count,
            error => assert_missed(error, "count"),
        }
    };
    assert!((0..=1).contains(&count));
    // Dropping it waits too.
    assert_missed(program.work(&x), "work");
    drop(program);

    let mut program = long::Long::loader(&device).time_limit(LONG).load().unwrap();
    assert_eq!(program.work(&x).unwrap().to_scalar().unwrap(), 1.0);
    assert_eq!(program.count().unwrap().to_scalar().unwrap(), 1);
}

#[test]
fn so_is_waiting_for_the_results_of_one() {
    let device = Device::open("local-task?workers=2").unwrap();
    let x = device.upload(&Array2::<f32>::ones((512, 512))).unwrap();
    let loader = queued::Queued::loader(&device);
    let program = loader.time_limit(SHORT).load().unwrap();
    let result = program.work(&x).unwrap();
    assert_missed(result.to_scalar(), "work");
    assert_missed(result.wait(), "work");
    // Until it is there.
    while let Err(error) = result.wait() {
        assert_missed(Err::<(), _>(error), "work");
    }
    assert_eq!(result.to_scalar().unwrap(), 1.0);
}

#[test]
fn so_is_waiting_for_room_in_the_queue() {
    let device = Device::open("local-task?workers=2").unwrap();
    let x = device.upload(&Array2::<f32>::ones((512, 512))).unwrap();
    let loader = queued::Queued::loader(&device);
    let program = loader.time_limit(SHORT).load().unwrap();
    let missed = (0..1000).find_map(|_| program.square(&x).err());
    assert_missed(missed.map_or(Ok(()), Err), "square");
}

#[test]
fn what_works_while_it_is_told_to_has_no_limit() {
    let device = Device::open("local-sync").unwrap();
    let loader = long::Long::loader(&device);
    let mut program = loader.time_limit(SHORT).load().unwrap();
    let largest = program.work(&Array2::<f32>::ones((512, 512))).unwrap();
    assert_eq!(largest.to_scalar().unwrap(), 1.0);
}
