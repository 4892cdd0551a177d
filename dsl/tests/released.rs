//! Calls leave no memory behind, whatever ways they take through branches and loops.

use iree_dsl::prelude::*;
use ndarray::{Array1, Array2, Array3};
use std::{
    thread,
    time::{Duration, Instant},
};

#[program]
mod ways {
    pub struct Ways;

    type State = Tensor<f32, 8, 64>;

    impl Ways {
        pub fn once(&self, x: State, n: Tensor<i32>) -> State {
            let mut y = x;
            for _ in range(0, n) {
                y = (y * 0.5 + x).tanh();
            }
            y
        }

        pub fn several(&self, x: State, n: Tensor<i32>) -> (State, Tensor<f32, 64>, State) {
            let (mut y, mut sum) = (x, x.sum_axis(0));
            let mut rows = zeros_like(x);
            let mut i = 0;
            while i < n {
                y = (y * 0.5 + x).tanh();
                sum += y.sum_axis(0);
                rows[i % 8] = sum;
                i += 1;
            }
            (y, sum, rows)
        }

        pub fn branches(&self, x: State, n: Tensor<i32>) -> (State, State) {
            let y = x.tanh();
            if n > 3 { (y + 1.0, y) } else { (y, x.exp()) }
        }

        pub fn nested(&self, x: State, n: Tensor<i32>) -> (State, State) {
            let (mut y, mut z) = (x, x.sin());
            for i in range(0, n) {
                (y, z) = if i % 2 == 0 { (z, y * 0.5) } else { (y, z + x) };
                for _ in range(0, i) {
                    z = z.tanh();
                }
            }
            (y, z)
        }

        pub fn gradient(
            &self,
            xs: Tensor<f32, 20, 8, 64>,
            w: Tensor<f32, 64, 64>,
        ) -> Tensor<f32, 64, 64> {
            let loss = |w: Tensor<f32, 64, 64>| {
                let (last, sums) = scan(zeros(), xs, |h: State, x: State| {
                    let h = (x + h.dot(w)).tanh();
                    (h, h.sum())
                });
                (last * last).sum() + sums.sum()
            };
            grad(loss)(w)
        }

        pub fn of_any_size<const N: usize>(
            &self,
            x: Tensor<f32, N, 64>,
            n: Tensor<i32>,
        ) -> (Tensor<f32, N, 64>, Tensor<f32, 64>) {
            let (mut y, mut sum) = (x, x.sum_axis(0));
            for _ in range(0, n) {
                y = (y * 0.5 + x).tanh();
                sum += y.sum_axis(0);
            }
            (y, sum)
        }
    }
}

#[test]
fn calls_leave_no_memory_behind() {
    for device in ["local-sync", "local-task", "local-task?queued"] {
        let device = Device::open(device).unwrap();
        let program = ways::Ways::load(&device).unwrap();
        let state = Array2::from_shape_fn((8, 64), |(i, j)| (i + j) as f32 / 72.0);
        let inputs = Array3::from_elem((20, 8, 64), 0.1_f32);
        let weights = Array2::from_elem((64, 64), 0.01_f32);
        let call = || {
            for n in [0, 1, 2, 7] {
                program.once(&state, n).unwrap().to_array().unwrap();
                let (_, _, rows) = program.several(&state, n).unwrap();
                rows.to_array().unwrap();
                program.branches(&state, n).unwrap().0.to_array().unwrap();
                program.nested(&state, n).unwrap().0.to_array().unwrap();
                let (_, sum) = program.of_any_size(&state, n).unwrap();
                let sum: Array1<f32> = sum.to_array().unwrap();
                assert!(sum.iter().all(|number| number.is_finite()));
            }
            let gradient = program.gradient(&inputs, &weights).unwrap();
            gradient.to_array().unwrap();
        };
        for _ in 0..10 {
            call();
        }
        assert_eq!(live_at_rest(&device), 0);
    }
}

/// What is live when all work is done. A queue may still release what a call used after its results are there.
fn live_at_rest(device: &Device) -> usize {
    let deadline = Instant::now() + Duration::from_secs(30);
    while device.memory().live > 0 && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(1));
    }
    device.memory().live
}
