//! What is more than a device or a file may have is an error, and the next call works.

mod common;

use common::{compile, folder};
use iree_runtime::{Code, Device, DeviceArray, Error, Module, Session};
use ndarray::{Array1, Ix0, Ix1};
use std::fs::{self, File};

const MLIR: &str = "module @limits {
  util.global private mutable @calls = dense<0> : tensor<i32>
  // 16 MiB that the program makes.
  func.func @large(%x: tensor<f32>) -> tensor<4194304xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<4194304xf32>
    return %0 : tensor<4194304xf32>
  }
  func.func @count() -> tensor<i32> {
    %0 = util.global.load @calls : tensor<i32>
    %one = arith.constant dense<1> : tensor<i32>
    %1 = arith.addi %0, %one : tensor<i32>
    util.global.store %1, @calls : tensor<i32>
    return %1 : tensor<i32>
  }
}";

const MIB: usize = 1 << 20;

fn is_exhausted<T>(outcome: Result<T, Error>) -> bool {
    match outcome {
        Ok(_) => false,
        Err(Error::Call { source, .. } | Error::Transfer { source, .. }) => {
            assert_eq!(source.code(), Code::ResourceExhausted, "{source}");
            true
        }
        Err(other) => panic!("{other:?}"),
    }
}

/// Runs out of memory again and again, in uploads and in calls.
fn run_out(device: &Device, rounds: i32) {
    let module = Module::from_bytes(&compile(MLIR)).unwrap();
    let session = Session::new(device, [&module]).unwrap();
    let (large, count) = (
        session.function("large").unwrap(),
        session.function("count").unwrap(),
    );
    let upload = || device.upload(&Array1::<f32>::zeros(4 * MIB));
    count.call(&[]).unwrap();
    for round in 0..rounds {
        let mut kept: Vec<DeviceArray<f32, Ix1>> = Vec::new();
        // At most 128 MiB, which is the largest limit of the tests.
        while kept.len() < 8 {
            match round % 2 {
                0 => match upload() {
                    Ok(array) => kept.push(array),
                    failed => {
                        assert!(is_exhausted(failed));
                        break;
                    }
                },
                _ => match large.call(&[&1.0f32]) {
                    Ok(arrays) => kept.push(arrays[0].downcast().unwrap()),
                    failed => {
                        assert!(is_exhausted(failed));
                        break;
                    }
                },
            }
        }
        assert!(kept.len() < 8, "{} arrays fit", kept.len());
        drop(kept);
        let found = count.call(&[]).unwrap()[0].downcast::<i32, Ix0>().unwrap();
        assert_eq!(found.to_scalar().unwrap(), round + 2);
    }
    let array = large.call(&[&1.0f32]).unwrap()[0]
        .downcast::<f32, Ix1>()
        .unwrap();
    assert_eq!(array.view().unwrap()[4 * MIB - 1], 1.0);
}

#[test]
fn a_device_goes_on_when_its_memory_runs_out() {
    let sync = Device::builder("local-sync")
        .memory_limit(24 * MIB)
        .open()
        .unwrap();
    run_out(&sync, 20);
    // It takes blocks of 64 MiB.
    let task = Device::builder("local-task?workers=2").memory_limit(100 * MIB);
    run_out(&task.open().unwrap(), 20);
}

/// `cargo test --release -p iree-runtime --test limits -- --ignored`
#[test]
#[ignore = "takes a minute"]
fn a_device_runs_out_of_memory_a_thousand_times() {
    let sync = Device::builder("local-sync")
        .memory_limit(24 * MIB)
        .open()
        .unwrap();
    run_out(&sync, 1000);
    let task = Device::builder("local-task?workers=2").memory_limit(100 * MIB);
    run_out(&task.open().unwrap(), 1000);
}

#[test]
fn all_memory_comes_back() {
    let device = Device::builder("local-sync")
        .memory_limit(17 * MIB)
        .open()
        .unwrap();
    for _ in 0..8 {
        // Each takes nearly all that there is.
        let array = device.upload(&Array1::<f32>::ones(4 * MIB)).unwrap();
        assert_eq!(array.view().unwrap()[0], 1.0);
    }
}

#[test]
fn a_file_that_is_mostly_holes_is_refused_unread() {
    let folder = folder();
    let path = folder.join("holes.vmfb");
    fs::write(&path, compile(MLIR)).unwrap();
    let file = File::options().write(true).open(&path).unwrap();
    file.set_len(1 << 40).unwrap();
    let error = Module::from_file(&path).unwrap_err();
    fs::remove_dir_all(&folder).unwrap();
    assert!(matches!(error, Error::Damaged { .. }), "{error:?}");
}
