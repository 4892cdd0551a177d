//! What two threads gain over one, next to what two processes gain, which share nothing but the machine; and how
//! long a program takes from its start to its first result.

#[path = "../tests/common/mod.rs"]
mod common;

use common::{ADD, add_signature, compile_with, median};
use iree_abi::Artifact;
use iree_runtime::{Device, Wait, program::Program};
use ndarray::Ix1;
use std::{
    env, fs,
    io::{self, BufRead, BufReader, Write},
    path::Path,
    process::{Child, Command, Stdio},
    sync::Barrier,
    thread,
    time::{Duration, Instant},
};

/// Names the module to the child, which starts, calls and ends.
const CHILD: &str = "IREE_RUNTIME_START";

const ROUNDS: usize = 11;

fn main() {
    if let Some(file) = env::var_os(CHILD) {
        return work_as_child(Path::new(&file));
    }
    let vmfb = compile_with(ADD, &["--iree-execution-model=async-external"]);
    let file = common::folder().join("add.vmfb");
    fs::write(&file, &vmfb).expect("the module is written");
    let artifacts = common::artifacts(vmfb);
    println!("calls of the four-element add; medians of {ROUNDS}");
    println!(
        "{:<20} {:>10} {:>11} {:>6} {:>13} {:>6} {:>16}",
        "device",
        "1 thread/s",
        "2 threads/s",
        "ratio",
        "2 processes/s",
        "ratio",
        "first result, ms"
    );
    for device in ["local-sync", "local-task?workers=2"] {
        // Alternating, so that all see the same machine.
        let rounds = (0..ROUNDS).map(|_| {
            [
                rate(device, artifacts, 1),
                rate(device, artifacts, 2),
                rate_of_processes(&file, device),
            ]
        });
        let rounds: Vec<_> = rounds.collect();
        let of = |value: fn(&[f64; 3]) -> f64| median(rounds.iter().map(value));
        println!(
            "{device:<20} {:>10.0} {:>11.0} {:>6.2} {:>13.0} {:>6.2} {:>16.2}",
            of(|round| round[0]),
            of(|round| round[1]),
            of(|round| round[1] / round[0]),
            of(|round| round[2]),
            of(|round| round[2] / round[0]),
            median((0..ROUNDS).map(|_| answer(&mut child(&file, device, FIRST)))),
        );
    }
}

/// What a child does, and what it answers.
const FIRST: &str = "the milliseconds until its first result";
const RATE: &str = "the calls in a second, from when it is told to";

fn work_as_child(file: &Path) {
    let start = Instant::now();
    let mut arguments = env::args().skip(1);
    let mut argument = || arguments.next().expect("a device and what to do");
    let (device, what) = (argument(), argument());
    let artifacts = common::artifacts(fs::read(file).expect("the module is there"));
    if what == FIRST {
        first_result(&device, artifacts);
        println!("{}", start.elapsed().as_secs_f64() * 1e3);
        return;
    }
    let device = Device::open(&device).expect("the device opens");
    let program = Program::load(&device, artifacts, add_signature()).expect("it loads");
    let ones = device.upload([1.0f32; 4]).expect("memory");
    println!();
    io::stdin().read_line(&mut String::new()).expect("a line");
    println!("{}", count(&program, &ones) / TIME.as_secs_f64());
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

/// A process of its own.
fn child(file: &Path, device: &str, what: &str) -> Child {
    Command::new(env::current_exe().expect("this program"))
        .args([device, what])
        .env(CHILD, file)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("this program starts again")
}

/// The number that a child answers.
fn answer(child: &mut Child) -> f64 {
    let text = line(child);
    let answer = text.trim().parse();
    assert!(child.wait().expect("it ends").success());
    answer.unwrap_or_else(|_| panic!("the child answers `{text}`"))
}

fn line(child: &mut Child) -> String {
    let mut text = String::new();
    let stdout = child.stdout.as_mut().expect("a pipe");
    // It has no more to say than what is read here.
    BufReader::new(stdout).read_line(&mut text).expect("a line");
    text
}

/// Calls in a second, by two processes.
fn rate_of_processes(file: &Path, device: &str) -> f64 {
    let mut children = [0, 1].map(|_| child(file, device, RATE));
    // Both are ready.
    children.iter_mut().for_each(|child| drop(line(child)));
    for child in &mut children {
        let stdin = child.stdin.as_mut().expect("a pipe");
        writeln!(stdin).expect("it reads");
    }
    children.iter_mut().map(answer).sum()
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
