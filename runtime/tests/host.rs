//! Modules that import functions written in Rust.

mod common;

use common::{DEVICES, compile};
use iree_runtime::{Device, DynamicArray, Error, HostModule, Module, Session};
use ndarray::{Ix0, Ix1, arr1};

const CALLER: &str = "module @caller {
  func.func private @host.scale(tensor<?xf32>, tensor<f32>) -> (tensor<?xf32>, tensor<i32>)
  func.func private @host.nothing()
  func.func @run(%x: tensor<?xf32>, %by: tensor<f32>) -> (tensor<?xf32>, tensor<i32>) {
    %y = arith.addf %x, %x : tensor<?xf32>
    func.call @host.nothing() : () -> ()
    %z:2 = func.call @host.scale(%y, %by) : (tensor<?xf32>, tensor<f32>) -> (tensor<?xf32>, tensor<i32>)
    %w = arith.addf %z#0, %z#0 : tensor<?xf32>
    return %w, %z#1 : tensor<?xf32>, tensor<i32>
  }
}";

/// Multiplies, and counts the elements; refuses to divide.
fn scale([x, by]: [DynamicArray; 2]) -> iree_runtime::Result<[DynamicArray; 2]> {
    let device = x.device().clone();
    let x = x.downcast::<f32, Ix1>()?.to_array()?;
    let by = by.downcast::<f32, Ix0>()?.to_scalar()?;
    assert!(by != 13.0, "thirteen");
    if by < 1.0 {
        // Any error will do.
        return Err(Module::from_bytes(b"no module").unwrap_err());
    }
    let count = device.upload(x.len() as i32)?;
    Ok([
        device.upload(&(x * by))?.into_dynamic(),
        count.into_dynamic(),
    ])
}

fn host() -> HostModule {
    HostModule::new("host")
        .function("scale", scale)
        .function("nothing", |[]: [DynamicArray; 0]| Ok([]))
}

#[test]
fn modules_call_functions_of_the_host() {
    let module = Module::from_bytes(&compile(CALLER)).unwrap();
    for name in DEVICES {
        let device = Device::open(name).unwrap();
        let session = Session::loader(&device)
            .host(host())
            .load([&module])
            .unwrap();
        let run = session.function("run").unwrap();
        for round in 1..10 {
            let x = arr1(&[1.0f32, 2.0, 3.0]) * round as f32;
            let results = run.call(&[&x, &2.0f32]).unwrap();
            let product = results[0].downcast::<f32, Ix1>().unwrap();
            assert_eq!(product.to_array().unwrap(), x * 8.0, "{name}");
            let count = results[1].downcast::<i32, Ix0>().unwrap();
            assert_eq!(count.to_scalar().unwrap(), 3);
        }
    }
}

#[test]
fn a_function_that_fails_or_panics_fails_the_call() {
    let module = Module::from_bytes(&compile(CALLER)).unwrap();
    let device = Device::open("local-sync").unwrap();
    let session = Session::loader(&device)
        .host(host())
        .load([&module])
        .unwrap();
    let run = session.function("run").unwrap();
    let x = arr1(&[1.0f32]);
    let message = |by: f32| format!("{:?}", run.call(&[&x, &by]).unwrap_err());
    assert!(
        message(0.5).contains("the module is damaged"),
        "{}",
        message(0.5)
    );
    assert!(
        message(13.0).contains("`scale` panicked"),
        "{}",
        message(13.0)
    );
    assert!(run.call(&[&x, &2.0f32]).is_ok());
}

#[test]
fn what_is_missing_or_different_is_told_when_loading() {
    let module = Module::from_bytes(&compile(CALLER)).unwrap();
    let device = Device::open("local-sync").unwrap();
    let load = |host: HostModule| Session::loader(&device).host(host).load([&module]);
    assert!(matches!(
        Session::new(&device, [&module]),
        Err(Error::Load { .. })
    ));
    let without = HostModule::new("host").function("scale", scale);
    let error = format!("{:?}", load(without).unwrap_err());
    assert!(error.contains("nothing"), "{error}");
    let fewer = host().function("scale", |[x]: [DynamicArray; 1]| Ok([x]));
    let error = format!("{:?}", load(fewer).unwrap_err());
    assert!(error.contains("scale"), "{error}");
}

#[test]
fn arrays_of_another_device_are_refused() {
    let module = Module::from_bytes(&compile(CALLER)).unwrap();
    let device = Device::open("local-sync").unwrap();
    let other = Device::open("local-sync").unwrap();
    let foreign = host().function("scale", move |[x, _]: [DynamicArray; 2]| {
        Ok([x, other.upload(1i32)?.into_dynamic()])
    });
    let session = Session::loader(&device)
        .host(foreign)
        .load([&module])
        .unwrap();
    let error = session
        .function("run")
        .unwrap()
        .call(&[&arr1(&[1.0f32]), &2.0f32]);
    let error = format!("{:?}", error.unwrap_err());
    assert!(error.contains("another device"), "{error}");
}
