//! What tests and benchmarks share: MLIR is compiled, memory and times are looked at.
#![allow(dead_code, unreachable_pub, reason = "each test binary uses a part")]

use iree_abi::{Artifact, DType, FunctionSignature, Leaf, Parameter, Signature, TensorType, build};
use iree_runtime::Device;
use std::{
    env, fs,
    path::PathBuf,
    process::Command,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Duration,
};

/// Both CPU devices.
pub const DEVICES: [&str; 2] = ["local-sync", "local-task?workers=2"];

/// Asserts that a device has as much memory as before. Its threads give back what a call used when those who wait
/// for the call are told already.
pub fn assert_live(device: &Device, expected: usize) {
    for _ in 0..1000 {
        if device.memory().live == expected {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(device.memory().live, expected);
}

/// The median of the times that a benchmark takes.
pub fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<_> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// An empty folder that this process has to itself.
pub fn folder() -> PathBuf {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("runtime-{}-{number}", std::process::id());
    // Cargo has none for programs.
    let parent = option_env!("CARGO_TARGET_TMPDIR").map_or_else(env::temp_dir, PathBuf::from);
    let folder = parent.join(name);
    fs::create_dir_all(&folder).expect("a folder for temporary files");
    folder
}

/// The VMFB of a module, compiled for any CPU of this architecture.
pub fn compile(mlir: &str) -> Vec<u8> {
    compile_with(mlir, &[])
}

/// The VMFB of a module, compiled with further flags.
pub fn compile_with(mlir: &str, flags: &[&str]) -> Vec<u8> {
    let folder = folder();
    let source = folder.join("module.mlir");
    let target = folder.join("module.vmfb");
    fs::write(&source, mlir).expect("the source is written");
    let output = Command::new(build::find_compiler().expect("`./x setup` installs IREE"))
        .args([
            "--iree-hal-target-device=local",
            "--iree-hal-local-target-device-backends=llvm-cpu",
            "--iree-llvmcpu-target-cpu=generic",
            "--iree-input-demote-f64-to-f32=false",
        ])
        .args(flags)
        .arg(&source)
        .arg("-o")
        .arg(&target)
        .output()
        .expect("iree-compile starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}\n{mlir}");
    let bytes = fs::read(&target).expect("iree-compile wrote the module");
    fs::remove_dir_all(&folder).expect("the folder is ours");
    bytes
}

/// The VMFB as it would be embedded, for the baseline of this architecture.
pub fn artifacts(vmfb: Vec<u8>) -> &'static [Artifact] {
    let target = iree_abi::CpuLevel::Baseline.target(env::consts::ARCH);
    Vec::leak(vec![Artifact {
        target: String::leak(target),
        bytes: Vec::leak(vmfb),
    }])
}

/// Adds two arrays of four elements.
pub const ADD: &str = "
module @arith {
  func.func @add(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
    %0 = arith.addf %a, %b : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}";

/// The signature of [`ADD`].
pub fn add_signature() -> &'static Signature {
    let leaf = || Leaf {
        path: String::new(),
        ty: TensorType::new(DType::F32, [4]),
    };
    let parameter = |name: &str| Parameter {
        name: name.into(),
        leaves: vec![leaf()],
    };
    Box::leak(Box::new(Signature {
        name: "arith".into(),
        functions: vec![FunctionSignature {
            name: "add".into(),
            parameters: vec![parameter("a"), parameter("b")],
            results: vec![leaf()],
            requirements: Vec::new(),
        }],
        ..Signature::default()
    }))
}
