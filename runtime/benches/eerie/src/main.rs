//! What a call of the smallest program costs here and with the crate `eerie`, which is built on the same C
//! runtime: `cargo run --release --manifest-path runtime/benches/eerie/Cargo.toml`.

#[path = "../../../tests/common/mod.rs"]
mod common;

use common::{ADD, add_signature, artifacts, compile, median};
use eerie::runtime::{BufferView, DeviceSpec, Runtime};
use iree_runtime::{Device, Wait, program::Program};
use ndarray::Ix1;
use std::{
    env, fs,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

/// Names the module to a child: each library has a process of its own, since both make the one instance of
/// IREE's virtual machine that a process may have.
const CHILD: &str = "IREE_RUNTIME_BESIDE_EERIE";

const ROUNDS: usize = 11;

fn main() {
    let mut arguments = env::args().skip(1);
    if let (Some(file), Some(library), Some(device)) =
        (env::var_os(CHILD), arguments.next(), arguments.next())
    {
        let vmfb = fs::read(file).expect("the module is there");
        let time = match library.as_str() {
            "eerie" => eerie(&vmfb, &device),
            _ => here(vmfb, &device),
        };
        println!("{time}");
        return;
    }
    let file = common::folder().join("add.vmfb");
    fs::write(&file, compile(ADD)).expect("the module is written");
    println!("a call of the four-element add, in microseconds; medians of {ROUNDS}");
    println!("{:<12} {:>8} {:>8} {:>8}", "device", "eerie", "here", "ratio");
    for device in ["local-sync", "local-task"] {
        // Alternating, so that both see the same machine.
        let rounds: Vec<_> = (0..ROUNDS)
            .map(|_| [child(&file, "eerie", device), child(&file, "here", device)])
            .collect();
        let of = |value: fn(&[f64; 2]) -> f64| median(rounds.iter().map(value));
        let (eerie, here, ratio) = (of(|both| both[0]), of(|both| both[1]), of(|both| both[1] / both[0]));
        println!("{device:<12} {eerie:>8.2} {here:>8.2} {ratio:>8.2}");
    }
}

fn child(file: &Path, library: &str, device: &str) -> f64 {
    let output = Command::new(env::current_exe().expect("this program"))
        .args([library, device])
        .env(CHILD, file)
        .output()
        .expect("this program starts again");
    let text = String::from_utf8_lossy(&output.stdout);
    text.trim().parse().unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

fn eerie(vmfb: &[u8], device: &str) -> f64 {
    let runtime = Runtime::new(DeviceSpec::custom(device)).expect("the device opens");
    let program = runtime.load_vmfb(vmfb).expect("it loads");
    let a = runtime.buffer_view(&[4], &[1.0f32; 4]).expect("memory");
    let b = runtime.buffer_view(&[4], &[2.0f32; 4]).expect("memory");
    let add = program.function("arith.add").expect("the function exists");
    measure(|| {
        let _: BufferView<f32> = add.invoke_one([&a, &b]).expect("it runs");
    })
}

fn here(vmfb: Vec<u8>, device: &str) -> f64 {
    let device = Device::open(device).expect("the device opens");
    let program = Program::load(&device, artifacts(vmfb), add_signature()).expect("it loads");
    let a = device.upload([1.0f32; 4]).expect("memory");
    let b = device.upload([2.0f32; 4]).expect("memory");
    measure(|| {
        let mut call = program.call(0).expect("the procedure exists");
        call.argument((&a).into()).expect("it fits");
        call.argument((&b).into()).expect("it fits");
        let sum = call.invoke().and_then(|mut results| results.next::<f32, Ix1>());
        sum.and_then(|sum| sum.wait()).expect("it runs");
    })
}

fn measure(mut call: impl FnMut()) -> f64 {
    (0..1000).for_each(|_| call());
    let (mut calls, start) = (0u32, Instant::now());
    while start.elapsed() < Duration::from_millis(200) {
        (0..64).for_each(|_| call());
        calls += 64;
    }
    start.elapsed().as_secs_f64() * 1e6 / f64::from(calls)
}
