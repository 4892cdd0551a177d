use super::{
    failure::Failure,
    jobs::Jobs,
    rustc::Invocation,
    settings::{self, Settings, TARGETS_VARIABLE},
    target::{Chosen, Cpu, Target},
    target_directory,
    variables::{self, Limits, Misread},
    vendored::{self, Vendoring},
};
use iree_abi::{
    CpuLevel,
    build::{self, Files, PROGRESS_VARIABLE, WITHOUT_PASSES_VARIABLE},
};
use std::{
    collections::BTreeSet,
    env,
    path::{Path, PathBuf},
    time::Duration,
};

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
    /// The manifest of the user's package, which may say what to compile for.
    pub manifest: Option<PathBuf>,
    /// What the variable [`TARGETS_VARIABLE`] names.
    pub wanted_targets: String,
    /// The passes of `legalize` that the variable [`WITHOUT_PASSES_VARIABLE`] names.
    pub without: BTreeSet<String>,
    /// Whether artifacts are for every CPU of the architecture also in a debug build, since machines
    /// share them.
    pub portable: bool,
    /// What the build leaves for the repository, if that is what it is for.
    pub vendoring: Option<Vendoring>,
    /// A cache that target directories share, if one is wanted.
    pub shared_cache: Option<PathBuf>,
    /// How large that one may become, in bytes.
    pub shared_cache_limit: u64,
    /// What the arguments of `rustc` say.
    pub rustc: Invocation,
    /// What limits the compilers that run at a time.
    pub jobs: Jobs,
    /// How long one compilation may take.
    pub time_limit: Duration,
    /// What of the environment cannot be understood.
    pub misread: Option<Misread>,
    /// A file to which is appended which compilations begin and end.
    pub progress: Option<PathBuf>,
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
        let vendoring = vendoring();
        let (limits, misread) = match Limits::of_environment() {
            Ok(limits) => (limits, None),
            Err(misread) => (Limits::default(), Some(misread)),
        };
        Self {
            compiler: build::find_compiler(),
            target_directory: target_directory::find(
                rustc.output.as_deref(),
                env::var_os("CARGO_TARGET_DIR"),
                env::var_os("CARGO_MANIFEST_DIR"),
                rustc.target.as_deref(),
            ),
            package: env::var("CARGO_PKG_NAME").unwrap_or_else(|_| "unnamed".to_owned()),
            manifest: env::var_os("CARGO_MANIFEST_PATH").map(PathBuf::from),
            wanted_targets: env::var(TARGETS_VARIABLE).unwrap_or_default(),
            without: settings::names(&env::var(WITHOUT_PASSES_VARIABLE).unwrap_or_default())
                .map(str::to_owned)
                .collect(),
            portable: vendoring.is_some(),
            vendoring,
            shared_cache: variables::shared_cache(),
            shared_cache_limit: limits.cache,
            rustc,
            jobs: Jobs::of_this_build(),
            time_limit: limits.time,
            misread,
            progress: env::var_os(PROGRESS_VARIABLE).map(PathBuf::from),
        }
    }

    /// Whether the build has a use for artifacts; see [`Invocation::generates_code`].
    pub fn wants_artifacts(&self) -> bool {
        self.rustc.generates_code || self.vendoring.is_some()
    }

    /// What a program is compiled for and how: as it says itself, unless its package or this build says
    /// something else.
    ///
    /// # Errors
    ///
    /// [`Failure::Manifest`] if the package's manifest says what cannot be understood, and
    /// [`Failure::Variable`] if the environment does.
    pub fn settings(&self, program: Settings) -> Result<Settings, Failure> {
        if let Some(misread) = &self.misread {
            return Err(Failure::Variable(misread.clone()));
        }
        let package = match &self.manifest {
            Some(manifest) => Settings::of_manifest(manifest)?,
            None => Settings::default(),
        };
        let build = Settings::of_variable(&self.wanted_targets);
        Ok(program.overridden_by(package).overridden_by(build))
    }

    /// The targets that names such as `cpu` stand for in this build.
    ///
    /// A debug build compiles for this machine alone, a release build for every level of the
    /// architecture, so that it runs on any machine of it and is fast on a good one. With
    /// `-C target-cpu` both compile for that CPU. There is a level that only a program has a use for which
    /// multiplies matrices of `bf16`.
    ///
    /// # Errors
    ///
    /// [`Failure::Target`] for a name that is not known, or an architecture that IREE has no code for.
    pub fn targets(
        &self,
        settings: &Settings,
        multiplies_bf16: bool,
    ) -> Result<Vec<Target>, Failure> {
        let build = self.cpu(multiplies_bf16);
        let mut targets = Vec::new();
        for name in settings.target_names() {
            let named = Target::named(name, &build).map_err(|reason| Failure::Target {
                target: name.to_owned(),
                origin: settings.origin,
                reason,
            })?;
            for target in named {
                if !targets.contains(&target) {
                    targets.push(target);
                }
            }
        }
        Ok(targets)
    }

    fn cpu(&self, multiplies_bf16: bool) -> Cpu {
        let architecture = self.rustc.architecture();
        let here = architecture == env::consts::ARCH;
        let levels = CpuLevel::of_architecture(&architecture).iter().copied();
        let chosen = match self.rustc.target_cpu.as_deref() {
            Some("native") if here => Chosen::Level(CpuLevel::of_this_machine()),
            None | Some("native" | "generic") => {
                match (self.rustc.optimizes || self.portable, here) {
                    (true, _) => Chosen::EveryLevel,
                    (false, true) => Chosen::Level(CpuLevel::of_this_machine()),
                    (false, false) => Chosen::Level(CpuLevel::Baseline),
                }
            }
            Some(cpu) => {
                let name = format!("cpu-{cpu}");
                let mut levels = levels.filter(|level| level.target(&architecture) == name);
                let level = levels.next().map(Chosen::Level);
                level.unwrap_or_else(|| Chosen::Named(cpu.to_owned()))
            }
        };
        Cpu {
            architecture,
            chosen,
            multiplies_bf16,
        }
    }

    /// The folder of the repository with the artifacts of the package.
    pub fn vendored_folder(&self) -> PathBuf {
        let manifest = self.manifest.as_deref().unwrap_or(Path::new(""));
        let root = manifest.parent().unwrap_or(Path::new(""));
        vendored::folder(root, &self.package)
    }

    pub(super) fn cache_directory(&self) -> Option<PathBuf> {
        Some(self.target_directory.as_ref()?.join("iree/.cache"))
    }

    /// The files of a program, for people and tools.
    pub(super) fn files(&self, program: &str) -> Option<Files> {
        let target_directory = self.target_directory.as_ref()?;
        Some(Files::new(target_directory, &self.package, program))
    }
}

/// What the build is told to leave. That is for the packages that were chosen; those that they depend on
/// have repositories of their own.
fn vendoring() -> Option<Vendoring> {
    env::var_os("CARGO_PRIMARY_PACKAGE")?;
    Vendoring::parse(&env::var(vendored::VARIABLE).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(arguments: &str) -> Environment {
        Environment {
            rustc: Invocation::parse(arguments.split_whitespace().map(str::to_owned)),
            ..Environment::detect()
        }
    }

    fn names(arguments: &str) -> Vec<String> {
        let targets = environment(arguments).targets(&Settings::default(), false);
        let targets = targets.unwrap().into_iter();
        targets.map(|target| target.name).collect()
    }

    #[test]
    fn a_debug_build_has_one_target_and_a_release_build_all() {
        let here = CpuLevel::of_this_machine().min(CpuLevel::V4);
        let here = here.target(env::consts::ARCH);
        assert_eq!(names("rustc"), [here]);
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
    fn code_is_for_the_cpu_that_rust_code_is_for() {
        let here = CpuLevel::of_this_machine().min(CpuLevel::V4);
        let here = here.target(env::consts::ARCH);
        assert_eq!(names("rustc -O -C target-cpu=native"), [here]);
        let linux = "rustc -O --target x86_64-unknown-linux-gnu";
        for (cpu, target) in [
            ("x86-64-v3", "cpu-x86-64-v3"),
            ("x86-64-v2", "cpu-x86-64-v2"),
            ("znver4", "cpu-x86-64-znver4"),
        ] {
            assert_eq!(names(&format!("{linux} -Ctarget-cpu={cpu}")), [target]);
        }
        assert_eq!(names(&format!("{linux} -C target-cpu=generic")).len(), 3);
        assert_eq!(
            names("rustc --target aarch64-unknown-linux-gnu -C target-cpu=neoverse-n1"),
            ["cpu-aarch64-neoverse-n1"]
        );
    }

    #[test]
    fn a_target_is_compiled_for_once() {
        let settings = Settings::of_variable("cpu:x86-64,vmvx,cpu:x86-64");
        let targets = environment("rustc").targets(&settings, false).unwrap();
        let names = targets.iter().map(|target| target.name.as_str());
        assert_eq!(names.collect::<Vec<_>>(), ["cpu-x86-64", "vmvx"]);
    }

    #[test]
    fn unknown_targets_are_refused() {
        let settings = Settings::of_variable("cpu,gpu");
        let unknown = environment("rustc").targets(&settings, false).unwrap_err();
        let message = unknown.to_string();
        assert!(
            message.contains("`gpu`") && message.contains(TARGETS_VARIABLE),
            "{message}"
        );
        let foreign = environment("rustc --target m68k-unknown-linux-gnu");
        let foreign = foreign.targets(&Settings::default(), false);
        assert!(matches!(foreign, Err(Failure::Target { reason, .. }) if reason.contains("m68k")));
    }
}
