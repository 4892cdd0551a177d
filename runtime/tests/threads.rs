//! Devices and modules are shared by threads; sessions run side by side.

mod common;

use common::{ADD, DEVICES, add_signature, artifacts, compile};
use iree_runtime::{
    Device, DeviceArray, DynamicArray, Error, HostModule, Module, Session,
    program::{Program, Tree},
};
use ndarray::{Array2, Ix0, Ix1, Ix2, arr1};
use std::{
    sync::{Arc, Barrier},
    thread,
    time::Duration,
};

const fn assert_send_and_sync<T: Send + Sync>() {}

const _: () = {
    assert_send_and_sync::<Device>();
    assert_send_and_sync::<Module>();
    assert_send_and_sync::<Session>();
    assert_send_and_sync::<Program>();
    assert_send_and_sync::<DynamicArray>();
    assert_send_and_sync::<DeviceArray<f32, Ix1>>();
    assert_send_and_sync::<Error>();
};

/// Counts calls in a global.
const COUNTER: &str = "module @counter {
  util.global private mutable @count = dense<0> : tensor<i32>
  func.func @next(%by: tensor<i32>) -> tensor<i32> {
    %0 = util.global.load @count : tensor<i32>
    %1 = arith.addi %0, %by : tensor<i32>
    util.global.store %1, @count : tensor<i32>
    return %1 : tensor<i32>
  }
}";

#[test]
fn sessions_on_one_device_run_side_by_side() {
    let module = Module::from_bytes(&compile(COUNTER)).unwrap();
    for name in DEVICES {
        let device = Device::open(name).unwrap();
        thread::scope(|scope| {
            for by in 1..=8 {
                let (device, module) = (&device, &module);
                scope.spawn(move || {
                    let session = Session::new(device, [module]).unwrap();
                    let next = session.function("next").unwrap();
                    for round in 1..=50 {
                        let count = &next.call(&[&by]).unwrap()[0];
                        let count = count.downcast::<i32, Ix0>().unwrap();
                        assert_eq!(count.to_scalar().unwrap(), round * by);
                    }
                });
            }
        });
    }
}

#[test]
fn threads_that_share_a_session_take_turns() {
    let module = Module::from_bytes(&compile(COUNTER)).unwrap();
    for name in DEVICES {
        let session = Session::new(&Device::open(name).unwrap(), [&module]).unwrap();
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let next = session.function("next").unwrap();
                    for _ in 0..50 {
                        next.call(&[&1]).unwrap();
                    }
                });
            }
        });
        let count = &session.function("next").unwrap().call(&[&0]).unwrap()[0];
        let count = count.downcast::<i32, Ix0>().unwrap();
        assert_eq!(count.to_scalar().unwrap(), 200);
    }
}

#[test]
fn devices_open_and_programs_load_on_many_threads() {
    let artifacts = artifacts(compile(ADD));
    let signature = add_signature();
    thread::scope(|scope| {
        for index in 0..8 {
            let name = DEVICES[index % 2];
            scope.spawn(move || {
                for _ in 0..4 {
                    let device = Device::open(name).unwrap();
                    let program = Program::load(&device, artifacts, signature).unwrap();
                    let ones = device.upload([1.0f32; 4]).unwrap();
                    let mut call = program.call(0).unwrap();
                    (ones.clone(), ones).push(&mut call).unwrap();
                    let sum = call.invoke().unwrap().next::<f32, Ix1>().unwrap();
                    assert_eq!(sum.to_array().unwrap(), arr1(&[2.0; 4]));
                }
            });
        }
    });
}

/// Sums whose last bits depend on the order of the additions.
const SUMS: &str = "module @sums {
  func.func @sums(%x: tensor<300x700xf32>) -> (tensor<300x300xf32>, tensor<f32>) {
    %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1]
      : (tensor<300x700xf32>, tensor<300x700xf32>) -> tensor<300x300xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<300x700xf32>, tensor<f32>) -> tensor<f32>
    return %0, %1 : tensor<300x300xf32>, tensor<f32>
  }
}";

#[test]
fn results_do_not_depend_on_the_number_of_workers() {
    let module = Module::from_bytes(&compile(SUMS)).unwrap();
    let x = Array2::from_shape_fn((300, 700), |(i, j)| ((i * 700 + j) as f32).sin());
    let sums = |spec: &str| {
        let session = Session::new(&Device::open(spec).unwrap(), [&module]).unwrap();
        let sums = session.function("sums").unwrap().call(&[&x]).unwrap();
        let matrix = sums[0].downcast::<f32, Ix2>().unwrap().to_array().unwrap();
        let sum = sums[1].downcast::<f32, Ix0>().unwrap().to_scalar().unwrap();
        (matrix.mapv(f32::to_bits), sum.to_bits())
    };
    let expected = sums("local-sync");
    for options in [
        "workers=1",
        "workers=2",
        "workers=3",
        "workers=8",
        "workers=2&pinned",
        "pinned",
    ] {
        let found = sums(&format!("local-task?{options}"));
        assert_eq!(found, expected, "with {options}");
    }
}

/// What sessions beside each other hand on is the device's, whichever made it.
#[test]
fn sessions_hand_arrays_to_each_other() {
    let module = Module::from_bytes(&compile(ADD)).unwrap();
    for name in DEVICES {
        let device = Device::open(name).unwrap();
        let before = device.memory();
        let sessions: Vec<_> = (0..5)
            .map(|_| Session::new(&device, [&module]).unwrap())
            .collect();
        let loaded = device.memory().live;
        let mut sum: DeviceArray<f32, Ix1> = device.upload([1.0f32; 4]).unwrap();
        for session in &sessions {
            let results = session.function("add").unwrap().call(&[&sum, &sum]);
            sum = results.unwrap()[0].downcast().unwrap();
        }
        // Arrays outlive the sessions that made them.
        drop(sessions);
        assert_eq!(sum.view().unwrap().to_vec(), [32.0; 4]);
        drop(sum);
        let after = device.memory();
        assert!(after.live <= loaded, "{after:?} on {name}");
        if name == "local-sync" {
            assert!(after.allocated >= before.allocated + 6 * 16, "{after:?}");
            assert!(after.peak >= before.peak + 32, "{after:?}");
        }
    }
}

/// Memory is the device's, whoever of its sessions asks.
#[test]
fn sessions_share_a_limit() {
    let module = Module::from_bytes(&compile(
        "func.func @fill(%x: tensor<f32>) -> tensor<262144xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<262144xf32>
  return %0 : tensor<262144xf32>
}",
    ))
    .unwrap();
    let limit = 7 << 19;
    let device = Device::builder("local-sync").memory_limit(limit);
    let device = device.open().unwrap();
    let session = || Session::new(&device, [&module]).unwrap();
    let sessions = [session(), session(), session(), session()];
    let fill = |session: &Session| session.function("fill").unwrap().call(&[&1.0f32]);
    let mut kept: Vec<_> = sessions[..3].iter().map(|one| fill(one).unwrap()).collect();
    assert!(matches!(fill(&sessions[3]), Err(Error::Call { .. })));
    kept.pop();
    fill(&sessions[3]).unwrap();
}

/// A session that is opened meanwhile may need a device of its own, for which programs that load are waited for.
#[test]
fn programs_that_load_may_ask_for_the_memory() {
    let add = Module::from_bytes(&compile(ADD)).unwrap();
    let asking = Module::from_bytes(&compile(
        "func.func private @host.ask() -> tensor<i32>
         util.global private @asked : tensor<i32>
         util.initializer {
           %asked = func.call @host.ask() : () -> tensor<i32>
           util.global.store %asked, @asked : tensor<i32>
           util.return
         }
         func.func @get() -> tensor<i32> {
           %asked = util.global.load @asked : tensor<i32>
           return %asked : tensor<i32>
         }",
    ))
    .unwrap();
    for name in DEVICES {
        let device = Device::open(name).unwrap();
        let is_loading = Arc::new(Barrier::new(2));
        let host = HostModule::new("host").function("ask", {
            let (device, is_loading) = (device.clone(), is_loading.clone());
            move |[]: [DynamicArray; 0]| {
                is_loading.wait();
                thread::sleep(Duration::from_millis(50));
                Ok([device.upload(device.memory().live as i32)?.into_dynamic()])
            }
        });
        thread::scope(|scope| {
            let loading = Session::loader(&device).host(host);
            scope.spawn(|| loading.load([&asking]).unwrap());
            is_loading.wait();
            Session::new(&device, [&add]).unwrap();
        });
    }
}
