//! How programs are compiled, loaded and timed, the same for all.

use crate::common::median;
use iree_abi::build::find_compiler;
use iree_dsl::{Device, Module, Parameters, Result, Session};
use std::{fs, path::Path, process::Command, time::Instant};

/// What `cargo build` compiles programs with for this machine.
const FLAGS: [&str; 8] = [
    "--iree-hal-target-device=local",
    "--iree-hal-local-target-device-backends=llvm-cpu",
    "--iree-llvmcpu-target-cpu=host",
    "--iree-opt-data-tiling",
    "--iree-input-demote-f64-to-f32=false",
    "--iree-opt-level=O3",
    "--iree-opt-strip-assertions=false",
    concat!(
        "--iree-hal-preprocess-executables-with=builtin.module(iree-transform-dialect-interpreter{",
        "entry-point=loops_of_one_worker library-file-name=loops_of_one_worker.mlir})"
    ),
];

/// A module in MLIR, compiled for this machine.
pub(crate) fn compile(mlir: &str) -> Module {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = |kind| folder.join(format!("loops-{}.{kind}", std::process::id()));
    let (source, target) = (file("mlir"), file("vmfb"));
    fs::write(&source, mlir).expect("the source is written");
    let loops = include_str!("../../../compiler/src/artifact/loops_of_one_worker.mlir");
    fs::write(folder.join("loops_of_one_worker.mlir"), loops).expect("the file is written");
    let output = Command::new(find_compiler().expect("`./x setup` installs IREE"))
        .current_dir(folder)
        .args(FLAGS)
        .arg(&source)
        .arg("-o")
        .arg(&target)
        .output()
        .expect("iree-compile starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}\n{mlir}");
    let module = fs::read(&target).expect("iree-compile wrote the module");
    for file in [source, target] {
        fs::remove_file(file).expect("the file is ours");
    }
    Module::from_bytes(&module).expect("it is a module")
}

/// A module with what it needs.
pub(crate) fn session(
    device: &Device,
    module: &Module,
    parameters: Option<(&str, &Parameters)>,
) -> Result<Session> {
    let loader = Session::loader(device);
    match parameters {
        Some((scope, parameters)) => loader.parameters(scope, parameters).load([module]),
        None => loader.load([module]),
    }
}

/// What two ways to do the same take.
pub(crate) struct Times {
    /// The median time of each, in seconds.
    pub(crate) medians: [f64; 2],
    /// The median of what the first takes in the time of the second.
    pub(crate) ratio: f64,
}

/// Times two ways in turns, so that both see the same machine.
pub(crate) fn time(turns: usize, ways: [&dyn Fn() -> Result<()>; 2]) -> Result<Times> {
    let turn = || -> Result<[f64; 2]> { Ok([seconds(ways[0])?, seconds(ways[1])?]) };
    let times = (0..turns).map(|_| turn()).collect::<Result<Vec<_>>>()?;
    let of = |number: fn(&[f64; 2]) -> f64| median(times.iter().map(number).collect());
    Ok(Times {
        medians: [of(|turn| turn[0]), of(|turn| turn[1])],
        ratio: of(|turn| turn[0] / turn[1]),
    })
}

fn seconds(run: &dyn Fn() -> Result<()>) -> Result<f64> {
    let start = Instant::now();
    run()?;
    Ok(start.elapsed().as_secs_f64())
}
