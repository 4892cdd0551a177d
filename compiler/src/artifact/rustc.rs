//! What the arguments of `rustc` say about the build that a macro runs in.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// An invocation of a compiler, read from its arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invocation {
    /// Where its output goes.
    pub output: Option<PathBuf>,
    /// The target of a cross compilation, as the user wrote it.
    pub target: Option<String>,
    /// The CPU that it generates code for, if that is said.
    pub target_cpu: Option<String>,
    /// Whether it optimises.
    pub optimizes: bool,
    /// Whether it generates code.
    ///
    /// `cargo check`, `clippy` and the checks of rust-analyzer ask `rustc` for metadata alone:
    /// `--emit=dep-info,metadata`. `rustdoc` and the server that expands macros for rust-analyzer are
    /// known by the name of their executable; neither has a use for code. Whatever shows no option of
    /// `rustc` is not a build. The programs in documentation tests are compiled by `rustc`.
    pub generates_code: bool,
}

impl Invocation {
    /// Reads the arguments of a process, its name first.
    pub fn parse(arguments: impl IntoIterator<Item = String>) -> Self {
        let mut arguments = arguments.into_iter().flat_map(expand);
        let executable = arguments.next().unwrap_or_default();
        let name = Path::new(&executable)
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy();
        let documents = name.starts_with("rustdoc") || name.starts_with("rust-analyzer");
        let mut invocation = Self::default();
        let mut is_rustc = name == "rustc";
        let mut emits = None;
        while let Some(argument) = arguments.next() {
            let Some((option, value)) = split(&argument, &mut arguments) else {
                continue;
            };
            match option {
                "--crate-name" | "--crate-type" | "--edition" => is_rustc = true,
                "--out-dir" | "-o" => invocation.output = Some(value.into()),
                "--target" => invocation.target = Some(value),
                "--emit" => *emits.get_or_insert(false) |= value.split(',').any(is_code),
                "-C" => invocation.codegen_option(&value),
                "-O" => invocation.optimizes = true,
                _ => {}
            }
        }
        is_rustc |= emits.is_some();
        invocation.generates_code = is_rustc && !documents && emits.unwrap_or(true);
        invocation
    }

    fn codegen_option(&mut self, option: &str) {
        match option.split_once('=') {
            Some(("opt-level", level)) => self.optimizes = level != "0",
            Some(("target-cpu", cpu)) => self.target_cpu = Some(cpu.to_owned()),
            _ => {}
        }
    }

    /// The architecture that it generates code for, as in [`std::env::consts::ARCH`].
    pub fn architecture(&self) -> String {
        let Some(target) = &self.target else {
            return std::env::consts::ARCH.to_owned();
        };
        // The target may be the path of a description.
        let name = Path::new(target)
            .file_name()
            .unwrap_or_default()
            .to_string_lossy();
        let architecture = name.split('-').next().unwrap_or_default();
        match architecture {
            // Triples name the extensions, and the constant does not.
            riscv if riscv.starts_with("riscv64") => "riscv64".to_owned(),
            other => other.to_owned(),
        }
    }
}

/// Splits an option from its value, which may be the next argument.
fn split<'a>(
    argument: &'a str,
    rest: &mut impl Iterator<Item = String>,
) -> Option<(&'a str, String)> {
    const WITH_VALUE: [&str; 8] = [
        "--crate-name",
        "--crate-type",
        "--edition",
        "--out-dir",
        "--target",
        "--emit",
        "--codegen",
        "-o",
    ];
    let (option, value) = match argument.split_once('=') {
        Some((option, value)) if option.starts_with("--") => (option, Some(value.to_owned())),
        _ if argument.starts_with("-C") => {
            let (option, attached) = argument.split_at(2);
            (option, (!attached.is_empty()).then(|| attached.to_owned()))
        }
        _ => (argument, None),
    };
    let takes_value = option == "-C" || WITH_VALUE.contains(&option);
    let value = match value {
        Some(value) => value,
        None if takes_value => rest.next()?,
        None => String::new(),
    };
    let option = if option == "--codegen" { "-C" } else { option };
    option.starts_with('-').then_some((option, value))
}

/// The arguments of a command line that was too long for the system come in a file.
fn expand(argument: String) -> Vec<String> {
    match argument.strip_prefix('@').map(fs::read_to_string) {
        Some(Ok(text)) => text.lines().map(str::to_owned).collect(),
        _ => vec![argument],
    }
}

fn is_code(emitted: &str) -> bool {
    let kind = emitted.split('=').next().unwrap_or_default();
    ["link", "obj", "asm", "llvm-ir", "llvm-bc"].contains(&kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Invocation {
        Invocation::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn a_build_generates_code() {
        let debug = parse(
            "/tc/bin/rustc --crate-name app --edition=2024 src/main.rs --crate-type bin \
             --emit=dep-info,link -C debuginfo=2 --out-dir /t/debug/deps -L dependency=/t/debug/deps",
        );
        assert!(debug.generates_code && !debug.optimizes);
        assert_eq!(debug.output, Some("/t/debug/deps".into()));
        assert_eq!(debug.architecture(), std::env::consts::ARCH);
        let release = parse(
            "rustc --crate-name app --emit dep-info,metadata,link --codegen opt-level=3 \
             --target riscv64gc-unknown-linux-gnu",
        );
        assert!(release.generates_code && release.optimizes);
        assert_eq!(release.architecture(), "riscv64");
    }

    #[test]
    fn optimisation_has_several_spellings() {
        for option in [
            "-O",
            "-Copt-level=s",
            "-C opt-level=1",
            "--codegen=opt-level=2",
        ] {
            assert!(
                parse(&format!("rustc {option} main.rs")).optimizes,
                "{option}"
            );
        }
        assert!(!parse("rustc -C opt-level=3 -C opt-level=0 main.rs").optimizes);
    }

    #[test]
    fn checks_documentation_and_editors_generate_no_code() {
        for line in [
            "rustc --crate-name app --edition=2024 --emit=dep-info,metadata --out-dir /t/debug/deps",
            "/tc/bin/clippy-driver /tc/bin/rustc --crate-name app --emit=dep-info,metadata",
            "/tc/bin/rustdoc --edition=2024 --crate-type lib --crate-name app src/lib.rs -o /t/doc",
            "/tc/libexec/rust-analyzer-proc-macro-srv --edition=2024",
            "target/debug/deps/tests-0123 --nocapture",
        ] {
            assert!(!parse(line).generates_code, "{line}");
        }
        assert!(!Invocation::parse([]).generates_code);
    }

    #[test]
    fn documentation_tests_generate_code() {
        let test =
            parse("/tc/bin/rustc --edition 2024 -o /tmp/rustdoctest/rust_out --cfg doctest -");
        assert!(test.generates_code);
    }

    #[test]
    fn arguments_may_come_in_a_file() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("arguments");
        fs::write(&file, "--crate-name\napp\n-C\nopt-level=3\n--emit=link\n").unwrap();
        let invocation = parse(&format!("rustc @{}", file.display()));
        assert!(invocation.generates_code && invocation.optimizes);
    }
}
