use crate::{
    advice::Advice,
    output::say,
    project::{Place, Project},
    scratch::Scratch,
    watch,
};
use anstream::eprintln;
use anyhow::{Context, Result};
use cargo_metadata::Package;
use iree_dsl_compiler::artifact::vendored::{self, Difference};
use std::{
    env,
    ffi::OsString,
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

/// Writes artifacts into the repository, so that the package builds without a compiler
#[derive(Debug, clap::Args)]
pub(super) struct Vendor {
    /// Write nothing; list what differs, and fail if something does. It takes no compiler
    #[arg(long)]
    check: bool,
    /// Programs of tests, benches and examples too
    #[arg(long)]
    all_targets: bool,
    /// Features of the package to activate
    #[arg(long, short = 'F', value_name = "FEATURES")]
    features: Vec<String>,
    /// Activate no default features of the package
    #[arg(long)]
    no_default_features: bool,
    #[command(flatten)]
    place: Place,
}

/// What programs depend on, and the features of it that matter.
const LIBRARY: &str = "iree-dsl";
const COMPILE: &str = "compile";
const VENDORED: &str = "vendored";

impl Vendor {
    pub(super) fn run(self) -> Result<ExitCode> {
        let project = self.place.open()?;
        let packages = packages(project.packages())?;
        let workshop = Workshop::open(&project)?;
        let mut code = ExitCode::SUCCESS;
        for (package, library) in packages {
            let made = workshop.folder()?;
            self.build(package, library, made.path())?;
            let root = package.manifest_path.as_std_path().with_file_name("");
            let folder = vendored::folder(&root, &package.name);
            let shown = |path: &Path| shown(path, project.root());
            if self.check {
                let differences = vendored::compare(made.path(), &folder)?;
                if !differences.is_empty() {
                    code = ExitCode::FAILURE;
                }
                tell_differences(&package.name, &differences, shown);
            } else {
                let (written, removed) = vendored::install(made.path(), &folder)?;
                tell_changes(&package.name, &written, &removed, shown);
            }
        }
        Ok(code)
    }

    /// Has a build leave what belongs into the repository.
    fn build(&self, package: &Package, library: &str, made: &Path) -> Result<()> {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.arg("check").arg("--manifest-path");
        command.arg(&package.manifest_path);
        let switches = [
            (self.all_targets, "--all-targets"),
            (self.no_default_features, "--no-default-features"),
        ];
        let switches = switches.into_iter().filter(|(wanted, _)| *wanted);
        command.args(switches.map(|(_, name)| name));
        let compile = (!self.check).then(|| format!("{library}/{COMPILE}"));
        for features in self.features.iter().chain(&compile) {
            command.arg("--features").arg(features);
        }
        let mut order: OsString = if self.check { "check:" } else { "write:" }.into();
        order.push(made);
        command.env(vendored::VARIABLE, order);
        let (status, _) = watch::run(command)?;
        match status.success() {
            true => Ok(()),
            false => Err(Advice::error(
                format!("the package `{}` does not build", package.name),
                "its errors are above; nothing was written",
            )),
        }
    }
}

/// Where builds leave what belongs into repositories, for one process at a time.
struct Workshop {
    folder: PathBuf,
    /// Locked, until the process ends in whatever way.
    _lock: File,
}

/// A folder of each build's own, as what is there already may be that of a process that was killed. Its name is part of what
/// the build is asked for, so that cargo does not take it for one that it has done.
const MADE: &str = ".vendor.";

impl Workshop {
    fn open(project: &Project) -> Result<Self> {
        let folder = project.target_directory().join("iree");
        let cannot = || format!("cannot write to `{}`", folder.display());
        fs::create_dir_all(&folder).with_context(cannot)?;
        let lock = File::create(folder.join(".vendor-lock")).with_context(cannot)?;
        if lock.try_lock().is_err() {
            eprintln!("waiting for another `cargo iree vendor`");
            lock.lock().with_context(cannot)?;
        }
        for entry in fs::read_dir(&folder).with_context(cannot)?.flatten() {
            if entry.file_name().to_string_lossy().starts_with(MADE) {
                fs::remove_dir_all(entry.path()).with_context(cannot)?;
            }
        }
        Ok(Self {
            folder,
            _lock: lock,
        })
    }

    fn folder(&self) -> Result<Scratch> {
        let made = Scratch::folder_in(&self.folder, MADE);
        made.with_context(|| format!("cannot write to `{}`", self.folder.display()))
    }
}

/// The packages with programs, and the names that they have for the library. Where none was chosen, those
/// that take artifacts from the repository.
fn packages(packages: Vec<&Package>) -> Result<Vec<(&Package, &str)>> {
    let chosen = packages.len() == 1;
    let with_library = packages.into_iter().filter_map(|package| {
        let mut dependencies = package.dependencies.iter();
        let library = dependencies.find(|dependency| dependency.name == LIBRARY)?;
        let wanted = chosen || library.features.iter().any(|feature| feature == VENDORED);
        let name = library.rename.as_deref().unwrap_or(LIBRARY);
        wanted.then_some((package, name))
    });
    let found: Vec<_> = with_library.collect();
    match found.is_empty() {
        true => Err(Advice::error(
            "no package here takes artifacts from the repository",
            "one does with `iree-dsl = { version = \"…\", default-features = false, features = \
             [\"vendored\"] }`; --package names another",
        )),
        false => Ok(found),
    }
}

fn shown(path: &Path, root: &Path) -> String {
    path.strip_prefix(root)
        .unwrap_or(path)
        .display()
        .to_string()
}

fn tell_differences(package: &str, differences: &[Difference], shown: impl Fn(&Path) -> String) {
    for difference in differences {
        match difference {
            Difference::Program(program, mismatch) => say!("{package}: {program}: {mismatch}"),
            Difference::LeftOver(path) => {
                say!("{package}: `{}` belongs to no program", shown(path));
            }
        }
    }
    if differences.is_empty() {
        say!("{package}: the artifacts in the repository are those of its programs");
    } else {
        say!("{package}: `cargo iree vendor` brings them up to date");
    }
}

fn tell_changes(
    package: &str,
    written: &[PathBuf],
    removed: &[PathBuf],
    shown: impl Fn(&Path) -> String,
) {
    for path in written {
        say!("{package}: wrote {}", shown(path));
    }
    for path in removed {
        say!("{package}: removed {}", shown(path));
    }
    if written.is_empty() && removed.is_empty() {
        say!("{package}: the artifacts in the repository are those of its programs");
    }
}
