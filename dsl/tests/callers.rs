//! Who calls a program whose calls are queued: functions of the host that another program waits for, and threads.

use iree_dsl::{DynamicArray, prelude::*};
use ndarray::{Array1, Array2, Ix1, Ix2, s};
use std::{sync::Mutex, thread};

const SIZE: usize = 4096;

#[program]
mod sums {
    const SIZE: usize = 4096;

    pub struct Sums {
        #[global]
        sum: Tensor<f32, SIZE>,
    }

    impl Sums {
        /// Takes a while.
        pub fn add(
            &mut self,
            x: Tensor<f32, SIZE>,
            slow: Tensor<f32, 256, 256>,
        ) -> Tensor<f32, SIZE> {
            let one = slow.dot(slow).dot(slow)[s![0, ..1]] / 65536.0;
            self.sum = self.sum + x * one;
            self.sum
        }

        pub fn forget_half(&mut self) {
            self.sum[s![..{ SIZE / 2 }]] = zeros();
        }
    }
}

#[program]
mod rows {
    const SIZE: usize = 4096;

    pub struct Rows {
        #[global]
        rows: Tensor<f32, 2, SIZE>,
    }

    impl Rows {
        pub fn step(&mut self, by: Tensor<f32>) -> Tensor<f32, SIZE> {
            let row = self.rows[0] + by;
            self.rows[0] = row;
            let told = ask(row);
            self.rows[1] = told;
            told
        }

        pub fn rows(&self) -> Tensor<f32, 2, SIZE> {
            self.rows
        }
    }

    #[import]
    fn ask(x: Tensor<f32, SIZE>) -> Tensor<f32, SIZE>;
}

use rows::Rows;
use sums::Sums;

const DEVICES: [&str; 4] = [
    "local-sync",
    "local-task?workers=1",
    "local-task?workers=4",
    "local-task?workers=4&queued",
];

fn ones(device: &Device) -> DeviceArray<f32, Ix2> {
    device.upload(&Array2::<f32>::ones((256, 256))).unwrap()
}

#[test]
fn a_function_of_the_host_returns_what_another_program_has_queued() {
    for name in DEVICES {
        let device = Device::open(name).unwrap();
        let (slow, sums) = (ones(&device), Mutex::new(Sums::load(&device).unwrap()));
        let ask = move |[x]: [DynamicArray; 1]| {
            let mut sums = sums.lock().unwrap();
            let sum = sums.add(x.downcast::<f32, Ix1>()?, &slow)?;
            sums.forget_half()?;
            Ok([sum.into_dynamic()])
        };
        let mut rows = Rows::loader(&device).import("ask", ask).load().unwrap();
        let (mut row, mut sum) = (0.0, Array1::<f32>::zeros(SIZE));
        let mut kept = Vec::new();
        for by in [0.0, 1.0, 2.0].repeat(20) {
            let told = rows.step(by).unwrap();
            row += by;
            sum += row;
            kept.push((told, sum.clone()));
            sum.slice_mut(s![..SIZE / 2]).fill(0.0);
        }
        let rows = rows.rows().unwrap().to_array().unwrap();
        assert_eq!(rows.row(0), Array1::from_elem(SIZE, row));
        assert_eq!(rows.row(1), kept[kept.len() - 1].1);
        for (told, expected) in kept {
            assert_eq!(told.to_array().unwrap(), expected);
        }
    }
}

#[test]
fn threads_queue_calls_of_one_program() {
    for name in DEVICES {
        let device = Device::open(name).unwrap();
        let (slow, sums) = (ones(&device), Mutex::new(Sums::load(&device).unwrap()));
        let x = device.upload(&Array1::<f32>::ones(SIZE)).unwrap();
        let add = || sums.lock().unwrap().add(&x, &slow).unwrap();
        let read = |sum: DeviceArray<f32, Ix1>| {
            let sum = sum.to_array().unwrap();
            assert!(sum.iter().all(|value| *value == sum[0]));
            sum[0]
        };
        let mut all = thread::scope(|scope| {
            let threads = [0; 4].map(|_| {
                scope.spawn(|| {
                    let queued: Vec<_> = (0..50).map(|_| add()).collect();
                    queued.into_iter().map(read).collect::<Vec<_>>()
                })
            });
            threads.map(|thread| thread.join().unwrap()).concat()
        });
        all.sort_by(f32::total_cmp);
        assert_eq!(all, (1..=200u16).map(f32::from).collect::<Vec<_>>());
    }
}
