//! What a loop that changes a part of a large global takes of memory. It has a process to itself.
#![cfg(target_os = "linux")]

use iree_dsl::prelude::*;
use ndarray::Array1;

#[program]
mod rows {
    const POSITIONS: usize = 4096;
    const WIDTH: usize = 4096;

    pub struct Rows {
        /// 64 MiB.
        #[global]
        cache: Tensor<f32, POSITIONS, WIDTH>,
    }

    impl Rows {
        pub fn fill(&mut self, n: Tensor<i32>, row: Tensor<f32, WIDTH>) {
            for i in range(0, n) {
                self.cache[s![i, ..]] = row * (i as f32);
            }
        }

        pub fn put(&mut self, i: Tensor<i32>, row: Tensor<f32, WIDTH>) -> Tensor<f32, WIDTH> {
            self.cache[s![i, ..]] = row;
            self.cache[i]
        }

        pub fn read(&self, i: Tensor<i32>) -> Tensor<f32, WIDTH> {
            self.cache[i]
        }
    }
}

/// The most memory that this process has had so far.
fn peak_memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kibibytes = line
        .and_then(|line| line.split_whitespace().nth(1))
        .unwrap();
    kibibytes.parse::<usize>().unwrap() * 1024
}

/// A copy of the cache, in a loop or not, would take its size once more.
#[test]
fn a_large_global_is_changed_in_place() {
    const CACHE: usize = 4096 * 4096 * 4;
    let before = peak_memory();
    let device = Device::open("local-sync").unwrap();
    let mut program = rows::Rows::load(&device).unwrap();
    let row = Array1::from_iter((0..4096).map(|k| k as f32));
    program.fill(5, &row).unwrap();
    assert_eq!(program.put(9, &row).unwrap().to_array().unwrap(), row);
    for i in 0..5 {
        let read = program.read(i).unwrap().to_array().unwrap();
        assert_eq!(read, &row * (i as f32));
    }
    let taken = peak_memory() - before;
    assert!(
        (CACHE..CACHE * 6 / 5).contains(&taken),
        "{taken} bytes were taken"
    );
}
