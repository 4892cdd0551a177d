//! The IREE compiler itself.

use super::fake::{compile, environment, read, request};
use crate::{
    artifact::{
        Compiled, Environment, Failure, Request, Settings, Severity, UserFlag, WATCHED,
        compile_for_diagnostics, format::Format,
    },
    span::Location,
};
use std::{
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

pub(super) const MODULE: &str = r#"
module @program {
  util.global private mutable @x = dense<4.0> : tensor<3x4xf32>
  func.func @run(%m: tensor<3x4xf32>) -> tensor<3x4xf32> {
    %x = util.global.load @x : tensor<3x4xf32>
    %y = stablehlo.multiply %m, %x : tensor<3x4xf32>
    util.global.store %y, @x : tensor<3x4xf32>
    return %y : tensor<3x4xf32>
  }
}
"#;

pub(super) fn in_directory(directory: &Path) -> Environment {
    let found = Environment::detect().compiler;
    environment(
        found.expect("`./x setup` installs the compiler"),
        directory.join("target"),
    )
}

/// What IREE's own tool prints of a call.
pub(super) fn printed_by(vmfb: &Path, arguments: &[&str]) -> String {
    let compiler = Environment::detect().compiler.unwrap();
    let output = Command::new(compiler.with_file_name("iree-run-module"))
        .arg(format!("--module={}", vmfb.display()))
        .arg("--device=local-sync")
        .args(arguments)
        .output()
        .unwrap();
    String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
}

fn for_arguments(mlir: &str, arguments: &str, environment: &Environment) -> Request {
    let mut environment = environment.clone();
    let arguments = arguments.split_whitespace().map(str::to_owned);
    environment.rustc = crate::artifact::Invocation::parse(arguments);
    Request {
        targets: environment.targets(&Settings::default(), false).unwrap(),
        ..request(mlir)
    }
}

fn build(mlir: &str, arguments: &str, directory: &Path) -> Result<Vec<Compiled>, Failure> {
    let environment = in_directory(directory);
    compile(&for_arguments(mlir, arguments, &environment), &environment)
}

#[test]
fn a_release_build_gives_the_same_bytes_in_another_directory() {
    let [here, there] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let first = build(
        MODULE,
        "rustc -O --target x86_64-unknown-linux-gnu",
        here.path(),
    )
    .unwrap();
    let second = build(
        MODULE,
        "rustc -O --target x86_64-unknown-linux-gnu",
        there.path(),
    )
    .unwrap();
    assert_eq!(first.len(), 3);
    for (first, second) in first.iter().zip(&second) {
        let bytes = read(&first.vmfb);
        assert_eq!(bytes, read(&second.vmfb));
        let text = String::from_utf8_lossy(&bytes);
        let directory = here
            .path()
            .file_name()
            .unwrap()
            .to_string_lossy()
            .into_owned();
        assert!(text.contains("program.mlir") && !text.contains(&directory));
    }
    assert_ne!(read(&first[0].vmfb), read(&first[2].vmfb));
}

#[test]
fn a_debug_build_runs_here() {
    let directory = tempfile::tempdir().unwrap();
    let compiled = build(MODULE, "rustc", directory.path()).unwrap();
    let [artifact] = &compiled[..] else {
        panic!("{compiled:?}")
    };
    let printed = printed_by(&artifact.vmfb, &["--function=run", "--input=3x4xf32=2"]);
    assert!(
        printed.contains("3x4xf32=[8 8 8 8][8 8 8 8][8 8 8 8]"),
        "{printed}"
    );
}

/// The iterations of a loop hand on tensors, of which nothing is left in the end.
#[test]
fn calls_release_their_memory() {
    let directory = tempfile::tempdir().unwrap();
    let module =
        include_str!("../../../../defects/buffers-of-branches-are-not-released/module.mlir");
    let compiled = build(module, "rustc", directory.path()).unwrap();
    let [artifact] = &compiled[..] else {
        panic!("{compiled:?}")
    };
    let call = ["--function=f", "--input=64xf32=0.5", "--input=i32=3"];
    let statistics = "--print_statistics=true";
    let printed = printed_by(&artifact.vmfb, &[&call[..], &[statistics]].concat());
    let live: Vec<_> = printed.lines().filter(|it| it.contains("B live")).collect();
    assert!(
        !live.is_empty() && live.iter().all(|it| it.ends_with(" 0B live")),
        "{printed}"
    );
    let archive = read(&artifact.vmfb);
    let module = archive.windows(4).position(|it| it == b"IREE").unwrap() - 8;
    let word = |place: usize| u32::from_le_bytes(archive[place..place + 4].try_into().unwrap());
    let size = word(module) as usize;
    assert_eq!(word(14), crc32fast::hash(&archive[module..module + size]));
}

#[test]
fn a_folder_may_have_any_name() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path().join("it's my \"größter\" $folder; really");
    std::fs::create_dir(&folder).unwrap();
    build(MODULE, "rustc", &folder).unwrap();
}

#[test]
fn other_architectures_compile() {
    let directory = tempfile::tempdir().unwrap();
    for architecture in ["aarch64", "riscv64gc"] {
        let arguments = format!("rustc -O --target {architecture}-unknown-linux-gnu");
        assert_eq!(
            build(MODULE, &arguments, directory.path()).unwrap().len(),
            1
        );
    }
}

#[test]
fn a_refusal_is_mapped_to_the_users_source() {
    let cholesky = |location: &str| {
        format!(
            "func.func @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {{\n  \
             %z = stablehlo.cholesky %x, lower = true : tensor<4x4xf32> {location}\n  \
             return %z : tensor<4x4xf32>\n}}\n"
        )
    };
    let directory = tempfile::tempdir().unwrap();
    let environment = in_directory(directory.path());
    let request = for_arguments(&cholesky(""), "rustc", &environment);
    let failure = compile(&request, &environment).unwrap_err();
    assert!(
        failure.to_string().contains("failed to legalize"),
        "{failure}"
    );
    assert!(failure.reproducer().unwrap().exists());
    let located = cholesky("loc(\"src/main.rs\":4:15)");
    let messages = compile_for_diagnostics(&request, &request.targets[0], &located, &environment);
    let first = messages
        .iter()
        .find(|message| message.severity == Severity::Error);
    let place = Location {
        file: "src/main.rs".to_owned(),
        line: 4,
        column: 15,
    };
    assert_eq!(first.unwrap().location, Some(place));
    let nothing_wrong =
        compile_for_diagnostics(&request, &request.targets[0], MODULE, &environment);
    assert_eq!(nothing_wrong, []);
}

#[test]
fn a_crash_can_be_watched() {
    // IREE 3.13 divides by the number of elements, unless it optimises more.
    let crashing = r#"
        func.func @f(%x: tensor<2x0xf32>) -> tensor<2x2xf32> {
          %y = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1]
            : (tensor<2x0xf32>, tensor<2x0xf32>) -> tensor<2x2xf32> loc("src/main.rs":4:15)
          return %y : tensor<2x2xf32>
        }"#;
    let directory = tempfile::tempdir().unwrap();
    let environment = in_directory(directory.path());
    let mut request = for_arguments(crashing, "rustc", &environment);
    request.flags.push(UserFlag::parse("--iree-opt-level=O1"));
    let failure = compile(&request, &environment).unwrap_err();
    assert!(matches!(failure, Failure::Crashed { .. }), "{failure}");
    request.flags.extend(WATCHED.map(UserFlag::parse));
    let target = &request.targets[0];
    let messages = compile_for_diagnostics(&request, target, crashing, &environment);
    let notes = messages.iter().map(|message| message.text.as_str());
    let told = notes.filter(|text| text.starts_with("Pipeline failed while executing `"));
    assert_eq!(told.count(), 1, "{messages:?}");
}

#[test]
fn f64_and_assertions_stay() {
    let module = r#"
        func.func @f(%x: tensor<4xf64>, %i: i32) -> tensor<4xf64> {
          %three = arith.constant 3 : i32
          %small = arith.cmpi slt, %i, %three : i32
          cf.assert %small, "the index must be small"
          %y = stablehlo.add %x, %x : tensor<4xf64>
          return %y : tensor<4xf64>
        }"#;
    let directory = tempfile::tempdir().unwrap();
    let compiled = build(module, "rustc -O", directory.path()).unwrap();
    let compiler = in_directory(directory.path()).compiler.unwrap();
    let run = |index: i32| {
        Command::new(compiler.with_file_name("iree-run-module"))
            .arg(format!("--module={}", compiled[0].vmfb.display()))
            .args(["--device=local-sync", "--function=f", "--input=4xf64=1e300"])
            .arg(format!("--input={index}"))
            .output()
            .unwrap()
    };
    let good = run(1);
    assert!(
        String::from_utf8_lossy(&good.stdout).contains("2E+300"),
        "{good:?}"
    );
    let bad = run(5);
    assert!(
        String::from_utf8_lossy(&bad.stderr).contains("the index must be small"),
        "{bad:?}"
    );
}
#[test]
#[ignore = "measures time, so it must run alone"]
fn a_first_build_takes_little_longer_than_the_compiler() {
    let (mut ours, mut plain) = (Duration::MAX, Duration::MAX);
    for _ in 0..5 {
        let directory = tempfile::tempdir().unwrap();
        let environment = in_directory(directory.path());
        let arguments = "rustc -O --target x86_64-unknown-linux-gnu";
        let request = for_arguments(MODULE, arguments, &environment);
        let start = Instant::now();
        compile(&request, &environment).unwrap();
        ours = ours.min(start.elapsed());
        let start = Instant::now();
        plainly(&request, &environment, directory.path());
        plain = plain.min(start.elapsed());
    }
    let ratio = ours.as_secs_f64() / plain.as_secs_f64();
    println!("{ratio:.2} times as long as the compiler itself");
    assert!(ratio <= 1.3, "{ratio}");
}

/// Runs the compiler for all targets at the same time, as a shell would.
fn plainly(request: &Request, environment: &Environment, directory: &Path) {
    std::fs::write(directory.join("program.mlir"), &request.mlir.usual).unwrap();
    let start = |target: &crate::artifact::Target| {
        Command::new(environment.compiler.as_ref().unwrap())
            .args(crate::artifact::flags::all(
                target,
                request,
                Format::Bytecode,
            ))
            .args(["program.mlir", "-o", &target.name])
            .current_dir(directory)
            .spawn()
            .unwrap()
    };
    let children: Vec<_> = request.targets.iter().map(start).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
}

/// The sum of so many products of matrices, whose number of rows is not known while building.
fn sum_of_products(count: usize) -> String {
    let product = |number: usize| {
        let next = number + 1;
        format!(
            "%s{number} = stablehlo.slice %w [{number}:{next}, 0:3, 0:8] : (tensor<{count}x3x8xf32>) -> tensor<1x3x8xf32>\n\
             %r{number} = stablehlo.reshape %s{number} : (tensor<1x3x8xf32>) -> tensor<3x8xf32>\n\
             %p{number} = stablehlo.dot %x, %r{number} : (tensor<?x3xf32>, tensor<3x8xf32>) -> tensor<?x8xf32>\n"
        )
    };
    let sum = |number: usize| {
        let before = match number {
            1 => "%p0".to_owned(),
            _ => format!("%a{}", number - 1),
        };
        format!("%a{number} = stablehlo.add {before}, %p{number} : tensor<?x8xf32>\n")
    };
    let products: String = (0..count).map(product).collect();
    let sums: String = (1..count).map(sum).collect();
    format!(
        "module @program {{\nfunc.func @run(%x: tensor<?x3xf32>, %w: tensor<{count}x3x8xf32>) -> tensor<?x8xf32> {{\n\
         {products}{sums}return %a{} : tensor<?x8xf32>\n}}\n}}\n",
        count - 1
    )
}

/// A sum of tensors, which IREE makes one dispatch of.
fn sum_of(count: usize) -> String {
    let arguments = (0..count).map(|it| format!("%a{it}: tensor<8xf32>"));
    let arguments = arguments.collect::<Vec<_>>().join(", ");
    let sum = |it: usize| {
        let left = if it == 1 {
            "%a0".to_owned()
        } else {
            format!("%s{}", it - 1)
        };
        format!("    %s{it} = stablehlo.add {left}, %a{it} : tensor<8xf32>\n")
    };
    let sums: String = (1..count).map(sum).collect();
    let last = count - 1;
    format!(
        "module @program {{\n  func.func @run({arguments}) -> tensor<8xf32> {{\n{sums}    \
         return %s{last} : tensor<8xf32>\n  }}\n}}\n"
    )
}

#[test]
fn a_dispatch_of_too_many_constants_is_made_smaller() {
    let directory = tempfile::tempdir().unwrap();
    let arguments = "rustc --target x86_64-unknown-linux-gnu";
    let build = |count| build(&sum_of_products(count), arguments, directory.path());
    assert_eq!(build(24).unwrap()[0].fallback, None);
    let fallback = build(40).unwrap().remove(0).fallback.unwrap();
    let said = "constants, and 64 are allowed";
    assert!(fallback.reason.contains(said), "{}", fallback.reason);
}

#[test]
fn a_dispatch_of_too_many_buffers_is_made_smaller() {
    let directory = tempfile::tempdir().unwrap();
    let build = |count| build(&sum_of(count), "rustc", directory.path());
    assert_eq!(build(31).unwrap()[0].fallback, None);
    let compiled = build(32).unwrap().remove(0);
    let fallback = compiled.fallback.unwrap();
    let said = "what the IREE compiler made cannot be loaded: a dispatch has 33 buffers, and 32 are allowed";
    assert_eq!(fallback.reason, said);
    assert_eq!(fallback.rung, "one-use");
    assert!(compiled.reproducer.0.is_some());
}

/// Two results of one producer, which IREE 3.13 refuses where it makes one dispatch of all.
const SEVERAL_RESULTS: &str = include_str!("several_results.mlir");

#[test]
fn what_iree_refuses_to_fuse_compiles_without() {
    let directory = tempfile::tempdir().unwrap();
    let compiled = build(SEVERAL_RESULTS, "rustc", directory.path()).unwrap();
    // Newer versions of IREE may compile it as it is.
    let fallback = compiled[0].fallback.as_ref();
    assert!(
        fallback.is_none_or(|fallback| fallback.rung == "one-use"),
        "{fallback:?}"
    );
}
