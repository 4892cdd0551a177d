//! What two threads gain over one, and how long a program takes from its start to its first result.

#[path = "../tests/common/mod.rs"]
mod common;

use common::{ADD, add_signature, compile_with};
use iree_abi::Artifact;
use iree_runtime::{Device, Wait, program::Program};
use ndarray::Ix1;
use std::{
    env, fs,
    process::Command,
    sync::Barrier,
    thread,
    time::{Duration, Instant},
};

/// Names the module to the child, which starts, calls and ends.
const CHILD: &str = "IREE_RUNTIME_START";

const ROUNDS: usize = 11;

fn main() {
    if let Some(file) = env::var_os(CHILD) {
        let start = Instant::now();
        let artifacts = common::artifacts(fs::read(file).expect("the module is there"));
        let device = env::args().next_back().expect("a device");
        first_result(&device, artifacts);
        println!("{}", start.elapsed().as_secs_f64() * 1e3);
        return;
    }
    let vmfb = compile_with(ADD, &["--iree-execution-model=async-external"]);
    let file = common::folder().join("add.vmfb");
    fs::write(&file, &vmfb).expect("the module is written");
    let artifacts = common::artifacts(vmfb);
    println!("calls of the four-element add; medians of {ROUNDS}");
    println!(
        "{:<12} {:>10} {:>10} {:>8} {:>16}",
        "device", "1 thread/s", "2 threads/s", "ratio", "first result, ms"
    );
    for device in ["local-sync", "local-task?workers=2"] {
        // Alternating, so that both see the same machine.
        let rounds = (0..ROUNDS).map(|_| (rate(device, artifacts, 1), rate(device, artifacts, 2)));
        let (one, two): (Vec<_>, Vec<_>) = rounds.unzip();
        let ratio = median(one.iter().zip(&two).map(|(one, two)| two / one));
        let start = median((0..ROUNDS).map(|_| child(&file, device)));
        let [one, two] = [one, two].map(|rates| median(rates.into_iter()));
        println!("{device:<12} {one:>10.0} {two:>10.0} {ratio:>8.2} {start:>16.2}");
    }
}

fn first_result(device: &str, artifacts: &'static [Artifact]) {
    let device = Device::open(device).expect("the device opens");
    let program = Program::load(&device, artifacts, add_signature()).expect("it loads");
    let mut call = program.call(0).expect("the procedure exists");
    call.argument::<f32, Ix1>([1.0f32; 4].into())
        .expect("it fits");
    call.argument::<f32, Ix1>([2.0f32; 4].into())
        .expect("it fits");
    let sum = call
        .invoke()
        .and_then(|mut results| results.next::<f32, Ix1>())
        .expect("it runs");
    assert_eq!(sum.view().expect("it can be read")[0], 3.0);
}

/// The time from the start to the first result in a process of its own, in milliseconds.
fn child(file: &std::path::Path, device: &str) -> f64 {
    let output = Command::new(env::current_exe().expect("this program"))
        .arg(device)
        .env(CHILD, file)
        .output()
        .expect("this program starts again");
    let text = String::from_utf8_lossy(&output.stdout);
    text.trim()
        .parse()
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

/// Calls in a second, by threads with a session each on one device.
fn rate(device: &str, artifacts: &'static [Artifact], threads: usize) -> f64 {
    let device = Device::open(device).expect("the device opens");
    let start = Barrier::new(threads);
    let counts = thread::scope(|scope| {
        let workers = (0..threads).map(|_| {
            scope.spawn(|| {
                let program = Program::load(&device, artifacts, add_signature()).expect("it loads");
                let ones = device.upload([1.0f32; 4]).expect("memory");
                start.wait();
                count(&program, &ones)
            })
        });
        let workers: Vec<_> = workers.collect();
        workers
            .into_iter()
            .map(|worker| worker.join().expect("it works"))
            .sum::<f64>()
    });
    counts / TIME.as_secs_f64()
}

const TIME: Duration = Duration::from_millis(200);

fn count(program: &Program, ones: &iree_runtime::DeviceArray<f32, Ix1>) -> f64 {
    let start = Instant::now();
    let mut calls = 0.0;
    while start.elapsed() < TIME {
        for _ in 0..16 {
            let mut call = program.call(0).expect("the procedure exists");
            call.argument(ones.into()).expect("it fits");
            call.argument(ones.into()).expect("it fits");
            let sum = call
                .invoke()
                .and_then(|mut results| results.next::<f32, Ix1>());
            sum.and_then(|sum| sum.wait()).expect("it runs");
        }
        calls += 16.0;
    }
    calls
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<_> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
