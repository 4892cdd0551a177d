use super::{compiler, failure::Failure, files, request::Target, rustc::Invocation};
use iree_abi::CpuLevel;
use std::{
    env,
    ffi::OsString,
    num::NonZero,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

/// Sets the time limit of one compilation, in seconds.
const TIMEOUT_VARIABLE: &str = "IREE_DSL_COMPILE_TIMEOUT";

const DEFAULT_TIME_LIMIT: Duration = Duration::from_secs(600);

/// Where things are on this machine, and what kind of build this is.
///
/// Of all this, only what the compiler is may influence an artifact; its version is part of the cache's
/// key, and the rest of the key is the [`Request`](super::Request).
#[derive(Clone, Debug)]
pub struct Environment {
    /// The compiler, if there is one.
    pub compiler: Option<PathBuf>,
    /// The target directory of the build. Without one, artifacts go to a temporary directory.
    pub target_directory: Option<PathBuf>,
    /// The name of the user's package.
    pub package: String,
    /// What the arguments of `rustc` say.
    pub rustc: Invocation,
    /// How many compilers may run at a time.
    pub jobs: NonZero<usize>,
    /// How long one compilation may take.
    pub time_limit: Duration,
}

impl Environment {
    /// Reads the environment of a macro from the process that runs it, which is most often `rustc`.
    ///
    /// The target directory is the one around `rustc`'s output, or else the one that
    /// `CARGO_TARGET_DIR` names, or else the nearest directory `target` above the user's package: a
    /// documentation test is compiled outside of any.
    pub fn detect() -> Self {
        let arguments = env::args_os().map(|argument| argument.to_string_lossy().into_owned());
        let rustc = Invocation::parse(arguments);
        Self {
            compiler: compiler::find(),
            target_directory: target_directory(
                rustc.output.as_deref(),
                env::var_os("CARGO_TARGET_DIR"),
                env::var_os("CARGO_MANIFEST_DIR"),
            ),
            package: env::var("CARGO_PKG_NAME").unwrap_or_else(|_| "unnamed".to_owned()),
            rustc,
            jobs: jobs(),
            time_limit: time_limit(env::var(TIMEOUT_VARIABLE).ok().as_deref()),
        }
    }

    /// Whether the build has a use for artifacts; see [`Invocation::generates_code`].
    pub fn generates_code(&self) -> bool {
        self.rustc.generates_code
    }

    /// The targets that names such as `cpu` stand for in this build.
    ///
    /// A debug build compiles for this machine alone, a release build for every level of the
    /// architecture, so that it runs on any machine of it and is fast on a good one.
    ///
    /// # Errors
    ///
    /// [`Failure::Target`] for a name that is not known, or an architecture that IREE has no code for.
    pub fn targets<S: AsRef<str>>(&self, names: &[S]) -> Result<Vec<Target>, Failure> {
        let mut targets = Vec::new();
        for name in names {
            for target in self.expand_target(name.as_ref())? {
                if !targets.contains(&target) {
                    targets.push(target);
                }
            }
        }
        Ok(targets)
    }

    fn expand_target(&self, name: &str) -> Result<Vec<Target>, Failure> {
        let failure = |reason: String| Failure::Target {
            target: name.to_owned(),
            reason,
        };
        if name != "cpu" {
            return Err(failure("the only target there is is `cpu`".to_owned()));
        }
        let architecture = self.rustc.architecture();
        let levels = CpuLevel::of_architecture(&architecture);
        let here = [self.level_of_debug_builds(&architecture)];
        let chosen = if self.rustc.optimizes { levels } else { &here };
        let targets = chosen
            .iter()
            .map(|level| Target::cpu(&architecture, *level));
        let unknown = || failure(format!("there is no code generator for {architecture}"));
        targets.collect::<Option<_>>().ok_or_else(unknown)
    }

    fn level_of_debug_builds(&self, architecture: &str) -> CpuLevel {
        if architecture == env::consts::ARCH {
            CpuLevel::of_this_machine()
        } else {
            CpuLevel::Baseline
        }
    }

    pub(super) fn cache_directory(&self) -> Option<PathBuf> {
        Some(self.target_directory.as_ref()?.join("iree/.cache"))
    }

    pub(super) fn package_directory(&self) -> Option<PathBuf> {
        let package = files::safe_name(&self.package);
        Some(self.target_directory.as_ref()?.join("iree").join(package))
    }
}

fn target_directory(
    output: Option<&Path>,
    variable: Option<OsString>,
    package: Option<OsString>,
) -> Option<PathBuf> {
    let tagged = |directory: &Path| directory.join("CACHEDIR.TAG").is_file();
    let output = output.and_then(|output| std::path::absolute(output).ok());
    let around = |path: PathBuf| Some(path.ancestors().find(|path| tagged(path))?.to_owned());
    let named = variable
        .filter(|value| !value.is_empty())
        .map(PathBuf::from);
    let above = |package: OsString| {
        let package = PathBuf::from(package);
        let targets = package.ancestors().map(|path| path.join("target"));
        targets.into_iter().find(|target| tagged(target))
    };
    output
        .and_then(around)
        .or_else(|| std::path::absolute(named?).ok())
        .or_else(|| package.and_then(above))
}

/// One more than there are processors: three variants on two processors take turns, where the third
/// would otherwise run alone in the end.
fn jobs() -> NonZero<usize> {
    let processors = thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    processors.saturating_add(1)
}

fn time_limit(variable: Option<&str>) -> Duration {
    let seconds = variable.and_then(|value| value.trim().parse::<u64>().ok());
    match seconds {
        Some(seconds @ 1..) => Duration::from_secs(seconds),
        _ => DEFAULT_TIME_LIMIT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn environment(arguments: &str) -> Environment {
        Environment {
            rustc: Invocation::parse(arguments.split_whitespace().map(str::to_owned)),
            ..Environment::detect()
        }
    }

    #[test]
    fn a_debug_build_has_one_target_and_a_release_build_all() {
        let debug = environment("rustc").targets(&["cpu", "cpu"]).unwrap();
        let here = CpuLevel::of_this_machine().target(env::consts::ARCH);
        assert_eq!(debug.iter().map(|t| &t.name).collect::<Vec<_>>(), [&here]);
        let names = |arguments| -> Vec<String> {
            let targets = environment(arguments).targets(&["cpu"]).unwrap();
            targets.into_iter().map(|target| target.name).collect()
        };
        assert_eq!(
            names("rustc -O --target x86_64-unknown-linux-musl"),
            ["cpu-x86-64", "cpu-x86-64-v3", "cpu-x86-64-v4"]
        );
        assert_eq!(
            names("rustc --target aarch64-apple-darwin"),
            ["cpu-aarch64"]
        );
    }

    #[test]
    fn unknown_targets_are_refused() {
        let unknown = environment("rustc").targets(&["cpu", "gpu"]);
        assert!(matches!(unknown, Err(Failure::Target { target, .. }) if target == "gpu"));
        let foreign = environment("rustc --target m68k-unknown-linux-gnu").targets(&["cpu"]);
        assert!(matches!(foreign, Err(Failure::Target { reason, .. }) if reason.contains("m68k")));
    }

    #[test]
    fn the_target_directory_is_found_in_order() {
        let root = tempfile::tempdir().unwrap();
        let package = root.path().join("workspace/package");
        let target = root.path().join("workspace/target");
        let output = target.join("debug/deps");
        let elsewhere = root.path().join("elsewhere");
        fs::create_dir_all(&package).unwrap();
        fs::create_dir_all(&output).unwrap();
        fs::write(target.join("CACHEDIR.TAG"), "").unwrap();
        let package = || Some(package.clone().into_os_string());
        let variable = || Some(elsewhere.clone().into_os_string());
        let outside = Some(Path::new("/nonexistent/rust_out"));
        assert_eq!(
            target_directory(Some(&output), variable(), package()),
            Some(target.clone())
        );
        assert_eq!(
            target_directory(outside, variable(), package()),
            Some(elsewhere.clone())
        );
        assert_eq!(target_directory(outside, None, package()), Some(target));
        assert_eq!(target_directory(outside, None, None), None);
    }

    #[test]
    fn the_time_limit_is_read_in_seconds() {
        assert_eq!(time_limit(Some("5")), Duration::from_secs(5));
        for wrong in [None, Some("0"), Some("soon"), Some("-1")] {
            assert_eq!(time_limit(wrong), DEFAULT_TIME_LIMIT);
        }
    }
}
