//! The memory of what is queued: how much of it there is, and calls that find none.

use iree_dsl::{Code, Error, Parameters, Result, prelude::*};
use ndarray::{Array1, Array2};

#[program]
mod steps {
    pub struct Steps {
        #[global(init = ones())]
        row: Tensor<f32, 8192>,
        #[global]
        count: Tensor<i32>,
    }

    impl Steps {
        pub fn step(&mut self, by: Tensor<f32, 8192>) {
            self.row = self.row * 0.5 + by;
        }

        /// The same so many times.
        pub fn steps(&mut self, times: Tensor<i32>, by: Tensor<f32, 8192>) {
            for _ in range(0, times) {
                self.row = self.row * 0.5 + by;
            }
        }

        /// The same after a while.
        pub fn step_late(&mut self, by: Tensor<f32, 8192>, slow: Tensor<f32, 512, 512>) {
            let mut product = slow;
            for _ in 0..20 {
                product = product.dot(slow) / 512.0;
            }
            self.row = self.row * 0.5 + by * product.max();
        }

        /// Takes half a gigabyte once it is known what the row is.
        pub fn outgrow(&mut self) {
            let square = self.row.outer(self.row);
            self.row = square.dot(square).sum_axis(0);
        }

        pub fn row(&self) -> Tensor<f32, 8192> {
            self.row
        }

        pub fn count(&mut self) -> Tensor<i32> {
            self.count += 1;
            self.count
        }
    }
}

use steps::Steps;

const SIZE: usize = 8192;

#[track_caller]
fn assert_exhausted<T>(outcome: Result<T>) {
    match outcome {
        Err(Error::Call { source, .. } | Error::Transfer { source, .. }) => {
            assert_eq!(source.code(), Code::ResourceExhausted);
        }
        Err(error) => panic!("another error: {error}"),
        Ok(_) => panic!("there is enough memory"),
    }
}

/// Where the calling thread does some of the work, or none.
const TASKS: [&str; 4] = [
    "local-task?workers=1",
    "local-task?workers=2",
    "local-task?workers=1&queued",
    "local-task?workers=2&queued",
];

#[test]
fn what_is_queued_has_a_bound() {
    for name in TASKS.into_iter().chain(["local-sync"]) {
        let device = Device::builder(name)
            .memory_limit(112 << 20)
            .open()
            .unwrap();
        let by = device.upload(&Array1::<f32>::ones(SIZE)).unwrap();
        let mut program = Steps::load(&device).unwrap();
        for _ in 0..5000 {
            program.step(&by).unwrap();
        }
        program.steps(5000, &by).unwrap();
        let row = program.row().unwrap().to_array().unwrap();
        assert!(row.iter().all(|value| *value == 2.0));
    }
}

#[test]
fn calls_behind_one_that_finds_no_memory_fail_until_globals_are_stored_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("steps.irpa");
    for name in TASKS {
        let device = Device::builder(name)
            .memory_limit(128 << 20)
            .open()
            .unwrap();
        let by = device.upload(&Array1::<f32>::ones(SIZE)).unwrap();
        let slow = device.upload(&Array2::<f32>::ones((512, 512))).unwrap();
        let mut program = Steps::load(&device).unwrap();
        program.save_parameters(&path).unwrap();
        program.step_late(&by, &slow).unwrap();
        program.outgrow().unwrap();
        for _ in 0..60 {
            // Fails if it is known by now.
            if let Err(error) = program.step(&by) {
                assert_exhausted::<()>(Err(error));
            }
        }
        assert_exhausted(program.row().and_then(|row| row.to_array()));
        assert_exhausted(program.row().and_then(|row| row.to_array()));
        assert_eq!(program.count().unwrap().to_scalar().unwrap(), 1);
        program
            .load_parameters(Parameters::open(&path).unwrap())
            .unwrap();
        program.step(&by).unwrap();
        let row = program.row().unwrap().to_array().unwrap();
        assert!(row.iter().all(|value| *value == 1.5));
    }
}

/// Under each limit something else is what there is no memory for. What a device takes when it is
/// opened is most of them, and how many calls wait at a time is up to the machine: only the lowest
/// limits are too low for sure.
#[test]
fn calls_that_find_no_memory_leave_nothing_that_is_waited_for() {
    let opened = 64 << 20;
    for name in TASKS {
        let mut failures = 0;
        for limit in (opened..opened + (3 << 20)).step_by(16 << 10) {
            let Ok(device) = Device::builder(name).memory_limit(limit).open() else {
                continue;
            };
            let by = device.upload(&Array1::<f32>::ones(SIZE));
            let program = Steps::load(&device);
            let (Ok(by), Ok(mut program)) = (by, program) else {
                continue;
            };
            for _ in 0..20 {
                failures += usize::from(program.step(&by).is_err());
                failures += usize::from(program.count().is_err());
            }
            failures += usize::from(program.row().and_then(|row| row.to_array()).is_err());
        }
        assert_ne!(failures, 0, "{name}");
    }
}
