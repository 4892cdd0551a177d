//! Functions of the host that a program calls.

use iree_dsl::{DynamicArray, Error, prelude::*};
use ndarray::{Ix0, Ix1, array};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

#[program]
mod asking {
    const N: usize = 3;

    pub struct Asking {
        #[global]
        count: Tensor<u32>,
    }

    impl Asking {
        /// Asks in a loop, and keeps what it is told.
        pub fn run(
            &mut self,
            x: Tensor<u8, N>,
            rounds: Tensor<i32>,
        ) -> (Tensor<u8, N>, Tensor<u32>) {
            let mut y = x;
            for i in range(0, rounds) {
                let told = next(y, (i, true));
                y = told.0;
                self.count = told.1;
            }
            (y, self.count)
        }

        /// Nothing depends on the call.
        pub fn tell(&self, x: Tensor<f32>, loud: Tensor<bool>) {
            if loud {
                log(x);
            }
        }
    }

    #[import]
    fn next(x: Tensor<u8, N>, at: (Tensor<i32>, Tensor<bool>)) -> (Tensor<u8, N>, Tensor<u32>);

    #[import]
    fn log(x: Tensor<f32>);

    #[import]
    fn never_called(x: Tensor<f32>) -> Tensor<f32>;
}

use asking::Asking;

type Arrays<const N: usize> = iree_dsl::Result<[DynamicArray; N]>;

/// Adds 100 to each element, wrapping, and returns a number that needs the highest bit.
fn next([x, at, truth]: [DynamicArray; 3]) -> Arrays<2> {
    let device = x.device().clone();
    let x = x.downcast::<u8, Ix1>()?.to_array()?;
    assert!(truth.downcast::<bool, Ix0>()?.to_scalar()?);
    let at = at.downcast::<i32, Ix0>()?.to_scalar()?;
    let count = device.upload(u32::MAX - at as u32)?;
    let next = device.upload(&x.mapv(|x| x.wrapping_add(100)))?;
    Ok([next.into_dynamic(), count.into_dynamic()])
}

fn silent([_]: [DynamicArray; 1]) -> Arrays<0> {
    Ok([])
}

#[test]
fn programs_call_the_host() {
    for device in ["local-sync", "local-task?workers=2"] {
        let device = Device::open(device).unwrap();
        let loader = Asking::loader(&device).import("next", next);
        let mut program = loader.import("log", silent).load().unwrap();
        let (y, count) = program.run(&array![1, 100, 255], 3).unwrap();
        assert_eq!(y.to_array().unwrap(), array![45, 144, 43]);
        assert_eq!(count.to_scalar().unwrap(), u32::MAX - 2);
        let (y, count) = program.run(&array![1, 2, 3], 0).unwrap();
        assert_eq!(y.to_array().unwrap(), array![1, 2, 3]);
        assert_eq!(count.to_scalar().unwrap(), u32::MAX - 2);
    }
}

#[test]
fn calls_that_nothing_depends_on_are_made() {
    let device = Device::open("local-sync").unwrap();
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = calls.clone();
    let log = move |[x]: [DynamicArray; 1]| -> Arrays<0> {
        assert_eq!(x.downcast::<f32, Ix0>()?.to_scalar()?, 1.5);
        counted.fetch_add(1, Ordering::Relaxed);
        Ok([])
    };
    let loader = Asking::loader(&device).import("next", next);
    let program = loader.import("log", log).load().unwrap();
    program.tell(1.5, true).unwrap();
    program.tell(1.5, false).unwrap();
    program.tell(1.5, true).unwrap();
    assert_eq!(calls.load(Ordering::Relaxed), 2);
    let error = program.tell(2.5, true).unwrap_err();
    assert!(format!("{error:?}").contains("`log` panicked"), "{error:?}");
}

#[test]
fn all_that_is_missing_is_told_at_once() {
    let device = Device::open("local-sync").unwrap();
    let loader = Asking::loader(&device).import("next", silent);
    let Err(error @ Error::Imports { .. }) = loader.load() else {
        panic!("it does not load");
    };
    assert_eq!(
        error.to_string(),
        "the program `asking` does not find what it imports:\n  \
         log(x: Tensor<f32>): it was not given\n  \
         next(x: Tensor<u8, 3>, at.0: Tensor<i32>, at.1: Tensor<bool>) -> \
         Tensor<u8, 3>, Tensor<u32>: it was given with 1 arguments and 0 results"
    );
}

#[test]
fn results_are_checked() {
    let device = Device::open("local-sync").unwrap();
    let swapped = |[x, at, truth]: [DynamicArray; 3]| {
        let [next, count] = next([x, at, truth])?;
        Ok([count, next])
    };
    let loader = Asking::loader(&device).import("next", swapped);
    let mut program = loader.import("log", silent).load().unwrap();
    let error = program.run(&array![1, 2, 3], 1).unwrap_err();
    let text = format!("{error:?}");
    let expected = "`next` returned a `Tensor<u32>` instead of a `Tensor<u8, 3>`";
    assert!(text.contains(expected), "{text}");
    assert!(program.run(&array![1, 2, 3], 0).is_ok());
}
