//! What users read after a mistake: each file in `ui` has one, and the text beside it. Those in `ui/build` are compiled to the end,
//! since it is the IREE compiler that finds theirs.
//!
//! `BLESS=1 cargo test -p iree-dsl --test ui` writes the texts anew.

use iree_dsl_dependency_arguments::dependency_arguments;
use libtest_mimic::{Arguments, Failed, Trial};
use similar::TextDiff;
use std::{
    env,
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

const PACKAGE: &str = env!("CARGO_MANIFEST_DIR");

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match trials() {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(error) => {
            eprintln!("the cases of `{PACKAGE}/tests/ui` cannot be read: {error}");
            ExitCode::FAILURE
        }
    }
}

fn trials() -> io::Result<Vec<Trial>> {
    let mut trials = Vec::new();
    for (folder, emitted) in [("ui", "metadata"), ("ui/build", "link")] {
        for entry in fs::read_dir(Path::new(PACKAGE).join("tests").join(folder))? {
            let file = entry?.path();
            if file.extension() == Some(OsStr::new("rs")) {
                let name = name(&file);
                let trial = Trial::test(format!("{folder}/{name}"), move || check(&file, emitted));
                trials.push(trial);
            }
        }
    }
    trials.sort_by(|a, b| a.name().cmp(b.name()));
    Ok(trials)
}

fn name(file: &Path) -> String {
    let name = file.file_stem().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn check(file: &Path, emitted: &str) -> Result<(), Failed> {
    let found = message(file, emitted)?;
    let expected = file.with_extension("stderr");
    if env::var_os("BLESS").is_some_and(|value| value == "1") {
        return Ok(fs::write(expected, found)?);
    }
    let expected = fs::read_to_string(&expected)
        .map_err(|error| format!("{}: {error}; BLESS=1 writes it", expected.display()))?;
    if expected == found {
        return Ok(());
    }
    let difference = TextDiff::from_lines(&expected, &found);
    let difference = difference
        .unified_diff()
        .header("expected", "found")
        .to_string();
    Err(format!("it reads otherwise; BLESS=1 accepts that\n{difference}").into())
}

/// What `rustc` says of a program that it does not compile.
fn message(file: &Path, emitted: &str) -> Result<String, Failed> {
    let name = name(file);
    let folder: PathBuf = [env!("CARGO_TARGET_TMPDIR"), "ui", &name].iter().collect();
    fs::create_dir_all(&folder)?;
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .args(dependency_arguments!())
        .args(["--crate-type", "bin", "--crate-name", &name])
        .args(["--emit", emitted, "--out-dir"])
        .arg(&folder)
        .args(["--color", "never", "--diagnostic-width", "140"])
        .args(["--allow", "dead_code"])
        .arg(file)
        .env("CARGO_CRATE_NAME", &name)
        .output()?;
    let text = String::from_utf8_lossy(&output.stderr);
    if output.status.success() {
        return Err(format!("it has no mistake for `rustc`\n{text}").into());
    }
    Ok(normalized(&text))
}

/// A message without where the checkout is, and without what `rustc` says after the last error.
fn normalized(text: &str) -> String {
    const AFTER: [&str; 3] = [
        "error: aborting due to ",
        "For more information about ",
        "Some errors have detailed explanations: ",
    ];
    let text = text.replace(&format!("{PACKAGE}/"), "");
    let is_kept = |line: &&str| !AFTER.iter().any(|start| line.starts_with(start));
    let lines: Vec<_> = text.lines().filter(is_kept).collect();
    let text = lines.join("\n");
    format!("{}\n", text.trim_end())
}
