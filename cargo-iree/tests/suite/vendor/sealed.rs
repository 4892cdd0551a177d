//! A machine without LLVM and without the IREE compiler: this one, with empty folders in the place of both.

use super::package::{Package, checkout, failed, succeeded, target};
use std::{
    env, fs,
    path::PathBuf,
    process::{Command, Output},
};

/// Covers the folders that `$GONE` names, makes sure that nothing of them is left, and goes on with a command.
const SEAL: &str = r#"
for folder in $GONE; do mount -t tmpfs none "$folder" || exit 90; done
for tool in llvm-config-22 clang-22 mlir-tblgen iree-compile; do
    if command -v $tool; then echo "$tool is still there" >&2; exit 91; fi
done
exec "$@"
"#;

/// What a build needs, from where anybody has it: cmake and libclang.
struct Tools(PathBuf);

impl Tools {
    fn install() -> Self {
        let folder = target().join("tests/vendored-tools");
        if !folder.join("cmake").is_dir() {
            let mut pip = Command::new("python3");
            pip.args(["-m", "pip", "install", "--quiet", "--no-deps", "--target"]);
            pip.arg(&folder)
                .args(["--only-binary=:all:", "libclang", "cmake>=3.26,<5"]);
            succeeded(&pip.output().unwrap());
        }
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

/// Headers that belong to a compiler of C, which the libclang of PyPI comes without.
fn headers() -> String {
    let mut compiler = Command::new("cc");
    let output = compiler.arg("-print-file-name=include").output().unwrap();
    format!("-I{}", succeeded(&output).trim())
}

/// Runs a command of cargo on the package where there is no compiler, offline.
fn cargo(package: &Package, tools: &Tools, arguments: &[&str]) -> Output {
    let gone = [
        PathBuf::from(env::var_os("MLIR_SYS_220_PREFIX").unwrap()),
        checkout().join(".tools"),
    ];
    let gone = gone.map(|folder| folder.canonicalize().unwrap().display().to_string());
    let mut command = Command::new("unshare");
    command.args([
        "--user",
        "--map-root-user",
        "--mount",
        "sh",
        "-c",
        SEAL,
        "sh",
    ]);
    command.arg(env::var_os("CARGO").unwrap()).args(arguments);
    command.env_clear().current_dir(package.root());
    let kept = [
        "HOME",
        "PATH",
        "CARGO_HOME",
        "RUSTUP_HOME",
        "RUSTUP_TOOLCHAIN",
        "CARGO_BUILD_JOBS",
    ];
    command.envs(
        kept.iter()
            .filter_map(|name| Some((name, env::var_os(name)?))),
    );
    command
        .env("GONE", gone.join(" "))
        .env("CARGO_NET_OFFLINE", "true")
        .env("CARGO_TARGET_DIR", package.path("target"))
        .env("LIBCLANG_PATH", tools.path("clang/native"))
        .env("BINDGEN_EXTRA_CLANG_ARGS", headers())
        // Finds its own folder, and cmake on the path, as `.tools` is gone.
        .env("CMAKE", checkout().join(".cargo/cmake"));
    let path = env::var_os("PATH").unwrap();
    let tool = assert_cmd::cargo::cargo_bin!("cargo-iree");
    let path = [tools.path("cmake/data/bin"), tool.with_file_name("")]
        .into_iter()
        .chain(env::split_paths(&path));
    command.env("PATH", env::join_paths(path).unwrap());
    command.output().unwrap()
}

/// Seconds of processors that all children together took.
fn processor_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap();
    let (_, fields) = stat.rsplit_once(')').unwrap();
    let ticks = fields.split_whitespace().skip(13).take(2);
    let ticks: u64 = ticks.map(|ticks| ticks.parse::<u64>().unwrap()).sum();
    ticks as f64 / 100.0
}

#[test]
#[ignore = "builds IREE's runtime anew, which takes some minutes"]
fn a_crate_builds_and_runs_without_a_compiler() {
    let package = Package::new();
    let tools = Tools::install();
    let cargo = |arguments: &[&str]| cargo(&package, &tools, arguments);

    let written = succeeded(&package.vendor(&[]));
    assert!(
        written.contains("wrote .iree/app/trivial_kernel.json"),
        "{written}"
    );
    let unchanged = succeeded(&package.vendor(&[]));
    assert!(
        unchanged.contains("are those of its programs"),
        "{unchanged}"
    );

    let before = processor_seconds();
    succeeded(&cargo(&["build"]));
    let seconds = processor_seconds() - before;
    println!("a clean build took {seconds:.0} seconds of processors");
    let printed = succeeded(&cargo(&["run", "--quiet"]));
    assert!(printed.starts_with("[[5, 5, 5, 5],"), "{printed}");
    assert!(printed.contains("module @trivial_kernel"), "{printed}");
    let listed = succeeded(&cargo(&["iree", "list"]));
    assert!(
        listed.starts_with("trivial_kernel in app, src/main.rs:"),
        "{listed}"
    );
    let called = ["iree", "run", "trivial_kernel", "run", "-i", "multiplier=1"];
    let result = succeeded(&cargo(&called));
    assert!(result.contains("[[5, 5, 5, 5],"), "{result}");
    let shown = failed(&cargo(&["iree", "show"]));
    assert!(shown.contains("were compiled elsewhere"), "{shown}");

    package.replace("full(4.0)", "full(3.0)");
    let outdated = failed(&cargo(&["build"]));
    let expected = "[vendored] the program has changed since its artifacts were made";
    assert!(outdated.contains(expected), "{outdated}");
    assert!(outdated.contains("`cargo iree vendor`"), "{outdated}");
    fs::write(package.path(".iree/app/gone.json"), "{}").unwrap();
    let listed = failed(&package.vendor(&["--check"]));
    assert!(
        listed.contains("app: trivial_kernel: the program has changed"),
        "{listed}"
    );
    assert!(
        listed.contains("`.iree/app/gone.json` belongs to no program"),
        "{listed}"
    );

    let written = succeeded(&package.vendor(&[]));
    assert!(written.contains("removed .iree/app/gone.json"), "{written}");
    let printed = succeeded(&cargo(&["run", "--quiet"]));
    assert!(printed.starts_with("[[4, 4, 4, 4],"), "{printed}");

    fs::remove_dir_all(package.path(".iree")).unwrap();
    let absent = failed(&cargo(&["build"]));
    assert!(
        absent.contains("[vendored] the program has no artifacts"),
        "{absent}"
    );
}
