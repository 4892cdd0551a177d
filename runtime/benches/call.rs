//! What a call of the smallest program costs, here and in IREE's own benchmark of the same VMFB.

#[path = "../tests/common/mod.rs"]
mod common;

use common::{ADD, add_signature, compile, folder, tool};
use iree_runtime::{Device, DeviceArray, program::Program};
use ndarray::Ix1;
use std::{
    fs, hint,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

fn main() {
    let vmfb = compile(ADD);
    let file = folder().join("add.vmfb");
    fs::write(&file, &vmfb).expect("the module is written");
    let artifacts = common::artifacts(vmfb);
    println!("a call of the four-element add, in microseconds");
    println!(
        "{:<12} {:>8} {:>8} {:>8}",
        "device", "IREE", "here", "ratio"
    );
    for device in ["local-sync", "local-task"] {
        let program = Program::load(
            &Device::open(device).expect("the device opens"),
            artifacts,
            add_signature(),
        )
        .expect("the module loads");
        // Alternating, so that both see the same machine; the best of each counts.
        let (mut reference, mut ours) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..5 {
            reference = reference.min(iree_benchmark(&file, device));
            ours = ours.min(benchmark(&program));
        }
        let ratio = ours / reference;
        println!("{device:<12} {reference:>8.2} {ours:>8.2} {ratio:>8.2}");
    }
}

/// The time of a call as `iree-benchmark-module` measures it.
fn iree_benchmark(file: &Path, device: &str) -> f64 {
    let tool = tool(
        "IREE_BENCHMARK_MODULE",
        "_runtime_libs/iree-benchmark-module",
    );
    let output = Command::new(tool)
        .arg(format!("--module={}", file.display()))
        .arg(format!("--device={device}"))
        .args(["--function=add", "--input=4xf32=1", "--input=4xf32=2"])
        .args(["--benchmark_format=csv", "--benchmark_min_time=0.5s"])
        .output()
        .expect("iree-benchmark-module starts");
    let text = String::from_utf8_lossy(&output.stdout);
    // name,iterations,real_time,cpu_time,time_unit,…
    let row = text
        .lines()
        .find(|line| line.starts_with("\"BM_add"))
        .unwrap_or_else(|| panic!("{text}{}", String::from_utf8_lossy(&output.stderr)));
    let columns: Vec<_> = row.split(',').collect();
    let time: f64 = columns[2].parse().expect("a time");
    match columns[4] {
        "ns" => time / 1e3,
        "us" => time,
        "ms" => time * 1e3,
        unit => panic!("unknown unit {unit}"),
    }
}

/// The time of a call here, with arguments that are on the device.
fn benchmark(program: &Program) -> f64 {
    let a = program.device().upload([1.0f32; 4]).expect("memory");
    let b = program.device().upload([2.0f32; 4]).expect("memory");
    let mut rounds = 0u32;
    let start = Instant::now();
    while start.elapsed() < Duration::from_millis(500) {
        for _ in 0..64 {
            hint::black_box(call(program, &a, &b));
        }
        rounds += 64;
    }
    start.elapsed().as_secs_f64() * 1e6 / f64::from(rounds)
}

fn call(
    program: &Program,
    a: &DeviceArray<f32, Ix1>,
    b: &DeviceArray<f32, Ix1>,
) -> DeviceArray<f32, Ix1> {
    let mut call = program.call(0).expect("the procedure exists");
    call.argument(a.into()).expect("it fits");
    call.argument(b.into()).expect("it fits");
    let mut results = call.invoke().expect("it runs");
    results.next().expect("there is a result")
}
