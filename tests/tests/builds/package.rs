//! A crate with programs that is built in a target directory of its own.

use iree_abi::build::find_compiler;
use iree_dsl_dependency_arguments::dependency_arguments;
use std::{
    env, fs,
    os::unix::{fs::PermissionsExt, process::CommandExt},
    path::PathBuf,
    process::{Child, Command},
};
use tempfile::TempDir;

/// The compiler, which counts how often it runs.
const COUNTING: &str = "#!/bin/sh
case $1 in --version) ;; *) echo once >>LOG ;; esac
exec REAL \"$@\"
";

pub(crate) struct Package {
    folder: TempDir,
}

impl Package {
    /// A crate without programs.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let package = Self { folder };
        fs::create_dir(package.path("target")).expect("a target directory");
        fs::write(package.path("target/CACHEDIR.TAG"), "").expect("its mark");
        let compiler = COUNTING.replace("LOG", &package.path("log").to_string_lossy());
        let compiler = compiler.replace("REAL", &real_compiler().to_string_lossy());
        fs::write(package.path("iree-compile"), compiler).expect("a compiler");
        let executable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(package.path("iree-compile"), executable).expect("it can be run");
        package
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Gives the crate a program for each factor, which multiplies by it.
    pub(crate) fn write(&self, factors: &[u32]) {
        let mut text = "use iree_dsl::prelude::*;\n".to_owned();
        let mut calls = String::new();
        for (index, factor) in factors.iter().enumerate() {
            text += &format!(
                "#[program]
                mod m{index} {{
                    pub struct P{index};
                    impl P{index} {{
                        pub fn run(&self, x: Tensor<f32, 8>) -> Tensor<f32, 8> {{
                            x * {factor}.0
                        }}
                    }}
                }}\n"
            );
            calls += &format!(
                "    let x = m{index}::P{index}::load(&device)?.run([1.0; 8])?.to_array()?;
                 println!(\"{{}}\", x[7]);\n"
            );
        }
        text += &format!(
            "fn main() -> iree_dsl::Result<()> {{
                let device = Device::open(\"local-sync\")?;\n{calls}
                Ok(())
            }}\n"
        );
        fs::write(self.path("main.rs"), text).expect("the source");
    }

    /// Begins a build, which leads a group of processes.
    pub(crate) fn start(&self) -> Child {
        let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        rustc
            .args(dependency_arguments!())
            .args(["--crate-name", "many", "--crate-type", "bin"])
            .args(["--emit", "link", "-C", "debuginfo=0", "--out-dir"])
            .arg(self.path("target"))
            .arg(self.path("main.rs"))
            .env("IREE_COMPILE", self.path("iree-compile"))
            .env("CARGO_PKG_NAME", "many")
            .env_remove("IREE_DSL_TARGETS")
            .process_group(0);
        rustc.spawn().expect("rustc runs")
    }

    /// Builds to the end.
    pub(crate) fn build(&self) {
        let status = self.start().wait().expect("rustc ends");
        assert!(status.success(), "{status}");
    }

    /// What the programs make of one.
    pub(crate) fn run(&self) -> Vec<u32> {
        let output = Command::new(self.path("target/many"))
            .output()
            .expect("it runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        let printed = String::from_utf8(output.stdout).expect("numbers");
        printed
            .lines()
            .map(|line| line.parse().expect("a number"))
            .collect()
    }

    /// How often something was compiled, all builds together.
    pub(crate) fn compilations(&self) -> usize {
        let log = fs::read_to_string(self.path("log")).unwrap_or_default();
        log.lines().count()
    }
}

fn real_compiler() -> PathBuf {
    find_compiler().expect("`./x setup` installs IREE")
}
