//! Large arrays that are given away are not copied: bytes are counted, on every device.

use iree_dsl::prelude::*;
use ndarray::Ix1;
use std::sync::{Mutex, PoisonError};

#[program]
mod large {
    const N: usize = 16777216;

    pub struct Large;

    pub struct State {
        pub x: Tensor<f32, N>,
        pub steps: Tensor<i32>,
    }

    impl Large {
        pub fn put(&self, x: Tensor<f32, N>, i: Tensor<i32>) -> Tensor<f32, N> {
            let mut x = x;
            x[i] = 9.0;
            x
        }

        pub fn pass(&self, x: Tensor<f32, N>) -> Tensor<f32, N> {
            x
        }

        pub fn step(&self, state: State) -> State {
            let mut x = state.x;
            x[state.steps] = 1.0;
            State {
                x,
                steps: state.steps + 1,
            }
        }

        pub fn fill(&self, v: Tensor<f32>) -> Tensor<f32, N> {
            v.broadcast_to([N])
        }
    }
}

const BYTES: usize = 64 << 20;
/// What scalars and results of a few elements may take.
const LITTLE: usize = 4096;

/// Does a test on each device, and no other at the same time: a worker that waits for a core lets go of memory late, and a
/// call copies rather than wait for it any longer.
fn each_device(test: fn(&Device, &large::Large)) {
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    for spec in ["local-sync", "local-task?workers=2"] {
        let device = Device::open(spec).unwrap();
        test(&device, &large::Large::load(&device).unwrap());
    }
}

/// How many bytes were asked for in a call.
fn counted<T>(device: &Device, call: impl FnOnce() -> T) -> (usize, T) {
    let before = device.memory().allocated;
    let result = call();
    (device.memory().allocated - before, result)
}

fn filled(program: &large::Large) -> DeviceArray<f32, Ix1> {
    program.fill(2.0).unwrap()
}

#[test]
fn an_array_that_is_given_away_is_updated_in_place() {
    each_device(|device, program| {
        let x = filled(program);
        let at = x.view().unwrap().as_ptr();
        let (bytes, y) = counted(device, || program.put(x, 3).unwrap());
        assert!(bytes < LITTLE, "{bytes} bytes on {}", device.name());
        let view = y.view().unwrap();
        assert_eq!(view.as_ptr(), at);
        assert_eq!((view[2], view[3], view[4]), (2.0, 9.0, 2.0));
    });
}

#[test]
fn one_that_is_lent_is_copied_once_if_it_is_updated() {
    each_device(|device, program| {
        let x = filled(program);
        let (bytes, y) = counted(device, || program.put(&x, 3).unwrap());
        assert!((BYTES..BYTES + LITTLE).contains(&bytes), "{bytes} bytes");
        assert_eq!((x.view().unwrap()[3], y.view().unwrap()[3]), (2.0, 9.0));
    });
}

#[test]
fn passing_and_returning_copies_nothing() {
    each_device(|device, program| {
        let x = filled(program);
        let (bytes, y) = counted(device, || program.pass(&x).unwrap());
        assert!(bytes < LITTLE, "{bytes} bytes on {}", device.name());
        assert_eq!(x.view().unwrap().as_ptr(), y.view().unwrap().as_ptr());
    });
}

#[test]
fn a_tree_that_is_given_away_is_updated_in_place_again_and_again() {
    each_device(|device, program| {
        let steps = device.upload(0).unwrap();
        let mut state = large::State {
            x: filled(program),
            steps,
        };
        let (bytes, state) = counted(device, move || {
            for _ in 0..10 {
                state = program.step(state).unwrap();
            }
            state
        });
        assert!(bytes < BYTES, "{bytes} bytes on {}", device.name());
        let view = state.x.view().unwrap();
        assert_eq!((view[9], view[10]), (1.0, 2.0));
        assert_eq!(state.steps.to_scalar().unwrap(), 10);
    });
}
