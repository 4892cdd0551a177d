//! How much memory large parameters take. A process of its own, since it measures the whole process.
#![cfg(target_os = "linux")]

use iree_dsl::{Parameters, prelude::*};
use std::{
    fs::{self, File},
    io::{BufWriter, Write},
    path::Path,
};

const ROWS: usize = 4096;
const COLUMNS: usize = 4096;

/// The bytes of both tensors.
const BYTES: usize = 2 * 4 * ROWS * COLUMNS;

#[program]
mod large {
    pub struct Large {
        #[global(parameter = "model")]
        read: Tensor<f32, 4096, 4096>,
        #[global(parameter = "model")]
        stored: Tensor<f32, 4096, 4096>,
    }

    impl Large {
        pub fn sums(&self, x: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>) {
            ((self.read * x).sum(), (self.stored * x).sum())
        }

        pub fn store(&mut self, row: Tensor<f32, 4096>, at: Tensor<i32>) {
            self.stored[s![at, ..]] = row;
        }
    }
}

/// Writes safetensors whose data starts at a multiple of 64, or not.
fn write(path: &Path, aligned: bool) {
    let tensor = |start: usize| {
        let end = start + BYTES / 2;
        format!(r#"{{"dtype":"F32","shape":[{ROWS},{COLUMNS}],"data_offsets":[{start},{end}]}}"#)
    };
    let mut header = format!(r#"{{"read":{},"stored":{}}}"#, tensor(0), tensor(BYTES / 2));
    let length = (header.len() + 8).next_multiple_of(64) - 8 + if aligned { 0 } else { 8 };
    header.push_str(&" ".repeat(length - header.len()));
    let mut file = BufWriter::new(File::create(path).unwrap());
    file.write_all(&(length as u64).to_le_bytes()).unwrap();
    file.write_all(header.as_bytes()).unwrap();
    for number in [1.0f32, 2.0] {
        let row = number.to_le_bytes().repeat(COLUMNS);
        (0..ROWS).for_each(|_| file.write_all(&row).unwrap());
    }
    file.flush().unwrap();
}

/// The most memory that the process had since the last call, in bytes.
fn peak() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM:"))
        .unwrap();
    let kilobytes = line.split_whitespace().nth(1).unwrap();
    // From now on the peak is what there is now.
    fs::write("/proc/self/clear_refs", "5").unwrap();
    1024 * kilobytes.parse::<usize>().unwrap()
}

#[test]
fn large_parameters_are_in_memory_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.safetensors");
    let device = Device::open("local-sync").unwrap();
    for aligned in [true, false] {
        write(&path, aligned);
        peak();
        let before = peak();
        let archive = Parameters::open(&path).unwrap();
        let program = large::Large::loader(&device).parameters("model", archive);
        let mut program = program.load().unwrap();
        let loaded = peak() - before;
        let (read, stored) = program.sums(1.0f32).unwrap();
        let elements = (ROWS * COLUMNS) as f32;
        assert_eq!(read.to_scalar().unwrap(), elements);
        assert_eq!(stored.to_scalar().unwrap(), 2.0 * elements);
        program.store(&ndarray::Array1::zeros(COLUMNS), 0).unwrap();
        let (read, stored) = program.sums(1.0f32).unwrap();
        assert_eq!(read.to_scalar().unwrap(), elements);
        assert_eq!(
            stored.to_scalar().unwrap(),
            2.0 * (elements - COLUMNS as f32)
        );
        let used = peak() - before;
        let share = |bytes: usize| bytes as f64 / BYTES as f64;
        println!(
            "aligned: {aligned}, of {BYTES} bytes after loading {:.3}, after calls {:.3}",
            share(loaded),
            share(used)
        );
        assert!(share(used) < 1.1, "aligned: {aligned}, {:.3}", share(used));
    }
}
