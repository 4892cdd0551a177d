//! A program as C, which the system's C compiler compiles and links with IREE's runtime.

use crate::built;
use iree_dsl::prelude::*;
use ndarray::Array2;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The first program of the guide.
#[program(emit = ["vm-c"])]
mod trivial {
    pub struct Params {
        pub x: Tensor<f32, 3, 4>,
        pub b: Tensor<f32, 3, 4>,
    }

    pub struct TrivialKernel {
        #[global(init = Params { x: full(4.0), b: ones() })]
        params: Params,
        #[global(alias = params.x)]
        x: Tensor<f32, 3, 4>,
    }

    impl TrivialKernel {
        pub fn get_params(&self) -> Params {
            self.params
        }

        pub fn run(&mut self, multiplier: Tensor<f32, 3, 4>) -> Tensor<f32, 3, 4> {
            let result = linear(multiplier, self.params.x, self.params.b);
            self.x = result;
            result
        }

        pub fn set_params(&mut self, new_params: Params) {
            self.params = new_params;
        }
    }

    #[kernel]
    fn linear<const M: usize, const N: usize>(
        m: Tensor<f32, M, N>,
        x: Tensor<f32, M, N>,
        b: Tensor<f32, M, N>,
    ) -> Tensor<f32, M, N> {
        m * x + b
    }
}

/// Branches and loops that hand on several tensors, some of them in turns.
#[program(emit = ["vm-c"])]
mod handing {
    pub struct Handing {}

    impl Handing {
        pub fn run(&mut self, x: Tensor<f32, 3, 4>) -> Tensor<f32, 3, 4> {
            let (mut a, mut b) = (x * 0.5, x * 3.0);
            let mut n = 0.0;
            while n < x.sum() - 7.0 {
                let next = (a + b) * 0.5;
                a = b;
                b = next;
                n += 1.0;
            }
            // More than a selection.
            let (low, high) = if x.sum() > 3.0 {
                (a, b.dot(x.t()).dot(x) / 16.0)
            } else {
                (b, a)
            };
            let sums = scan(low, arange::<f32, 4>(), |carry, step| {
                (carry + high * step, carry)
            });
            sums.0 + sums.1[2] - low
        }
    }
}

use handing::Handing;
use trivial::TrivialKernel;

#[test]
fn c_code_computes_what_bytecode_does() {
    let device = Device::open("local-sync").expect("a device");
    let mut program = TrivialKernel::load(&device).expect("it loads");
    let [artifact] = TrivialKernel::ARTIFACTS else {
        panic!("an artifact");
    };
    check("trivial_kernel", artifact.target, |ones| {
        program.run(ones)?.to_array()
    });
}

#[test]
fn c_code_hands_on_several_tensors() {
    let device = Device::open("local-sync").expect("a device");
    let mut program = Handing::load(&device).expect("it loads");
    let [artifact] = Handing::ARTIFACTS else {
        panic!("an artifact");
    };
    check("handing", artifact.target, |ones| {
        program.run(ones)?.to_array()
    });
}

type Returned = iree_dsl::Result<Array2<f32>>;

/// Has `run` called twice from C, and compares what is printed with what is returned here.
fn check(name: &str, target: &str, mut run: impl FnMut(&Array2<f32>) -> Returned) {
    let folder = tempfile::tempdir().expect("a folder");
    let binary = compile(name, target, folder.path());
    let output = Command::new(&binary).output().expect("the program runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let printed = String::from_utf8(output.stdout).expect("text");
    let printed = printed.split_whitespace().map(str::parse);
    let printed: Vec<f32> = printed.collect::<Result<_, _>>().expect("numbers");
    let results = (0..2).map(|_| run(&Array2::ones((3, 4))).expect("it runs"));
    let expected: Vec<_> = results.flatten().collect();
    assert_eq!(printed, expected);
    let names = fs::read(&binary).expect("the binary");
    assert!(has(&names, b"iree_vm_context_create_with_modules"));
    // The interpreter.
    assert!(!has(&names, b"iree_vm_bytecode"));
}

fn has(content: &[u8], name: &[u8]) -> bool {
    content.windows(name.len()).any(|window| window == name)
}

fn compile(name: &str, target: &str, folder: &Path) -> PathBuf {
    let [header, source] = ["h", "c"].map(|kind| format!("{name}.{target}.{kind}"));
    let emitted = built::directory()
        .join("../iree")
        .join(env!("CARGO_PKG_NAME"));
    let (sources, built) = (built::runtime_sources(), built::runtime());
    let binary = folder.join("program");
    let output = Command::new("cc")
        .args(["-std=c11", "-D_GNU_SOURCE", "-O1"])
        .arg(format!("-DPROGRAM=\"{header}\""))
        .arg(format!("-DCREATE={name}_create"))
        .arg(format!("-DRUN=\"{name}.run\""))
        // What the runtime was built with.
        .arg("-DIREE_ALLOCATOR_SYSTEM_CTL=iree_allocator_libc_ctl")
        .args(
            [&emitted, &sources, &built.join("iree/runtime/src")]
                .map(|path| format!("-I{}", path.display())),
        )
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/builds/main.c"))
        .arg(emitted.join(source))
        .arg(built.join("libeerie_runtime.a"))
        .arg(built.join("iree/build_tools/third_party/flatcc/libflatcc_parsing.a"))
        .args(["-lm", "-lpthread", "-o"])
        .arg(&binary)
        .output()
        .expect("there is a C compiler");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    binary
}
