//! What a call of the smallest program costs, here, in IREE's own benchmark of the same VMFB, and in JAX.

#[path = "../tests/common/mod.rs"]
mod common;

use common::{ADD, add_signature, compile_with, folder, median};
use iree_abi::build::find_tool;
use iree_runtime::{Device, DeviceArray, Wait, program::Program};
use ndarray::Ix1;
use std::{
    env, fs,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

/// How IREE is told to compile programs whose calls wait, and those whose calls are queued.
const MODELS: [(&str, &[&str]); 2] = [
    ("waits", &[]),
    ("queued", &["--iree-execution-model=async-external"]),
];

/// The function tells how much work it is, as our compiler writes it.
const TOLD: &str =
    ") -> tensor<4xf32> attributes {iree.reflection = {iree_dsl.work = \"240;1\"}} {";

/// Names a Python that has JAX.
const PYTHON: &str = "IREE_DSL_ORACLE_PYTHON";

const ROUNDS: usize = 7;

fn main() {
    println!("a call of the four-element add and its result, in microseconds; medians of {ROUNDS}");
    println!(
        "{:<18} {:<8} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "device", "model", "IREE", "here", "ratio", "JAX", "ratio"
    );
    for (model, flags) in MODELS {
        let vmfb = compile_with(&ADD.replace(") -> tensor<4xf32> {", TOLD), flags);
        let file = folder().join("add.vmfb");
        fs::write(&file, &vmfb).expect("the module is written");
        let artifacts = common::artifacts(vmfb);
        for device in ["local-sync", "local-task", "local-task?queued"] {
            let program = Program::load(
                &Device::open(device).expect("the device opens"),
                artifacts,
                add_signature(),
            )
            .expect("the module loads");
            // Alternating, so that all see the same machine.
            let rounds = (0..ROUNDS).map(|_| {
                let ours = benchmark(&program);
                [
                    iree_benchmark(&file, device),
                    ours,
                    jax().unwrap_or(f64::NAN),
                ]
            });
            let rounds: Vec<_> = rounds.collect();
            let of = |value: fn(&[f64; 3]) -> f64| median(rounds.iter().map(value));
            println!(
                "{device:<18} {model:<8} {:>8.2} {:>8.2} {:>8.2} {:>8.2} {:>8.2}",
                of(|round| round[0]),
                of(|round| round[1]),
                of(|round| round[1] / round[0]),
                of(|round| round[2]),
                of(|round| round[1] / round[2]),
            );
        }
    }
    if env::var_os(PYTHON).is_none() {
        println!("set {PYTHON} to a Python with JAX for its column");
    }
}

/// The time of a call in JAX on the CPU; `None` if there is none.
fn jax() -> Option<f64> {
    const SCRIPT: &str = "
import time, jax, jax.numpy as jnp
jax.config.update('jax_platforms', 'cpu')
add = jax.jit(lambda a, b: a + b)
a, b = jnp.ones(4), jnp.full(4, 2.0)
add(a, b).block_until_ready()
count, start = 0, time.perf_counter()
while time.perf_counter() - start < 0.5:
    for _ in range(64):
        add(a, b).block_until_ready()
    count += 64
print((time.perf_counter() - start) * 1e6 / count)
";
    let python = env::var_os(PYTHON)?;
    let output = Command::new(python)
        .args(["-c", SCRIPT])
        .output()
        .expect("Python starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let time = text.trim().parse();
    Some(time.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr))))
}

/// The time of a call as `iree-benchmark-module` measures it.
fn iree_benchmark(file: &Path, device: &str) -> f64 {
    // Options are the runtime's own.
    let device = device.split('?').next().unwrap_or(device);
    let tool = find_tool("IREE_BENCHMARK_MODULE", "iree-benchmark-module");
    let output = Command::new(tool.expect("`./x setup` installs IREE"))
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
            call(program, &a, &b).wait().expect("it runs");
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
