//! Calls that the calling thread does itself on a device with workers, since waking one takes longer.

use iree_dsl::prelude::*;
use ndarray::{Array1, array};
use std::time::Duration;

#[program]
mod sums {
    pub struct Sums {
        #[global]
        total: Tensor<f32>,
    }

    impl Sums {
        pub fn add(&mut self, x: Tensor<f32, 4>) -> Tensor<f32> {
            self.total += x.sum();
            self.total
        }

        pub fn total(&self) -> Tensor<f32> {
            self.total
        }

        pub fn add_checked(&mut self, x: Tensor<f32>) -> Tensor<f32> {
            assert!(x > 0.0, "only more");
            self.total += x;
            self.total
        }

        /// How much work it is the call says.
        pub fn exponentials<const N: usize>(&self, x: Tensor<f32, N>) -> Tensor<f32, N> {
            x.exp().sqrt().exp()
        }

        /// Nobody knows how long.
        pub fn halved(&self, x: Tensor<f32>) -> Tensor<f32> {
            let mut x = x;
            while x > 1.0 {
                x *= 0.5;
            }
            x
        }
    }
}

use sums::Sums;

/// Not one of many calls is left to a worker, or all are so large that some are.
fn is_done(call: impl Fn() -> iree_dsl::Result<bool>) -> bool {
    (0..200).all(|_| call().unwrap())
}

const AT_ONCE: Duration = Duration::ZERO;

#[test]
fn what_is_short_is_done_when_the_call_returns() {
    for name in ["local-task", "local-task?workers=1", "local-task?workers=4"] {
        let device = Device::open(name).unwrap();
        let mut program = Sums::load(&device).unwrap();
        let x = device.upload([1.0f32, 2.0, 3.0, 4.0]).unwrap();
        for round in 1..=500 {
            let total = program.add(&x).unwrap();
            assert!(total.wait_for(AT_ONCE).unwrap());
            assert_eq!(total.to_scalar().unwrap(), 10.0 * round as f32);
        }
        let small = device.upload(&Array1::<f32>::ones(8)).unwrap();
        assert!(is_done(|| program.exponentials(&small)?.wait_for(AT_ONCE)));
    }
}

#[test]
fn what_is_long_is_left_to_workers() {
    for name in ["local-task?workers=2", "local-task?workers=1&queued"] {
        let device = Device::open(name).unwrap();
        let program = Sums::load(&device).unwrap();
        let large = device.upload(&Array1::<f32>::ones(4 << 20)).unwrap();
        assert!(!is_done(|| program.exponentials(&large)?.wait_for(AT_ONCE)));
        let result = program.exponentials(&large).unwrap().to_array().unwrap();
        let expected = 1f32.exp().sqrt().exp();
        assert!(
            result
                .iter()
                .all(|value| (value / expected - 1.0).abs() < 1e-5)
        );
    }
}

#[test]
fn what_is_short_comes_after_what_is_queued() {
    let device = Device::open("local-task?workers=2").unwrap();
    let program = Sums::load(&device).unwrap();
    let large = device.upload(&Array1::<f32>::zeros(4 << 20)).unwrap();
    for _ in 0..20 {
        let next = program.exponentials(&large).unwrap();
        let next = program.exponentials(&next).unwrap();
        let short = program.exponentials(&array![0.0f32]).unwrap();
        let expected = 1f32.exp().exp().sqrt().exp();
        let first = next.to_array().unwrap()[0];
        assert!(
            (first / expected - 1.0).abs() < 1e-5,
            "{first} is not {expected}"
        );
        let short = short.to_array().unwrap()[0];
        assert!((short - 1f32.exp()).abs() < 1e-5);
    }
}

#[test]
fn what_nobody_can_estimate_is_the_same_on_each_device() {
    let results = ["local-sync", "local-task", "local-task?queued"].map(|name| {
        let device = Device::open(name).unwrap();
        let program = Sums::load(&device).unwrap();
        program.halved(100.0).unwrap().to_scalar().unwrap()
    });
    assert_eq!(results, [0.78125; 3]);
}

#[test]
fn what_fails_leaves_the_program_as_it_was() {
    let device = Device::open("local-task").unwrap();
    let mut program = Sums::load(&device).unwrap();
    for round in 1..20 {
        let error = program.add_checked(-1.0).unwrap_err();
        assert!(error.to_string().contains("only more"), "{error}");
        let total = program.add_checked(0.5).unwrap().to_scalar().unwrap();
        assert_eq!(total, 0.5 * round as f32);
        assert_eq!(program.total().unwrap().to_scalar().unwrap(), total);
    }
}
