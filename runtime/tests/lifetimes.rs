//! Arrays outlive what they came from, and never change.

mod common;

use common::{DEVICES, compile, folder};
use iree_runtime::{Device, DeviceArray, DynamicArray, Input, Module, Session};
use ndarray::{Array2, Ix2};
use std::fs;

/// Programs that share memory with their caller if anything does.
const GLOBALS: &str = "module @globals {
  util.global private mutable @x = dense<1.0> : tensor<64x4xf32>
  util.global private @constant = dense<3.0> : tensor<64x4xf32>
  func.func @get() -> tensor<64x4xf32> {
    %x = util.global.load @x : tensor<64x4xf32>
    return %x : tensor<64x4xf32>
  }
  func.func @set(%a: tensor<64x4xf32>) {
    util.global.store %a, @x : tensor<64x4xf32>
    return
  }
  func.func @set_and_get(%a: tensor<64x4xf32>) -> tensor<64x4xf32> {
    util.global.store %a, @x : tensor<64x4xf32>
    return %a : tensor<64x4xf32>
  }
  func.func @step(%a: tensor<64x4xf32>) -> tensor<64x4xf32> {
    %x = util.global.load @x : tensor<64x4xf32>
    %0 = arith.addf %x, %a : tensor<64x4xf32>
    util.global.store %0, @x : tensor<64x4xf32>
    return %0 : tensor<64x4xf32>
  }
  // Writes a row in place.
  func.func @put_row(%row: tensor<1x4xf32>, %index: tensor<i32>) {
    %x = util.global.load @x : tensor<64x4xf32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_update_slice %x, %row, %index, %zero
      : (tensor<64x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<64x4xf32>
    util.global.store %0, @x : tensor<64x4xf32>
    return
  }
  func.func @identity(%a: tensor<64x4xf32>) -> tensor<64x4xf32> {
    return %a : tensor<64x4xf32>
  }
  func.func @get_constant() -> tensor<64x4xf32> {
    %x = util.global.load @constant : tensor<64x4xf32>
    return %x : tensor<64x4xf32>
  }
}";

fn call(session: &Session, name: &str, arguments: &[&dyn Input]) -> Vec<DynamicArray> {
    session.function(name).unwrap().call(arguments).unwrap()
}

fn array(results: &[DynamicArray]) -> DeviceArray<f32, Ix2> {
    results[0].downcast().unwrap()
}

/// Writes over everything that the program keeps.
fn overwrite(session: &Session) {
    for index in 0..64 {
        call(session, "put_row", &[&[[9.0f32; 4]], &index]);
    }
    assert_eq!(
        array(&call(session, "get", &[])).view().unwrap()[(63, 3)],
        9.0
    );
}

#[test]
fn results_and_arguments_keep_their_values_when_globals_change() {
    let module = Module::from_bytes(&compile(GLOBALS)).unwrap();
    for name in DEVICES {
        let device = Device::open(name).unwrap();
        let session = Session::new(&device, [&module]).unwrap();
        let full = |value: f32| Array2::from_elem((64, 4), value);
        let given = device.upload(&full(2.0)).unwrap();

        let first = array(&call(&session, "get", &[]));
        let first_view = first.view().unwrap();
        overwrite(&session);
        assert_eq!(*first_view, full(1.0));

        call(&session, "set", &[&given]);
        let same = array(&call(&session, "identity", &[&given]));
        overwrite(&session);
        assert_eq!(*given.view().unwrap(), full(2.0));
        assert_eq!(*same.view().unwrap(), full(2.0));

        let returned = array(&call(&session, "set_and_get", &[&given]));
        overwrite(&session);
        assert_eq!(*returned.view().unwrap(), full(2.0));
        assert_eq!(*given.view().unwrap(), full(2.0));

        let sum = array(&call(&session, "step", &[&given]));
        overwrite(&session);
        assert_eq!(*sum.view().unwrap(), full(11.0));
    }
}

#[test]
fn arrays_outlive_sessions_modules_and_devices() {
    let vmfb = compile(GLOBALS);
    for name in DEVICES {
        let (constant, sum, uploaded) = {
            let device = Device::open(name).unwrap();
            let module = Module::from_bytes(&vmfb).unwrap();
            let session = Session::new(&device, [module]).unwrap();
            let uploaded = device.upload(&Array2::from_elem((64, 4), 2.0f32)).unwrap();
            // A constant may be the memory of the module's file.
            let constant = array(&call(&session, "get_constant", &[]));
            let sum = array(&call(&session, "step", &[&uploaded]));
            (constant, sum, uploaded)
        };
        assert_eq!(constant.view().unwrap().sum(), 3.0 * 256.0);
        assert_eq!(sum.view().unwrap().sum(), 3.0 * 256.0);
        let copy = uploaded.clone();
        drop(uploaded);
        assert_eq!(copy.view().unwrap().sum(), 2.0 * 256.0);
        let device = copy.device().clone();
        drop(copy);
        assert!(device.upload(1.0f32).is_ok());
    }
}

#[test]
fn modules_load_from_files_and_static_memory() {
    let vmfb = compile(GLOBALS);
    let path = folder().join("globals.vmfb");
    fs::write(&path, &vmfb).unwrap();
    // At an odd address, so that it must be copied.
    let mut shifted = vec![0];
    shifted.extend(&vmfb);
    let shifted: &'static [u8] = Vec::leak(shifted);
    let modules = [
        Module::from_file(&path).unwrap(),
        Module::from_static(&shifted[1..]).unwrap(),
        Module::from_static(Vec::leak(vmfb)).unwrap(),
    ];
    fs::remove_file(&path).unwrap();
    let device = Device::open("local-sync").unwrap();
    for module in modules {
        assert_eq!(module.name(), "globals");
        assert_eq!(
            module.signature().function("step").unwrap().to_string(),
            "step(input0: Tensor<f32, 64, 4>) -> Tensor<f32, 64, 4>"
        );
        let session = Session::new(&device, [module]).unwrap();
        assert_eq!(
            array(&call(&session, "get", &[])).view().unwrap().sum(),
            256.0
        );
    }
}
