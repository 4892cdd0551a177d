//! Calls with arguments on the device allocate nothing in Rust.

mod common;

use common::{ADD, DEVICES, add_signature, artifacts, compile, compile_with};
use iree_runtime::{Device, DeviceArray, Result, program::Program};
use ndarray::Ix1;

fn add(
    program: &Program,
    a: &DeviceArray<f32, Ix1>,
    b: &DeviceArray<f32, Ix1>,
) -> Result<DeviceArray<f32, Ix1>> {
    let mut call = program.call(0)?;
    call.argument(a.into())?;
    call.argument(b.into())?;
    call.invoke()?.next()
}

#[test]
fn calls_after_the_first_allocate_nothing() {
    calls_allocate_nothing(compile(ADD));
}

#[test]
fn neither_do_calls_that_are_queued() {
    calls_allocate_nothing(compile_with(
        ADD,
        &["--iree-execution-model=async-external"],
    ));
}

fn calls_allocate_nothing(vmfb: Vec<u8>) {
    let artifacts = artifacts(vmfb);
    let signature = add_signature();
    for name in DEVICES {
        let device = Device::open(name).unwrap();
        let program = Program::load(&device, artifacts, signature).unwrap();
        let ones = device.upload([1.0f32; 4]).unwrap();
        let mut sum = add(&program, &ones, &ones).unwrap();
        let allocations = allocation_counter::measure(|| {
            for _ in 0..100 {
                sum = add(&program, &sum, &ones).unwrap();
                assert_eq!(sum.clone().shape(), [4]);
            }
        });
        assert_eq!(allocations.count_total, 0, "{name}: {allocations:?}");
        assert_eq!(sum.view().unwrap()[0], 102.0);
        // That the counter counts.
        let counted = allocation_counter::measure(|| drop(sum.to_array()));
        assert_ne!(counted.count_total, 0);
    }
}
