//! Runs IREE's own tools.

use crate::registry::{Call, Defect};
use libtest_mimic::Failed;
use std::{
    fmt,
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
    time::Duration,
};
use wait_timeout::ChildExt;

/// What the compiler is told where an entry names no target.
const TARGET: [&str; 2] = [
    "--iree-hal-target-device=local",
    "--iree-hal-local-target-device-backends=llvm-cpu",
];

/// How long a tool may take that is to end.
pub(crate) const LIMIT: Duration = Duration::from_secs(120);

/// How a tool ended, and what it printed.
pub(crate) struct Ended {
    /// Nothing if it was not done in time.
    pub(crate) status: Option<ExitStatus>,
    pub(crate) printed: String,
}

impl Ended {
    pub(crate) fn is_success(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }

    /// Whether it said itself that something is wrong.
    pub(crate) fn is_failure(&self) -> bool {
        let code = self.status.and_then(|status| status.code());
        code.is_some_and(|code| code != 0)
    }

    /// Whether it was ended by the system.
    pub(crate) fn is_crash(&self) -> bool {
        self.status.is_some_and(|status| status.code().is_none())
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.status {
            Some(status) => write!(f, "{status}\n{}", self.printed),
            None => write!(f, "not done in time\n{}", self.printed),
        }
    }
}

/// The arguments of the compiler for a defect's module, in the module's folder.
pub(crate) fn compile_arguments(defect: &Defect) -> Vec<String> {
    let target = match &defect.target {
        Some(target) => vec![format!("--iree-hal-target-device={target}")],
        None => TARGET.map(str::to_owned).into(),
    };
    let module = ["module.mlir", "-o", "module.vmfb"].map(str::to_owned);
    target
        .into_iter()
        .chain(defect.flags.iter().cloned())
        .chain(module)
        .collect()
}

/// The arguments of the runtime's tools for a call, in the folder of what was compiled.
pub(crate) fn call_arguments(call: &Call) -> Vec<String> {
    let device = ["--device=local-sync", "--module=module.vmfb"].map(str::to_owned);
    let function = format!("--function={}", call.function);
    let inputs = call.inputs.iter().map(|input| format!("--input={input}"));
    device.into_iter().chain([function]).chain(inputs).collect()
}

/// Runs one of IREE's tools in a folder.
pub(crate) fn run(
    name: &str,
    arguments: &[String],
    folder: &Path,
    limit: Duration,
) -> Result<Ended, Failed> {
    let output = folder.join("printed.txt");
    let file = File::create(&output)?;
    let mut child = Command::new(path_of(name)?)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(file.try_clone()?)
        .stderr(file)
        .spawn()?;
    let status = child.wait_timeout(limit)?;
    if status.is_none() {
        child.kill()?;
        child.wait()?;
    }
    let printed = String::from_utf8_lossy(&fs::read(&output)?).into_owned();
    Ok(Ended { status, printed })
}

/// The compiler that builds use, and the tools that lie beside it.
fn path_of(name: &str) -> Result<PathBuf, Failed> {
    let compiler = iree_abi::build::find_compiler().ok_or("the IREE compiler was not found")?;
    Ok(compiler.with_file_name(name))
}

/// The version of the compiler, without the date of its candidate.
pub(crate) fn version(folder: &Path) -> Result<String, Failed> {
    let told = run("iree-compile", &["--version".to_owned()], folder, LIMIT)?.printed;
    let version = iree_abi::build::version_in(&told).ok_or("the compiler tells no version")?;
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    let end = version.find(|c| !is_number(c)).unwrap_or(version.len());
    Ok(version.get(..end).unwrap_or(version).to_owned())
}
